import * as fc from 'fast-check';
import type { Choices } from './choices.js';
import type { Known } from './known.js';
import { nastyText, objectOf } from './nasty.js';
import type { Schema, ServedDocument } from './served-document.js';

/** The source of values. */
export interface Context {
  choose: Choices;
  document: ServedDocument;
  known: Known;
  /** The project of the request. IDs of other resources are taken from it. */
  project_id: string;
  /** Creates texts that mark a tenant, used instead of other texts. */
  canary: (() => string) | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OFFSETS = [-20 * DAY, -2 * DAY, -3 * HOUR, -HOUR, -MINUTE, -1000, HOUR, 5 * HOUR, DAY, 20 * DAY];

const shortText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);
const patterns = new Map<string, fc.Arbitrary<string>>();
const uuids = fc.uuid();

/** A valid value of a schema: random, an ID of the tenant, or sometimes an example. */
export function valueOf(schema: Schema, context: Context, field = ''): unknown {
  const { choose, document } = context;
  const resolved = document.resolve(schema);
  const one = resolved.oneOf ?? resolved.anyOf;
  if (one) return valueOf(choose.one(one), context, field);
  if (resolved.allOf)
    return Object.assign({}, ...resolved.allOf.map((part) => valueOf(part, context, field)));
  if (resolved.const !== undefined) return resolved.const;
  if (resolved.enum) return choose.one(resolved.enum.filter((value) => value !== null || choose.chance(50)));
  const types = [resolved.type ?? 'object'].flat();
  const type = types.includes('null') && choose.chance(15) ? 'null' : types.find((name) => name !== 'null');
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return choose.chance(70);
    case 'integer':
    case 'number':
      return choose.from(
        fc.integer({ min: resolved.minimum ?? -(2 ** 31), max: resolved.maximum ?? 2 ** 31 - 1 }),
      );
    case 'string':
      return textOf(resolved, context, field);
    case 'array':
      return listOf(resolved, context, field);
    default:
      return objectBy(resolved, context);
  }
}

function objectBy(schema: Schema, context: Context): unknown {
  const { choose } = context;
  const { properties = {}, required = [], example } = schema;
  // A file in the format of another service has no schema.
  if (Object.keys(properties).length === 0 && typeof example === 'object' && example !== null)
    return JSON.parse(context.canary ? JSON.stringify(example) : ownIds(JSON.stringify(example), context));
  const only = onlyOf(Object.keys(properties), context);
  const kind = kindOf(properties, context);
  const entries = Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
    if (!required.includes(name) && !(only.get(name) ?? choose.chance(45))) return [];
    if (kind === undefined) return [[name, valueOf(property, context, name)]];
    const own = kindIn(property);
    if (name === 'type') return [[name, kind]];
    if (name === 'target') return [[name, targetOf(kind, context)]];
    return own === undefined || own === kind ? [[name, valueOf(property, context, name)]] : [];
  });
  return objectOf(inOrder(entries));
}

/** The kind of a check for which a field is, by the first word of its description: "`http`: method of the request". */
const kindIn = ({ description = '' }: Schema): string | undefined => /^`(\w+)`:/.exec(description)?.[1];

/** The kind of a check that a body is for; undefined: it is for another resource. A body without `type` is an update. */
function kindOf(properties: Record<string, Schema>, { choose }: Context): string | undefined {
  if (!('interval_seconds' in properties)) return undefined;
  const types = properties['type']?.enum ?? ['http'];
  return String(choose.chance(60) ? types[0] : choose.one(types));
}

/** A target for a kind of check. */
function targetOf(kind: string, { choose, canary }: Context): string {
  const host = `${canary?.() ?? `h${choose.integer(0, 2 ** 31)}`}.example`.toLowerCase();
  if (kind === 'http') return `https://${host}/`;
  return kind === 'dns' ? host : `${host}:${choose.integer(1, 65_535)}`;
}

/** For fields that identify the same resource, such as `monitor_id` and `monitor_key`: whether a request contains each. */
export function onlyOf(names: readonly string[], { choose }: Context): Map<string, boolean> {
  return new Map(
    names.flatMap((name): [string, boolean][] => {
      const id = name.replace(/_key$/, '_id');
      if (id === name || !names.includes(id)) return [];
      const isById = choose.chance(60);
      return [
        [id, isById],
        [name, !isById],
      ];
    }),
  );
}

