import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { VideoHostingTrigger } from '../../nodes/VideoHosting/VideoHostingTrigger.node';
import { sectionOf } from '../pages';
import { places } from '../parameters/places';
import { sceneOf } from './scenes';

const trigger = new VideoHostingTrigger();

it.each(Object.entries(KINDS))('A new kind names each file to edit: %s', (triggerOn, { change, name }) => {
	const missing: string[] = [];
	if (!sectionOf('docs/trigger.md', 'What it watches').includes(`| ${name} `))
		missing.push(`Add a row for ${name} to docs/trigger.md, What it watches`);
	const fields = places(trigger, { triggerOn });
	for (const { displayName } of fields.map(({ property }) => property))
		if (!sectionOf('docs/trigger.md', 'Fields').includes(`**${displayName}**`))
			missing.push(`Explain ${displayName} of ${name} in docs/trigger.md, Fields`);
	if (!sectionOf('README.md', 'Trigger').replace(/\s+/g, ' ').includes(change))
		missing.push(`Say in README.md, Trigger, that the workflow starts when ${change}`);
	const parameters = String(fields.map(({ path }) => path).sort());
	if (parameters !== String(sceneOf(triggerOn).parameters))
		missing.push(`Names of parameters are stable. Those in test/trigger/scenes.ts are not ${parameters}`);
	expect(missing).toEqual([]);
});
