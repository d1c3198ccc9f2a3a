import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';

// While they are not added, they are off: test/service/creations.test.ts and test/upload/operations.test.ts.
it('Skip If Exists and Create Folder If Missing are on when they are added', () => {
	const { properties } = new VideoHosting().description;
	const options = properties.filter(({ name }) => name === 'options').flatMap((each) => each.options ?? []);
	const added = options.filter(({ name }) => ['skipIfExists', 'createFolder'].includes(name));
	expect(added).toMatchObject(Array(5).fill({ default: true }));
});
