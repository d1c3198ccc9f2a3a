import { propertiesOf, text } from '../../nodes/VideoHosting/parameters/parameter';
import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';

const { properties } = new VideoHosting().description;

// scripts/lintPanel.mjs checks the texts with n8n's own rules.
it('The panel shows collections last, their fields by name and as n8n knows them, and none that is empty', () => {
	const field = (displayName: string, collection?: 'options') =>
		text({ displayName, name: displayName, collection, isContent: true });
	const shown = (displayName: string) => ({ displayName, name: displayName, type: 'string', default: '' });
	const options = { displayName: 'Options', placeholder: 'Add option', name: 'options', default: {} };
	expect(propertiesOf([field('B', 'options'), field('C'), field('A', 'options')])).toEqual([
		shown('C'),
		{ ...options, type: 'collection', options: [shown('A'), shown('B')] },
	]);
});

// While they are not added, they are off: test/service/creations.test.ts and test/upload/operations.test.ts.
it('Skip If Exists and Create Folder If Missing are on when they are added', () => {
	const options = properties.filter(({ name }) => name === 'options').flatMap((each) => each.options ?? []);
	const added = options.filter(({ name }) => ['skipIfExists', 'createFolder'].includes(name));
	expect(added).toMatchObject(Array(5).fill({ default: true }));
});
