import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { registerDecorator, ValidateIf, ValidateNested, type ValidationArguments } from 'class-validator';
import type { FieldErrorCode } from '../problems/catalogue.js';
import { UUID_PATTERN } from './uuid.js';

/** What is wrong with a value: where in it (an empty path: the value itself), which code, and what is allowed. */
export interface Issue {
  path: (string | number)[];
  code: FieldErrorCode;
  detail: string;
}

/** Tells what is wrong with a value; nothing where it is as it should be. `object` is the DTO that holds it. */
export type Check = (value: unknown, object: object) => Issue[];

interface FieldOptions {
  /** May be left out. Even then it may not be null, unless it is `nullable`. */
  optional?: boolean;
  nullable?: boolean;
  description: string;
  example?: unknown;
  default?: unknown;
}

/** What validation knows of a field besides: of what class its items are, and how many there may be. */
export interface FieldInfo {
  check: Check;
  item?: new () => object;
  /** Only of a list. */
  maxItems?: number;
}

const declared = new WeakMap<object, Map<string, FieldInfo>>();

/** The fields of a DTO class, those that it inherits included. */
export function fieldsOf(dto: new () => object): Map<string, FieldInfo> {
  const fields = new Map<string, FieldInfo>();
  for (let prototype: unknown = dto.prototype; prototype; prototype = Object.getPrototypeOf(prototype)) {
    for (const [name, info] of declared.get(prototype) ?? []) fields.set(name, info);
  }
  return fields;
}

/** The key under which class-validator reports a {@link Check}; its message is the issues as JSON. */
export const CHECK = 'check';

/**
 * A field of a DTO, once for all: what validation holds it to, and what the OpenAPI document says of it.
 * class-validator can only report one text a property; the issues travel in it as JSON.
 */
export function Field(
  check: Check,
  { optional = false, ...documented }: FieldOptions,
  schema: ApiPropertyOptions,
  contents: Omit<FieldInfo, 'check'> = {},
): PropertyDecorator {
  const checkPresent: Check = (value, object) => {
    if (value === undefined) return [issue('required', 'is required')];
    return value === null && documented.nullable ? [] : check(value, object);
  };
  const property = { required: !optional, ...documented, ...schema };
  return applyDecorators(
    // Unlike @IsOptional(), this lets no null through.
    ...(optional ? [ValidateIf((_object, value) => value !== undefined)] : []),
    (target: object, propertyName: string | symbol) => {
      const fields = declared.get(target) ?? new Map<string, FieldInfo>();
      declared.set(target, fields.set(String(propertyName), { check, ...contents }));
      registerDecorator({
        name: CHECK,
        target: target.constructor,
        propertyName: String(propertyName),
        validator: {
          validate: (value: unknown, { object }: ValidationArguments) =>
            checkPresent(value, object).length === 0,
          defaultMessage: ({ value, object }: ValidationArguments) =>
            JSON.stringify(checkPresent(value, object)),
        },
      });
    },
    // The types that @nestjs/swagger gives this argument do not cover `type` as a plain string together with bounds.
    ApiProperty(property as ApiPropertyOptions),
  );
}

/** An issue with the value itself. */
export function issue(code: FieldErrorCode, detail: string): Issue {
  return { path: [], code, detail };
}

/** Text of `min` to `max` Unicode code points, kept as sent; not only white space unless it may be empty. */
export function Text({
  min,
  max,
  ...options
}: FieldOptions & { min: number; max: number }): PropertyDecorator {
  return Field((value) => checkText(value, min, max), options, {
    type: 'string',
    minLength: min,
    maxLength: max,
  });
}

// As Unicode has it; String.prototype.trim leaves U+0085 out.
const WHITE_SPACE = /^[\p{White_Space}\ufeff]*$/u;

/** What is wrong with a text of `min` to `max` Unicode code points. */
export function checkText(value: unknown, min: number, max: number): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
  // Before anything looks at each character: a file can have 5,000 texts of megabytes. No code point is longer than two.
  if (value.length > 2 * max) return [issue('too_long', `must have ${min} to ${max} characters`)];
  if (value.includes('\0') || !value.isWellFormed()) {
    return [issue('invalid_format', 'must not contain NUL or lone surrogates')];
  }
  const { length } = [...value]; // code points; value.length would count UTF-16 units
  if (length < min) return [issue('too_short', `must have ${min} to ${max} characters`)];
  if (length > max) return [issue('too_long', `must have ${min} to ${max} characters`)];
  if (min > 0 && WHITE_SPACE.test(value)) return [issue('blank', 'must not be only white space')];
  return [];
}

/** true or false. */
export function Flag(options: FieldOptions): PropertyDecorator {
  return Field(
    (value) => (typeof value === 'boolean' ? [] : [issue('invalid_type', 'must be true or false')]),
    options,
    { type: 'boolean' },
  );
}

/** true or false as a query parameter, in these words. */
export function QueryFlag(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' || value === 'false' ? value === 'true' : value,
    ),
    Field(
      (value) => (typeof value === 'boolean' ? [] : [issue('invalid_format', 'must be true or false')]),
      options,
      { type: 'boolean' },
    ),
  );
}

