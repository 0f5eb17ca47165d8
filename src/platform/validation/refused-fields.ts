const details = new WeakMap<object, Map<string, string>>();

/** Error detail for a field that no operation writes. */
export const READ_ONLY = 'is read-only';

/**
 * Sets the error detail for fields of the resource that the body does not accept. The code is still `unknown_field`.
 * Subclasses inherit it.
 *
 *     @Refuses({ id: READ_ONLY, slug: 'can only be changed with PATCH /v1/status-pages/{id}/settings' })
 *
 * @param reasons the details by field
 */
export function Refuses(reasons: Record<string, string>): ClassDecorator {
  return (dto) => void details.set(dto, new Map(Object.entries(reasons)));
}

/** Returns the error detail that `@Refuses` sets for a field that a DTO class does not accept. */
export function rejectionDetail(dto: object, field: string): string | undefined {
  for (let type: unknown = dto; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    const detail = details.get(type)?.get(field);
    if (detail !== undefined) return detail;
  }
  return undefined;
}
