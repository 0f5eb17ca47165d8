import { LargeText, partsOf } from '@status-pages/resilient-pg';

/**
 * JSON text that PostgreSQL built, which the response contains unchanged as `data`. Parsing and serializing it again would
 * double the CPU time of a list of 25 rows (docs/performance.md).
 *
 *     return { data: new RawJson<MonitorDto>(row.text, row.updated_at) };
 */
export class RawJson<Value> {
  /** Declares the type of the parsed text. The property does not exist at runtime. */
  declare readonly value?: Value;

  /** @param updated_at the version of a single resource, in ISO format */
  constructor(
    readonly text: string | LargeText,
    readonly updated_at?: string,
  ) {}

  /** Parses the text. Called by `JSON.stringify` if an interceptor wraps or changes the response. */
  toJSON(): unknown {
    return JSON.parse(String(this.text));
  }
}

/** A row with one resource as JSON, and its version. */
export interface OutputRow {
  text: string | LargeText;
  version: string | null;
}

/** Returns the resource of a statement that returns at most one row. */
export function toRawJson<Dto>([row]: OutputRow[]): RawJson<Dto> | undefined {
  return row && new RawJson(row.text, row.version ?? undefined);
}

/** Serializes a body with `RawJson` as `data`. */
export function withJsonText({ data, ...rest }: { data: RawJson<unknown> }): string {
  return `${START}${data.text}${endOf(rest)}`;
}

/** Serializes a body with large `RawJson` as `data`. */
export function withLargeText(text: LargeText, body: { data: unknown }): Buffer[] {
  return [Buffer.from(START), ...text.parts, Buffer.from(endOf({ ...body, data: undefined }))];
}

const START = '{"data":';

function endOf(rest: object): string {
  const others = JSON.stringify(rest).slice(1);
  return `${others === '}' ? '' : ','}${others}`;
}

/** Returns one array with the items of two non-empty ones. */
export function concatenate(first: string | LargeText, rest: string | LargeText): string | LargeText {
  if (typeof first === 'string' && typeof rest === 'string') return `${first.slice(0, -1)},${rest.slice(1)}`;
  const [start = Buffer.alloc(0), ...others] = partsOf(rest);
  const parts = [...partsOf(first)];
  const end = parts.pop() ?? Buffer.alloc(0);
  return new LargeText([...parts, end.subarray(0, -1), Buffer.from(','), start.subarray(1), ...others]);
}

/** Returns whether the `data` of a body is `RawJson`. */
export function hasJsonText(body: unknown): body is { data: RawJson<unknown> } {
  return dataOf(body) instanceof RawJson;
}

/** Returns the `data` of a body, if any. */
export function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}

/** Returns the `data` of a body as parsed JSON; null: none. */
export function plainDataOf(body: unknown): unknown {
  return JSON.parse(JSON.stringify(dataOf(body) ?? null));
}
