import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, IS_DEFINED, ValidationTypes } from 'class-validator';
import { type Check, FIELD_INFO, type FieldInfo, inputError } from './field.js';
import { isObject } from './json.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Maximum number of items of a list or an object if the DTO sets no limit. */
const MAX_ITEMS = 1_000;
const MAX_VALUES = 10_000;
const MAX_DEPTH = 32;

/** Classes to which `@Type()` converts a value without reading its contents. */
const CONVERTED: ReadonlySet<unknown> = new Set([Number, String, Boolean, Date]);

/** Metadata key of the properties with `@ApiProperty()`. @nestjs/swagger has no public API for it. */
const DOCUMENTED = 'swagger/apiModelPropertiesArray';

const cache = new WeakMap<object, ReadonlyMap<string, FieldInfo>>();

/**
 * Returns the fields of a DTO class: all properties with a decorator of class-validator (including the project's own) on the
 * class, on a base class, or on the source class of a mapped type (`PartialType`, `PickType`, …).
 * @throws Error for an asynchronous validator, and for a field or a nested object that would not be validated
 */
export function fieldsOf(dto: new () => object): ReadonlyMap<string, FieldInfo> {
  const cached = cache.get(dto);
  if (cached) return cached;
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(dto, '', false, false);
  const documented: string[] = Reflect.getMetadata(DOCUMENTED, dto.prototype) ?? [];
  const named = new Set(metadata.map(({ propertyName }) => `:${propertyName}`));
  for (const property of documented) if (!named.has(property)) throw unvalidated(dto, property.slice(1));
  const fields = new Map(
    Object.entries(storage.groupByPropertyName(metadata)).map(([name, rules]) => [
      name,
      infoOf(dto, name, rules),
    ]),
  );
  cache.set(dto, fields);
  return fields;
}

function unvalidated(dto: new () => object, name: string): Error {
  return new Error(
    `${dto.name}.${name}: add a validator, because the field is not validated without one; @Allow() accepts any value`,
  );
}

/**
 * Returns whether a rule validates the value. The rules that `PartialType` adds to each field only decide when to validate it.
 */
function isAboutValue({ type, name }: Metadata): boolean {
  return type !== ValidationTypes.CONDITIONAL_VALIDATION && name !== IS_DEFINED;
}

function infoOf(dto: new () => object, name: string, rules: Metadata[]): FieldInfo {
  if (!rules.some(isAboutValue)) throw unvalidated(dto, name);
  if (rules.some(isAsync))
    throw new Error(
      `${dto.name}.${name}: asynchronous validators are not supported; check it in the service`,
    );
  const own: FieldInfo | undefined = rules.map(({ context }) => context?.[FIELD_INFO]).find(Boolean);
  if (!own) return classValidatorInfo(dto, name, rules);
  if (!own.nullable) rejectNull(rules);
  return own;
}

function isAsync({ constraintCls }: Metadata): boolean {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .some((constraint) => constraint.async);
}

/**
 * Makes `@IsOptional()`, which `PartialType` adds, reject null. The project's field decorators have an option `nullable`
 * instead.
 */
function rejectNull(rules: Metadata[]): void {
  for (const rule of rules) {
    if (rule.name === 'isOptional')
      rule.constraints = [(_object: object, value: unknown) => value !== undefined];
  }
}

/** Returns the info of a field that has only decorators of class-validator. */
function classValidatorInfo(dto: new () => object, name: string, rules: Metadata[]): FieldInfo {
  const nested = rules.find(({ type }) => type === 'nestedValidation');
  const type = typeOf(dto, name, nested !== undefined);
  const isConverted = CONVERTED.has(type);
  const item = nested && !isConverted ? type : undefined;
  const isList =
    rules.some(({ each, name: rule }) => each || /^(isArray|array[A-Z])/.test(rule ?? '')) ||
    Reflect.getMetadata('design:type', dto.prototype, name) === Array;
  const maxItems = rules.find((rule) => rule.name === 'arrayMaxSize')?.constraints[0];
  const limit = typeof maxItems === 'number' ? maxItems : MAX_ITEMS;
  const check: Check = (value) => {
    if (Array.isArray(value) && value.length > limit && isList)
      return [inputError('too_long', `must have at most ${limit} items`)];
    if (item)
      return [inputError('invalid_type', isList ? 'must be an array of objects' : 'must be an object')];
    const found = valuesIn(value);
    if (!found)
      return [
        inputError('too_long', `must have at most ${MAX_VALUES} values, nested at most ${MAX_DEPTH} deep`),
      ];
    const objects = found.filter(isObject);
    // The conversion may call `toString` or `valueOf`, which the object may contain as a field.
    if (isConverted && objects.length > 0) return [inputError('invalid_type', 'must not be an object')];
    // class-transformer would call it.
    if (objects.some((one) => Object.hasOwn(one, 'constructor')))
      return [inputError('invalid_format', 'must not have the key constructor')];
    return [];
  };
  return {
    nullable: true,
    check,
    ...(item && { item, checksItems: false }),
    ...(isList && { maxItems: limit }),
  };
}

/** Returns the class in `@Type()`, unless it is `Object`. */
function typeOf(dto: new () => object, name: string, isNested: boolean): (new () => object) | undefined {
  const type = defaultMetadataStorage.findTypeMetadata(dto, name);
  // `@Type()` without a function uses the type of the property in TypeScript.
  const found: unknown =
    type?.typeFunction?.({ newObject: {}, object: {}, property: name }) ?? type?.reflectedType;
  if (type?.options?.discriminator)
    throw new Error(`${dto.name}.${name}: discriminators of @Type() are not supported`);
  if (!isClass(found) || found === Object) return undefined;
  if (!isNested && !CONVERTED.has(found))
    throw new Error(
      `${dto.name}.${name}: add @ValidateNested(), because the fields of ${found.name} are not validated without it`,
    );
  return found;
}

function isClass(value: unknown): value is new () => object {
  return typeof value === 'function';
}

/** Returns a value and all nested values, or undefined if class-transformer cannot process it in bounded time and stack. */
function valuesIn(value: unknown): unknown[] | undefined {
  const values: unknown[] = [];
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH || values.length + level.length > MAX_VALUES) return undefined;
    values.push(...level);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return values;
}
