/** Returns a property of parsed JSON, or undefined. Ignores inherited properties, such as `constructor`. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** Returns whether a value of parsed JSON is an object. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
