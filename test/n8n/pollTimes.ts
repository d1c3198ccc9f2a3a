/**
 * Poll times of a trigger at every fifth second, for its parameter `pollTimes`: n8n rejects an interval of less than a
 * minute, but takes several times.
 */
export const everyFiveSeconds = {
	item: Array.from({ length: 12 }, (_, twelfth) => ({
		mode: 'custom',
		cronExpression: `${twelfth * 5} * * * * *`,
	})),
};
