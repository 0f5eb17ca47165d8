import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Request } from 'express';
import { type FieldError, MAX_FIELD_ERRORS, pointerTo } from '../problems/problem.js';
import { inputErrorsOf } from './constraints.js';
import { fieldsOf } from './dto-fields.js';
import type { FieldInfo, InputError } from './field.js';
import { isObject } from './json.js';
import { rejectionDetail } from './refused-fields.js';
import { cacheValidators } from './validator-cache.js';

cacheValidators();

/**
 * Source of an input. Errors identify fields of a `body` or `file` by `pointer`, and others by `parameter`. A `file` has the
 * format of other software, so unknown fields are not errors.
 */
type Source = 'body' | 'query' | 'path' | 'file';

/**
 * Converts an input to a DTO and validates it. Returns at most `MAX_FIELD_ERRORS + 1` errors, because more are not reported,
 * and finding all of them would be slow.
 *
 *     const { instance, errors } = validate(CreateMonitorDto, body, 'body');
 *
 * @param input is modified: values with a wrong shape are removed
 */
export function validate<T extends object>(
  dto: new () => T,
  input: object,
  source: Source,
): { instance: T; errors: FieldError[] } {
  const repeated = source === 'query' ? removeRepeated(input) : [];
  const shapeErrors: InputError[] = [];
  removeInvalidShape(dto, input, source !== 'file', [], shapeErrors);
  if (shapeErrors.length > MAX_FIELD_ERRORS) {
    return { instance: new dto(), errors: toFieldErrors(source, [...repeated, ...shapeErrors]) };
  }
  const instance = toInstance(dto, input, shapeErrors);
  // class-validator rejects instances of a class without validators.
  const validationErrors = fieldsOf(dto).size > 0 ? validateSync(instance) : [];
  if (repeated.length + shapeErrors.length + validationErrors.length === 0) return { instance, errors: [] };
  const removed = new Set(shapeErrors.flatMap(pathsOf));
  // A removed field already has an error, so do not report it as missing.
  const errors = validationErrors
    .flatMap((error) => inputErrorsOf(error))
    .filter((one) => !removed.has(toPathKey(one)));
  return { instance, errors: toFieldErrors(source, [...repeated, ...shapeErrors, ...errors]) };
}

/** Converts an input. Removes and reports fields whose `@Transform` throws, because it does not expect the value. */
function toInstance<T extends object>(dto: new () => T, input: object, errors: InputError[]): T {
  try {
    return plainToInstance(dto, input);
  } catch {
    for (const [name, value] of Object.entries(input)) {
      if (canConvert(dto, { [name]: value })) continue;
      errors.push({
        path: [name],
        code: 'invalid_format',
        detail: 'must have the documented type and format',
      });
      Reflect.deleteProperty(input, name);
    }
    return plainToInstance(dto, input);
  }
}

function canConvert(dto: new () => object, input: object): boolean {
  try {
    plainToInstance(dto, input);
    return true;
  } catch {
    return false;
  }
}

/**
 * Validates the query of a request: the parameters of a DTO, and parameters with `@Query('name')`. Other parameters are errors.
 * @param named the names of `@Query('name')`
 * @returns `instance`: the new `request.query`, or undefined if it is unchanged
 */
export function validateQuery(
  dto: (new () => object) | undefined,
  query: Request['query'],
  named: readonly string[],
): { instance: object | undefined; errors: FieldError[] } {
  const others = { ...query };
  const apart = dto ? named.filter((name) => !fieldsOf(dto).has(name)) : named;
  const values: Request['query'] = {};
  for (const name of apart) {
    values[name] = others[name];
    delete others[name];
  }
  const errors = toFieldErrors('query', removeRepeated(values));
  if (!dto) {
    errors.push(...Object.keys(others).map(unknownParameter));
    return { instance: undefined, errors };
  }
  const { instance, errors: found } = validate(dto, others, 'query');
  // `@Query('name')` reads them from there. Not enumerable, because they are not fields of the DTO.
  for (const [name, value] of Object.entries(values)) Object.defineProperty(instance, name, { value });
  return { instance, errors: [...errors, ...found] };
}

