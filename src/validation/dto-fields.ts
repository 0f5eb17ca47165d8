import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { type Check, FIELD_INFO, type FieldInfo, issue } from './field.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Limits for a list or an object whose DTO sets none. */
const MAX_ITEMS = 1_000;
const MAX_VALUES = 10_000;
const MAX_DEPTH = 32;

const cache = new WeakMap<object, ReadonlyMap<string, FieldInfo>>();

/**
 * The fields of a DTO class: all properties with a decorator of class-validator, including inherited ones and those of
 * mapped types (`PartialType`, `PickType`, …).
 *
 *     fieldsOf(CreateMonitorDto).get('name')?.nullable
 *
 * @throws Error for an asynchronous validator
 */
export function fieldsOf(dto: new () => object): ReadonlyMap<string, FieldInfo> {
  const cached = cache.get(dto);
  if (cached) return cached;
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(dto, '', false, false);
  const fields = new Map(
    Object.entries(storage.groupByPropertyName(metadata)).map(([name, rules]) => [
      name,
      infoOf(dto, name, rules),
    ]),
  );
  cache.set(dto, fields);
  return fields;
}

function infoOf(dto: new () => object, name: string, rules: Metadata[]): FieldInfo {
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

/** Makes `@IsOptional()`, which `PartialType` adds, reject null. Our fields have an option `nullable` instead. */
function rejectNull(rules: Metadata[]): void {
  for (const rule of rules) {
    if (rule.name === 'isOptional')
      rule.constraints = [(_object: object, value: unknown) => value !== undefined];
  }
}

/** A field with decorators of class-validator only. */
function classValidatorInfo(dto: new () => object, name: string, rules: Metadata[]): FieldInfo {
  const nested = rules.find(({ type }) => type === 'nestedValidation');
  const item = nested && nestedClass(dto, name);
  const isList =
    rules.some(({ each, name: rule }) => each || /^(isArray|array[A-Z])/.test(rule ?? '')) ||
    Reflect.getMetadata('design:type', dto.prototype, name) === Array;
  const maxItems = rules.find((rule) => rule.name === 'arrayMaxSize')?.constraints[0];
  const limit = typeof maxItems === 'number' ? maxItems : MAX_ITEMS;
  const check: Check = (value) => {
    if (Array.isArray(value) && value.length > limit && isList)
      return [issue('too_long', `must have at most ${limit} items`)];
    if (item) return [issue('invalid_type', isList ? 'must be an array of objects' : 'must be an object')];
    if (isSmall(value)) return [];
    return [issue('too_long', `must have at most ${MAX_VALUES} values, nested at most ${MAX_DEPTH} deep`)];
  };
  return {
    nullable: true,
    check,
    ...(item && { item, checksItems: false }),
    ...(isList && { maxItems: limit }),
  };
}

function nestedClass(dto: new () => object, name: string): (new () => object) | undefined {
  const type = defaultMetadataStorage.findTypeMetadata(dto, name);
  if (!type || type.options?.discriminator) return undefined;
  const target: unknown = type.typeFunction({ newObject: {}, object: {}, property: name });
  return isClass(target) ? target : undefined;
}

function isClass(value: unknown): value is new () => object {
  return typeof value === 'function';
}

/** Whether class-transformer can traverse a value in limited time and stack depth. */
function isSmall(value: unknown): boolean {
  let level: unknown[] = [value];
  let count = 0;
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (depth > MAX_DEPTH || count > MAX_VALUES) return false;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return true;
}
