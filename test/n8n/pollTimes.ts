/**
 * Poll times of a trigger at every second second, for its parameter `pollTimes`: n8n rejects an interval of less than a
 * minute, but takes several times.
 */
export const everyTwoSeconds = {
	item: Array.from({ length: 30 }, (_, half) => ({
		mode: 'custom',
		cronExpression: `${half * 2} * * * * *`,
	})),
};