function toFieldErrors(source: Source, errors: InputError[]): FieldError[] {
  return deduplicate(errors)
    .slice(0, MAX_FIELD_ERRORS + 1)
    .map(toFieldError(source));
}

function toFieldError(source: Source) {
  return ({ path, code, detail }: InputError): FieldError => {
    if (source === 'body' || source === 'file') return { code, detail, pointer: pointerTo(path) };
    const parameter = path.join('.');
    if (code === 'unknown_field') return unknownParameter(parameter);
    return { code, detail, parameter };
  };
}

/** Returns the error for an unknown query parameter. */
export function unknownParameter(name: string): FieldError {
  return {
    code: 'unknown_parameter',
    detail: 'is not a parameter of this operation',
    parameter: name.toWellFormed(),
  };
}

function removeRepeated(query: object): InputError[] {
  const errors: InputError[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (!Array.isArray(value)) continue;
    errors.push({ path: [name], code: 'repeated_parameter', detail: 'must be sent only once' });
    Reflect.deleteProperty(query, name);
  }
  return errors;
}

/**
 * Removes and reports values that class-transformer and class-validator cannot handle safely:
 * - unknown fields: they ignore names such as `constructor`, and take 1.4 s for 32,500 fields;
 * - lists that are too long: they take 2 s for 87,000 items;
 * - unexpected objects: deep nesting overflows the stack.
 *
 * Stops when there are more than `MAX_FIELD_ERRORS` errors.
 */
function removeInvalidShape(
  dto: new () => object,
  input: object,
  strict: boolean,
  path: InputError['path'],
  errors: InputError[],
): void {
  const fields = fieldsOf(dto);
  for (const [key, value] of Object.entries(input)) {
    if (errors.length > MAX_FIELD_ERRORS) return;
    const at = [...path, key];
    const field = fields.get(key);
    if (!field) {
      const unknown: InputError = {
        path: at,
        code: 'unknown_field',
        detail: rejectionDetail(dto, key) ?? 'is not a field of this operation',
      };
      if (strict) errors.push(unknown);
      Reflect.deleteProperty(input, key);
    } else if (field.item && hasAllowedShape(field, value)) {
      removeFromItems(field.item, field, value, strict, at, errors);
    } else if (typeof value === 'object' && value !== null) {
      const fieldErrors = field.check(value, input);
      if (fieldErrors.length > 0) Reflect.deleteProperty(input, key);
      errors.push(...fieldErrors.map((one) => ({ ...one, path: [...at, ...one.path] })));
    }
  }
}

/**
 * Returns whether a value is an object if the field requires an object, or a list with at most `maxItems` items if it requires
 * a list.
 */
function hasAllowedShape({ maxItems }: FieldInfo, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? maxItems !== undefined && value.length <= maxItems : maxItems === undefined;
}

function removeFromItems(
  item: new () => object,
  { checksItems = true }: FieldInfo,
  value: object,
  strict: boolean,
  path: InputError['path'],
  errors: InputError[],
): void {
  if (!Array.isArray(value)) return removeInvalidShape(item, value, strict, path, errors);
  for (const [index, one] of value.entries()) {
    if (isObject(one)) {
      removeInvalidShape(item, one, strict, [...path, index], errors);
      continue;
    }
    value[index] = null; // not an object, which the check of the list reports
    if (!checksItems)
      errors.push({ path: [...path, index], code: 'invalid_type', detail: 'must be an object' });
  }
}

/** Keeps the first error of each path, and removes errors inside a value that has an error itself. */
function deduplicate(errors: InputError[]): InputError[] {
  const first = new Map(errors.toReversed().map((one) => [toPathKey(one), one]));
  return errors.filter((one) => {
    const isNested = pathsOf(one)
      .slice(0, -1)
      .some((key) => first.has(key));
    return !isNested && first.get(toPathKey(one)) === one;
  });
}

/** Returns the path keys of an error and of its parents, outermost first. */
function pathsOf({ path }: InputError): string[] {
  return path.map((_, depth) => toPathKey({ path: path.slice(0, depth + 1) }));
}

function toPathKey({ path }: Pick<InputError, 'path'>): string {
  return JSON.stringify(path.map(String));
}
