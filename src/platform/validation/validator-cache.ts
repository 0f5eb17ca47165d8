import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Found = ReturnType<Storage['getTargetValidationMetadatas']>;
type Grouped = ReturnType<Storage['groupByPropertyName']>;

/**
 * Makes class-validator look up the validators of a class once, and again after a decorator adds one. Without it, each
 * validation of an object compares its class with all classes that have validators
 * (https://github.com/typestack/class-validator/issues/2686, docs/decisions/request-overhead.md). Lookups with options are not
 * cached.
 */
export function cacheValidators(storage: Storage = getMetadataStorage()): void {
  /** By class, and by the class of the object that contains it, whose name class-validator passes as the schema. */
  let found = new WeakMap<object, Map<string, Found>>();
  const grouped = new WeakMap<Found, Grouped>();
  const { addValidationMetadata, getTargetValidationMetadatas, groupByPropertyName } = storage;

  storage.addValidationMetadata = (metadata) => {
    addValidationMetadata.call(storage, metadata);
    found = new WeakMap(); // also of classes that inherit from the changed class
  };
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    const find = () =>
      getTargetValidationMetadatas.call(storage, target, schema, always, strictGroups, groups);
    if (always || strictGroups || groups) return find();
    const ofTarget = found.get(target) ?? new Map<string, Found>();
    const known = ofTarget.get(schema) ?? find();
    ofTarget.set(schema, known);
    found.set(target, ofTarget);
    return known;
  };
  storage.groupByPropertyName = (metadata) => {
    const known = grouped.get(metadata) ?? groupByPropertyName.call(storage, metadata);
    grouped.set(metadata, known);
    return known;
  };
}
