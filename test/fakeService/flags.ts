import { parseArgs } from 'node:util';
import { z } from 'zod';

import { settingsSchema, type ServiceSettings } from './settings';

const port = z.number().int().min(0).max(65_535);
const records = z.number().int().nonnegative().max(1_000_000);

const ownFlags = z.object({
	controlPort: port.default(0).describe('Port of the control server on loopback; 0 lets the system choose'),
	events: records.default(0).describe('Number of live events at the start'),
	folders: records.default(0).describe('Number of folders at the start'),
	videos: records.default(0).describe('Number of videos at the start'),
	json: z
		.boolean()
		.default(false)
		.describe('Print { credential, controlUrl } as one line of JSON, and end when standard input ends'),
	help: z.boolean().default(false).describe('Print this list'),
});

const allFlags = ownFlags.merge(settingsSchema);

export type Flags = z.infer<typeof ownFlags> & { settings: ServiceSettings };

/** Reads `--kebab-case value` flags, one per setting; throws an Error that contains the flag and its valid values. */
export function readFlags(args: string[]): Flags {
	const names = Object.keys(allFlags.shape);
	const options = Object.fromEntries(
		names.map((name) => [flagOf(name), { type: isSwitch(name) ? 'boolean' : 'string' } as const]),
	);
	const { values } = parseArgs({ args, options });
	const given: Record<string, unknown> = {};
	for (const [name, schema] of Object.entries<z.ZodTypeAny>(allFlags.shape)) {
		const value = values[flagOf(name)];
		if (value !== undefined) given[name] = flagValue(name, schema, value);
	}
	const { controlPort, events, folders, videos, json, help, ...settings } = allFlags.parse(given);
	return { controlPort, events, folders, videos, json, help, settings };
}

/** The flags that make readFlags() return these settings. */
export function flagsFor(settings: Partial<ServiceSettings>): string[] {
	return Object.entries(settings).flatMap(([name, value]) => [
		`--${flagOf(name)}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
	]);
}

export function flagHelp(): string {
	const lines = Object.entries<z.ZodTypeAny>(allFlags.shape).map(([name, schema]) => {
		const value = isSwitch(name) ? '' : ` ${valueHelp(schema)}`;
		const standard: unknown = schema.parse(undefined);
		const otherwise = standard === undefined ? '' : ` (default ${JSON.stringify(standard)})`;
		return `  --${flagOf(name)}${value}\n        ${schema.description ?? ''}${otherwise}`;
	});
	return `npm run service -- [flags]\n\n${lines.join('\n')}`;
}

function flagValue(name: string, schema: z.ZodTypeAny, value: string | boolean): unknown {
	const asText = schema.safeParse(value);
	if (asText.success) return asText.data;
	const asJson = schema.safeParse(parsed(value));
	if (asJson.success) return asJson.data;
	throw new Error(`--${flagOf(name)} must be ${valueHelp(schema)}, not ${JSON.stringify(value)}`);
}

function parsed(value: string | boolean): unknown {
	try {
		return JSON.parse(String(value));
	} catch {
		return value;
	}
}

function isSwitch(name: string): boolean {
	return name === 'json' || name === 'help';
}

function valueHelp(schema: z.ZodTypeAny): string {
	if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
		return valueHelp(schema._def.innerType);
	if (schema instanceof z.ZodEnum) return schema.options.join('|');
	if (schema instanceof z.ZodUnion) return schema.options.map(valueHelp).join('|');
	if (schema instanceof z.ZodLiteral) return String(schema.value);
	if (schema instanceof z.ZodBoolean) return 'true|false';
	if (schema instanceof z.ZodNumber) return '<number>';
	if (schema instanceof z.ZodString) return '<text>';
	return '<json>';
}

function flagOf(setting: string): string {
	return setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
