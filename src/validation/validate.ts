import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Request } from 'express';
import { type FieldError, MAX_FIELD_ERRORS, pointerTo } from '../problems/problem.js';
import { issuesOf } from './constraints.js';
import { fieldsOf } from './dto-fields.js';
import type { FieldInfo, Issue } from './field.js';
import { refusalOf } from './refused-fields.js';

/**
 * Where an input came from, which decides how its fields are named in errors. A `file` is somebody else's format:
 * unlike in the others, fields that we do not know are left alone.
 */
type Source = 'body' | 'query' | 'path' | 'file';

/**
 * Makes a DTO of an input, and tells every fault of it. Of more than `MOST_FIELD_ERRORS` it may leave out all but one
 * more, because finding them costs more than all the rest of a request.
 * @param input is ours alone, freshly parsed: what is at fault by its shape is taken out of it
 */
export function validate<T extends object>(
  dto: new () => T,
  input: object,
  source: Source,
): { instance: T; errors: FieldError[] } {
  const repeated = source === 'query' ? removeRepeated(input) : [];
  const misshapen: Issue[] = [];
  removeInvalidShape(dto, input, source !== 'file', [], misshapen);
  if (misshapen.length > MAX_FIELD_ERRORS) {
    return { instance: new dto(), errors: toFieldErrors(source, [...repeated, ...misshapen]) };
  }
  const instance = plainToInstance(dto, input);
  // A class without fields would be "an unknown value" to class-validator.
  const invalid = fieldsOf(dto).size > 0 ? validateSync(instance) : [];
  if (repeated.length + misshapen.length + invalid.length === 0) return { instance, errors: [] };
  const takenOut = new Set(misshapen.flatMap(placesOf));
  // A required field that was taken out is not missing: what is wrong with it has been told.
  const found = invalid.flatMap((error) => issuesOf(error)).filter((one) => !takenOut.has(keyOf(one)));
  return { instance, errors: toFieldErrors(source, [...repeated, ...misshapen, ...found]) };
}

/**
 * Reads the query of a request: the parameters of a DTO, and those that a handler takes by name. Others are unknown.
 * @param dto undefined: there are only the named ones
 * @returns what the handler gets as the query; undefined: the query as it is
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
  // `@Query('name')` reads them there; not enumerable, because they are no fields of the DTO.
  for (const [name, value] of Object.entries(values)) Object.defineProperty(instance, name, { value });
  return { instance, errors: [...errors, ...found] };
}

function toFieldErrors(source: Source, issues: Issue[]): FieldError[] {
  return outermost(issues)
    .slice(0, MAX_FIELD_ERRORS + 1)
    .map(toFieldError(source));
}

function toFieldError(source: Source) {
  return ({ path, code, detail }: Issue): FieldError => {
    if (source === 'body' || source === 'file') return { code, detail, pointer: pointerTo(path) };
    const parameter = path.join('.');
    if (code === 'unknown_field') return unknownParameter(parameter);
    return { code, detail, parameter };
  };
}

/** The error for a query parameter that the operation does not have. */
export function unknownParameter(name: string): FieldError {
  return {
    code: 'unknown_parameter',
    detail: 'is not a parameter of this operation',
    parameter: name.toWellFormed(),
  };
}

function removeRepeated(query: object): Issue[] {
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (!Array.isArray(value)) continue;
    issues.push({ path: [name], code: 'repeated_parameter', detail: 'must be sent only once' });
    Reflect.deleteProperty(query, name);
  }
  return issues;
}

/**
 * Takes out, and reports, what class-transformer and class-validator must not meet: fields that the DTO does not have
 * (they skip names such as `constructor` in silence, and take 1.4 s for 32,500 others), lists that are too long
 * (they would look at each of 87,000 items first: 2 s), and objects where there is to be none (nested deep enough, they
 * overflow the stack). What is left is no larger than the contract allows. It stops above `MOST_FIELD_ERRORS`.
 */
function removeInvalidShape(
  dto: new () => object,
  input: object,
  strict: boolean,
  path: Issue['path'],
  issues: Issue[],
): void {
  const fields = fieldsOf(dto);
  for (const [key, value] of Object.entries(input)) {
    if (issues.length > MAX_FIELD_ERRORS) return;
    const at = [...path, key];
    const field = fields.get(key);
    if (!field) {
      const unknown: Issue = {
        path: at,
        code: 'unknown_field',
        detail: refusalOf(dto, key) ?? 'is not a field of this operation',
      };
      if (strict) issues.push(unknown);
      Reflect.deleteProperty(input, key);
    } else if (field.item && hasShapeOf(field, value)) {
      inItems(field.item, field, value, strict, at, issues);
    } else if (typeof value === 'object' && value !== null) {
      const found = field.check(value, input);
      if (found.length > 0) Reflect.deleteProperty(input, key);
      issues.push(...found.map((one) => ({ ...one, path: [...at, ...one.path] })));
    }
  }
}

/** Whether a value is a list that is not too long, or an object, as the field wants it. */
function hasShapeOf({ maxItems }: FieldInfo, value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? maxItems !== undefined && value.length <= maxItems : maxItems === undefined;
}

function inItems(
  item: new () => object,
  { checksItems = true }: FieldInfo,
  value: object,
  strict: boolean,
  path: Issue['path'],
  issues: Issue[],
): void {
  if (!Array.isArray(value)) return removeInvalidShape(item, value, strict, path, issues);
  for (const [index, one] of value.entries()) {
    const isObject = typeof one === 'object' && one !== null && !Array.isArray(one);
    if (isObject) removeInvalidShape(item, one, strict, [...path, index], issues);
    else value[index] = null; // whatever it was, it is no object, which the check of the list reports
    if (!isObject && !checksItems)
      issues.push({ path: [...path, index], code: 'invalid_type', detail: 'must be an object' });
  }
}

/** One issue a place, and none inside of a place that is itself at fault. */
function outermost(issues: Issue[]): Issue[] {
  const first = new Map(issues.toReversed().map((one) => [keyOf(one), one]));
  return issues.filter((one) => {
    const inside = placesOf(one)
      .slice(0, -1)
      .some((place) => first.has(place));
    return !inside && first.get(keyOf(one)) === one;
  });
}

/** The place of an issue, and those that it is in. */
function placesOf({ path }: Issue): string[] {
  return path.map((_, depth) => keyOf({ path: path.slice(0, depth + 1) }));
}

function keyOf({ path }: Pick<Issue, 'path'>): string {
  return JSON.stringify(path.map(String));
}
