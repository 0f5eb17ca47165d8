/**
 * A value as JSON that PostgreSQL built. It goes out as it is, under `data`. Parsing it, only to write it as JSON again, would
 * take as long again as the rest of a list of 25 (docs/performance.md).
 */
export class RawJson<Value> {
  /** The type of the parsed text; this property never exists. */
  declare readonly value?: Value;

  /** @param updated_at of a single resource, in the form of the wire: its version */
  constructor(
    readonly text: string,
    readonly updated_at?: string,
  ) {}

  /** For `JSON.stringify`: whatever is not the fast way still writes the value. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The body of an answer with `data` as JSON already. */
export function withJsonText({ data, ...rest }: { data: RawJson<unknown> }): string {
  const others = JSON.stringify(rest).slice(1);
  return `{"data":${data.text}${others === '}' ? '' : ','}${others}`;
}

/** Whether an answer has its `data` as JSON already. */
export function hasJsonText(body: unknown): body is { data: RawJson<unknown> } {
  return dataOf(body) instanceof RawJson;
}

/** The `data` of an answer, if it has one. */
export function dataOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}