/** Replaces the IDs of an example by IDs of the tenant's monitors. */
function ownIds(text: string, { known, choose }: Context): string {
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
    String(known.choose(choose, '/v1/monitors')?.['id'] ?? id),
  );
}

/** Times mostly increase from field to field, like starts and ends. */
function inOrder(entries: [string, unknown][]): [string, unknown][] {
  const isTime = ([, value]: [string, unknown]) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  const times = entries
    .filter(isTime)
    .map(([, value]) => value)
    .toSorted();
  return entries.map((entry) => (isTime(entry) ? [entry[0], times.shift()] : entry));
}

function listOf(
  { items = {}, minItems = 0, maxItems = 10, uniqueItems }: Schema,
  context: Context,
  field: string,
): unknown[] {
  const { choose } = context;
  const length = Math.max(
    minItems,
    choose.chance(3) ? Math.min(maxItems, 60) : choose.integer(0, Math.min(maxItems, 3)),
  );
  const values = Array.from({ length }, () => valueOf(items, context, field));
  if (!uniqueItems) return values;
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  return unique;
}

function textOf(schema: Schema, context: Context, field: string): string {
  const { choose, canary } = context;
  const { format, pattern, example, minLength = 0, maxLength = 200 } = schema;
  const now = Date.now();
  switch (format) {
    case 'uuid':
      return idFor(field, context) ?? choose.from(uuids);
    case 'date-time': {
      const time = new Date(now + choose.one(OFFSETS) + choose.integer(0, 1_000)).toISOString();
      return maxLength > 24 && choose.chance(30) ? time.replace('Z', '+00:00') : time;
    }
    case 'date':
      return new Date(now - choose.integer(0, 30) * DAY).toISOString().slice(0, 10);
    case 'hostname':
      return `${canary?.() ?? `h${choose.integer(0, 2 ** 31)}`}.example`;
  }
  const own = canary?.();
  const key = field.endsWith('_key') ? keyFor(field, context) : undefined;
  if (key !== undefined && own === undefined) return key;
  if (pattern !== undefined) {
    const regex = new RegExp(pattern);
    if (own !== undefined && regex.test(own) && own.length <= maxLength) return own;
    if (typeof example === 'string' && choose.chance(20)) return example;
    let arbitrary = patterns.get(pattern);
    if (!arbitrary) {
      arbitrary = fc.stringMatching(regex, { size: 'small' });
      patterns.set(pattern, arbitrary);
    }
    const text = choose.from(arbitrary);
    return text.length >= minLength && text.length <= maxLength ? text : String(example ?? 'a');
  }
  if (own !== undefined) return own;
  if (typeof example === 'string' && (maxLength > 100_000 || choose.chance(30))) return example;
  const text = choose.chance(10) ? choose.from(nastyText) : choose.from(shortText);
  const padded = choose.chance(2) ? text.padEnd(maxLength, 'x') : text.padEnd(minLength, 'x');
  return [...padded].slice(0, maxLength).join('').slice(0, maxLength);
}

/** Lists of fields that are not named like their list. */
const LISTS: Record<string, string> = { endpoint: 'webhook-endpoints' };

/**
 * An ID for a field such as `monitor_id` or `status_page_ids`, from the list `/v1/monitors` or `/v1/status-pages`, in
 * the project.
 */
function idFor(field: string, { known, choose, project_id }: Context): string | undefined {
  const name = /^(\w+)_ids?$/.exec(field)?.[1];
  if (name === undefined) return undefined;
  if (name === 'project') return project_id;
  const items = known.items(`/v1/${LISTS[name] ?? `${name.replaceAll('_', '-')}s`}`);
  const near = items.filter((item) => item['project_id'] === project_id);
  const from = near.length > 0 ? near : items;
  return from.length > 0 ? String(choose.one(from)['id']) : undefined;
}

/** A key for a field such as `monitor_key`, from the list `/v1/monitors`, in the project. */
function keyFor(field: string, { known, choose, project_id }: Context): string | undefined {
  const items = known.items(`/v1/${field.replace(/_key$/, '').replaceAll('_', '-')}s`);
  const keys = items.filter((item) => item['project_id'] === project_id).map(({ key }) => key);
  const found = keys.filter((key) => typeof key === 'string');
  return found.length > 0 ? choose.one(found) : undefined;
}
