import { executeForJson } from '../execution/executeNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { CASES, records, validItem, validParameters } from './operationCases';

serviceForEachTest();

const { hash, videoHash, uuid } = records;
const sent = Object.entries(CASES).flatMap(([name, { request }]) =>
	typeof request === 'string' ? [] : [[name, request] as const],
);

// The fake service compares method and headers with docs/api-reference.md, and rejects the request where they differ.
it.each(sent)('%s sends what the reference wants, and returns the record', async (name, wanted) => {
	service.seedEvents([{ hash, title: 'Town hall' }]);
	const [folder] = service.seedFolders([{ uuid, name: 'Concerts' }]);
	service.seedVideos([
		{ hash: videoHash, name: 'Video', size: 3, folder: folder?.uuid },
		{ name: 'Trailer', size: 4 },
	]);
	const [resource = '', operation = ''] = name.split('/');
	const [parameters = {}] = validParameters(resource, operation);

	const [output] = await executeForJson({ service, parameters, items: [await validItem()] });

	// Of a list of events, page 0 is tried first.
	const [request] = service.requestsOf(wanted.endpoint).filter(({ query }) => query.actualPage !== '0');
	expect(request).toMatchObject({ path: `/v1/${wanted.path}`, query: wanted.query ?? {}, status: 200 });
	expect(request?.body).toEqual(wanted.body);
	expect(request?.headers.authorization).toMatch(/^Bearer token-/);
	// Without returnsList, a list is one item.
	if (Array.isArray(output?.result))
		throw new Error(`nodes/VideoHosting/actions/${name}.ts: add returnsList`);
	expect(output).toMatchObject(wanted.output ?? {});
});
