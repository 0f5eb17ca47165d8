import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { type Check, Field, type FieldOptions, inputError, type InputError } from './field.js';
import { lowerCase, UUID_PATTERN, UUID_SCHEMA } from './uuid.js';

/** A list of `min` (default 0) to `max` different UUIDs. The DTO contains them in lower case. */
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

/** A list of `min` (default 1) or more different words from a set: `@ChoiceList({ of: SCOPES, description: 'Scopes.' })`. */
export function ChoiceList({
  of,
  min = 1,
  ...options
}: FieldOptions & { of: readonly string[]; min?: 0 | 1 }): PropertyDecorator {
  return Field((value) => checkChoices(value, of, min), options, {
    type: 'array',
    items: { type: 'string', enum: [...of] },
    ...(min > 0 && { minItems: min }),
    maxItems: of.length,
    uniqueItems: true,
  });
}

function checkChoices(value: unknown, of: readonly string[], min: number): InputError[] {
  if (!Array.isArray(value)) return [inputError('invalid_type', 'must be an array of strings')];
  if (value.length < min) return [inputError('too_short', 'must have at least 1 item')];
  if (value.length > of.length) return [inputError('too_long', `must have at most ${of.length} items`)];
  return value.flatMap((item: unknown, index) => {
    const at = (one: InputError) => [{ ...one, path: [index] }];
    if (typeof item !== 'string') return at(inputError('invalid_type', 'must be a string'));
    if (!of.includes(item)) return at(inputError('invalid_format', `must be one of ${of.join(', ')}`));
    return value.indexOf(item) < index ? at(inputError('duplicate', 'must not be repeated')) : [];
  });
}

function checkUuid(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  return UUID_PATTERN.test(value) ? [] : [inputError('invalid_format', 'must be a UUID')];
}

function checkUuidList(value: unknown, min: number, max: number): InputError[] {
  if (!Array.isArray(value)) return [inputError('invalid_type', 'must be an array of UUIDs')];
  if (value.length < min) return [inputError('too_short', `must have at least ${min} item`)];
  if (value.length > max) return [inputError('too_long', `must have at most ${max} items`)];
  const seen = new Set<unknown>();
  return value.flatMap((item: unknown, index) => {
    const errors = checkUuid(item);
    if (errors.length === 0 && seen.has(item)) errors.push(inputError('duplicate', 'must not be repeated'));
    seen.add(item);
    return errors.map((one) => ({ ...one, path: [index] }));
  });
}

/**
 * A list of at most `max` nested DTOs: `@ListOf(SectionDto, { max: 200, description: 'Sections.' })`.
 * @param crossCheck a check across the items, without items that are not objects
 */
export function ListOf<T extends object>(
  item: new () => T,
  {
    max,
    crossCheck,
    ...options
  }: FieldOptions & { max: number; crossCheck?: (items: Map<number, T>) => InputError[] },
): PropertyDecorator {
  const check: Check = (value) => {
    if (!Array.isArray(value)) return [inputError('invalid_type', 'must be an array of objects')];
    if (value.length > max) return [inputError('too_long', `must have at most ${max} items`)];
    const items = new Map<number, T>();
    const errors: InputError[] = [];
    value.forEach((one: unknown, index) => {
      if (one instanceof item) items.set(index, one);
      else errors.push({ path: [index], code: 'invalid_type', detail: 'must be an object' });
    });
    return crossCheck ? errors.concat(crossCheck(items)) : errors;
  };
  const type = () => item; // @nestjs/swagger calls only functions with this name
  return applyDecorators(
    Type(type),
    ValidateNested({ each: true }),
    Field(check, options, { type, isArray: true, maxItems: max }, { item, maxItems: max }),
  );
}

/** A nested DTO. */
export function ObjectOf<T extends object>(item: new () => T, options: FieldOptions): PropertyDecorator {
  const checkObject: Check = (value) =>
    value instanceof item ? [] : [inputError('invalid_type', 'must be an object')];
  const type = () => item; // @nestjs/swagger calls only functions with this name
  return applyDecorators(Type(type), ValidateNested(), Field(checkObject, options, { type }, { item }));
}
