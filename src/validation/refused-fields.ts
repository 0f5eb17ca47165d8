const refused = new WeakMap<object, Map<string, string>>();

/** Why a body refuses a field that no operation writes. */
export const READ_ONLY = 'is read-only';

/**
 * Says why a body refuses fields that its resource has. The code stays `unknown_field`; subclasses refuse them, too.
 *
 *     @Refuses({ id: READ_ONLY, slug: 'is changed by PATCH /v1/status-pages/{id}/settings' })
 *
 * @param reasons the `detail` of the error, by field
 */
export function Refuses(reasons: Record<string, string>): ClassDecorator {
  return (dto) => void refused.set(dto, new Map(Object.entries(reasons)));
}

/** Why a DTO class refuses a field; undefined: its resource has no such field. */
export function refusalOf(dto: object, field: string): string | undefined {
  for (let one: unknown = dto; typeof one === 'function'; one = Object.getPrototypeOf(one)) {
    const reason = refused.get(one)?.get(field);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
