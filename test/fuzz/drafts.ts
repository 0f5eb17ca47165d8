import { objectOf } from './nasty.js';
import type { Operation } from './served-document.js';
import { type Context, onlyOf, valueOf } from './values.js';

/** A request before it is sent, in parts that can be changed individually. */
export interface Draft {
  operation: Operation;
  method: string;
  /** The path, percent-encoded. */
  segments: string[];
  /** The query, percent-encoded. */
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  /** The content of the body as JSON; undefined: no body, or a body of another type. */
  json: unknown;
  /** The body. It takes precedence over `json`. */
  body: string | Uint8Array | undefined;
}

/** The keys of a tenant. */
export interface Keys {
  /** A key with every scope. */
  main: string;
  /** Keys that each have only a few scopes. */
  narrow: { key: string; scopes: readonly string[] }[];
  /** Keys that are rejected, or that can access almost nothing. */
  dead: string[];
}

/** A request that should succeed, on existing resources. */
export function validDraft(
  operation: Operation,
  path: readonly string[],
  context: Context,
  key: string,
): Draft {
  const { choose, known } = context;
  const here = path.join('/');
  const only = onlyOf(
    operation.parameters.map(({ name }) => name),
    context,
  );
  const query = operation.parameters
    .filter(
      ({ in: place, name, required }) =>
        place === 'query' && (required === true || (only.get(name) ?? choose.chance(40))),
    )
    .flatMap(({ name, schema }): [string, string][] => {
      if (name !== 'cursor') return [[name, String(valueOf(schema, context, name))]];
      const cursors = known.cursors(here);
      return cursors.length > 0 ? [['cursor', choose.one(cursors)]] : [];
    });
  const headers = operation.parameters
    .filter(({ in: place, required }) => place === 'header' && (required === true || choose.chance(35)))
    .map(({ name, schema }): [string, string] => [
      name,
      headerOf(name, here, () => String(valueOf(schema, context, name)), context),
    ]);
  const draft: Draft = {
    operation,
    method: operation.method,
    segments: [...path],
    query: query.map(([name, value]) => [name, encodeURIComponent(value.toWellFormed())]),
    headers: [
      ...(operation.scopes ? [['Authorization', `Bearer ${key}`] satisfies [string, string]] : []),
      ...headers,
    ],
    json: undefined,
    body: undefined,
  };
  if (!operation.body) return draft;
  const { types, schema } = operation.body;
  draft.headers.push(['Content-Type', choose.one(types)]);
  const value = valueOf(schema, context);
  if (typeof value === 'string') draft.body = value;
  else draft.json = value;
  return draft;
}

function headerOf(name: string, path: string, random: () => string, { choose, known }: Context): string {
  if (/^if-(none-)?match$/i.test(name))
    return choose.chance(15) ? '*' : (known.etag(path) ?? known.etag(path.replace(/\/[^/]+$/, '')) ?? '*');
  if (/^idempotency-key$/i.test(name))
    return choose.chance(60) ? `fuzz-${choose.integer(0, 2 ** 31)}` : `fuzz-${choose.integer(0, 9)}`;
  return random().replaceAll(/[^\x20-\x7e]/g, '_');
}

export function setHeader(draft: Draft, name: string, value: string): void {
  dropHeader(draft, name);
  draft.headers.push([name, value]);
}

export function dropHeader(draft: Draft, name: string): void {
  draft.headers = draft.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
}

/** The body as it is sent. */
export function bodyOf({ body, json }: Draft): string | Uint8Array | undefined {
  return body ?? (json === undefined ? undefined : JSON.stringify(json));
}

export function pathOf({ segments, query }: Draft): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  return segments.join('/') + (search && `?${search}`);
}

/** The same JSON with another value at one of its places. */
export function replacedAt(json: unknown, place: number, value: unknown): unknown {
  let at = 0;
  const visit = (node: unknown): unknown => {
    if (at++ === place) return value;
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return objectOf(Object.entries(node).map(([key, child]): [string, unknown] => [key, visit(child)]));
  };
  return visit(json);
}

/** The number of places in a JSON. */
export function placesIn(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 1;
  return 1 + Object.values(json).reduce<number>((sum, child) => sum + placesIn(child), 0);
}