/** An integer from `min` to `max`. */
export function Integer({
  min,
  max,
  ...options
}: FieldOptions & { min: number; max: number }): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'number') return [issue('invalid_type', 'must be an integer')];
      const valid = Number.isInteger(value) && value >= min && value <= max;
      return valid ? [] : [issue('out_of_range', `must be an integer from ${min} to ${max}`)];
    },
    options,
    { type: 'integer', format: 'int32', minimum: min, maximum: max },
  );
}

/** Text of at most `max` characters that matches a regular expression; `form` says it in words, for the error. */
export function Pattern({
  pattern,
  max,
  form,
  ...options
}: FieldOptions & { pattern: RegExp; max: number; form: string }): PropertyDecorator {
  return Field(
    (value) => {
      if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
      const valid = value.length <= max && pattern.test(value);
      return valid ? [] : [issue('invalid_format', `must be ${form}`)];
    },
    options,
    { type: 'string', pattern: pattern.source, maxLength: max },
  );
}

const UUID_SCHEMA = { type: 'string', format: 'uuid', maxLength: 36 } as const;

/** A UUID (RFC 9562, section 4) in upper or lower case; the DTO holds it in lower case. */
export function Uuid(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => lowerCase(value)),
    Field(checkUuid, options, UUID_SCHEMA),
  );
}

/** A list of `min` (0) to `max` UUIDs without repeats; the DTO holds them in lower case. */
export function UuidList({
  min = 0,
  max,
  ...options
}: FieldOptions & { min?: number; max: number }): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(lowerCase) : value)),
    Field((value) => checkUuidList(value, min, max), options, {
      type: 'array',
      items: UUID_SCHEMA,
      ...(min > 0 && { minItems: min }),
      maxItems: max,
      uniqueItems: true,
    }),
  );
}

/** A list of one to all of some words, without repeats. */
export function ChoiceList({ of, ...options }: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  return Field((value) => checkChoices(value, of), options, {
    type: 'array',
    items: { type: 'string', enum: [...of] },
    minItems: 1,
    maxItems: of.length,
    uniqueItems: true,
  });
}

function checkChoices(value: unknown, of: readonly string[]): Issue[] {
  if (!Array.isArray(value)) return [issue('invalid_type', 'must be an array of strings')];
  if (value.length === 0) return [issue('too_short', 'must have at least 1 item')];
  if (value.length > of.length) return [issue('too_long', `must have at most ${of.length} items`)];
  return value.flatMap((item: unknown, index) => {
    const at = (found: Issue) => [{ ...found, path: [index] }];
    if (typeof item !== 'string') return at(issue('invalid_type', 'must be a string'));
    if (!of.includes(item)) return at(issue('invalid_format', `must be one of ${of.join(', ')}`));
    return value.indexOf(item) < index ? at(issue('duplicate', 'must not be repeated')) : [];
  });
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function checkUuid(value: unknown): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
  return UUID_PATTERN.test(value) ? [] : [issue('invalid_format', 'must be a UUID')];
}

function checkUuidList(value: unknown, min: number, max: number): Issue[] {
  if (!Array.isArray(value)) return [issue('invalid_type', 'must be an array of UUIDs')];
  if (value.length < min) return [issue('too_short', `must have at least ${min} item`)];
  if (value.length > max) return [issue('too_long', `must have at most ${max} items`)];
  const seen = new Set<unknown>();
  return value.flatMap((item: unknown, index) => {
    const found = checkUuid(item);
    if (found.length === 0 && seen.has(item)) found.push(issue('duplicate', 'must not be repeated'));
    seen.add(item);
    return found.map((one) => ({ ...one, path: [index] }));
  });
}

/**
 * A list of at most `max` objects, each a DTO of its own.
 * @param together what is to be checked across the items; it sees only items of the right class
 */
export function ListOf<T extends object>(
  item: new () => T,
  {
    max,
    together,
    ...options
  }: FieldOptions & { max: number; together?: (items: Map<number, T>) => Issue[] },
): PropertyDecorator {
  const check: Check = (value) => {
    if (!Array.isArray(value)) return [issue('invalid_type', 'must be an array of objects')];
    if (value.length > max) return [issue('too_long', `must have at most ${max} items`)];
    const items = new Map<number, T>();
    const issues: Issue[] = [];
    value.forEach((one: unknown, index) => {
      if (one instanceof item) items.set(index, one);
      else issues.push({ path: [index], code: 'invalid_type', detail: 'must be an object' });
    });
    return together ? issues.concat(together(items)) : issues;
  };
  return applyDecorators(
    Type(() => item),
    ValidateNested({ each: true }),
    Field(check, options, { type: () => item, isArray: true, maxItems: max }, { item, maxItems: max }),
  );
}

/** One object, a DTO of its own. */
export function ObjectOf<T extends object>(item: new () => T, options: FieldOptions): PropertyDecorator {
  const checkObject: Check = (value) =>
    value instanceof item ? [] : [issue('invalid_type', 'must be an object')];
  return applyDecorators(
    Type(() => item),
    ValidateNested(),
    Field(checkObject, options, { type: () => item }, { item }),
  );
}
