import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Found = ReturnType<Storage['getTargetValidationMetadatas']>;

/**
 * Makes class-validator look up the validators of a class once, and again after a decorator adds one. Without it, each
 * validation of an object compares its class with all classes that have validators
 * (https://github.com/typestack/class-validator/issues/2686, docs/decisions/request-overhead.md). Lookups with options are not
 * cached.
 */
export function cacheValidators(): void {
  const storage = getMetadataStorage();
  let found = new WeakMap<object, Found>();
  const { addValidationMetadata, getTargetValidationMetadatas } = storage;

  storage.addValidationMetadata = (metadata) => {
    addValidationMetadata.call(storage, metadata);
    found = new WeakMap(); // also of classes that inherit from the changed class
  };
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    const find = () =>
      getTargetValidationMetadatas.call(storage, target, schema, always, strictGroups, groups);
    if (always || strictGroups || groups) return find();
    const known = found.get(target) ?? find(); // the schema selects nothing of a class
    found.set(target, known);
    return known;
  };
}
