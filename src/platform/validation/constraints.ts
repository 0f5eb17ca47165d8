import { getMetadataStorage, isByteLength, minLength, type ValidationError } from 'class-validator';
import { FIELD_ERRORS, type FieldErrorCode } from '../problems/catalogue.js';
import { CHECK, inputError, type InputError } from './field.js';

/** Error codes of the validators of class-validator. Default: `invalid_format`. */
const CODES: ReadonlyMap<string, FieldErrorCode> = new Map(
  Object.entries({
    required: ['isDefined'],
    invalid_type:
      'isString isNumber isInt isBoolean isArray isObject isDate isInstance nestedValidation unknownValue'.split(
        ' ',
      ),
    too_short: ['isNotEmpty', 'minLength', 'arrayNotEmpty', 'arrayMinSize', 'isNotEmptyObject'],
    too_long: ['maxLength', 'arrayMaxSize'],
    out_of_range: ['min', 'max', 'isPositive', 'isNegative', 'isDivisibleBy', 'minDate', 'maxDate'],
    duplicate: ['arrayUnique'],
  } satisfies Partial<Record<FieldErrorCode, string[]>>).flatMap(([code, names]) =>
    isCode(code) ? names.map((name): [string, FieldErrorCode] => [name, code]) : [],
  ),
);

function isCode(code: unknown): code is FieldErrorCode {
  return typeof code === 'string' && Object.hasOwn(FIELD_ERRORS, code);
}

/** Converts an error of class-validator, including errors of nested fields. */
export function inputErrorsOf(error: ValidationError, parent: InputError['path'] = []): InputError[] {
  const { property, children = [] } = error;
  // A nested object without a class has no property name.
  const path = property === undefined ? parent : [...parent, property];
  const errors = errorsOfValue(error).map((one) => ({ ...one, path: [...path, ...one.path] }));
  return errors.concat(children.flatMap((child) => inputErrorsOf(child, path)));
}

/** Returns the errors of one value. If several validators fail, reports the first type error. */
function errorsOfValue(error: ValidationError): InputError[] {
  const { property, value, constraints = {}, contexts = {} } = error;
  const { [CHECK]: checkMessage, ...others } = constraints;
  const broken = Object.entries(others);
  if (!checkMessage && broken.length === 0) return [];
  if (value === undefined && property !== undefined) return [inputError('required', 'is required')];
  const errors = broken.map(([name, message]) =>
    inputError(codeOf(name, error, contexts[name]), reword(message, property)),
  );
  const [first] = [...errors.filter(({ code }) => code === 'invalid_type'), ...errors];
  return [...(checkMessage ? parseIssues(checkMessage) : []), ...(first ? [first] : [])];
}

function parseIssues(message: string): InputError[] {
  const errors: InputError[] = JSON.parse(message);
  return errors;
}

/** Returns the code in the validator's `context`, or the code for its kind. */
function codeOf(name: string, error: ValidationError, context: unknown): FieldErrorCode {
  if (typeof context === 'object' && context !== null && 'code' in context && isCode(context.code))
    return context.code;
  if (name === 'isLength') return codeOfLength(name, error, minLength);
  if (name === 'isByteLength') return codeOfLength(name, error, isByteLength);
  return CODES.get(name) ?? 'invalid_format';
}

/** Returns the code according to the value, because `@Length()` and `@IsByteLength()` have one name for all errors. */
function codeOfLength(
  name: string,
  { target, property, value }: ValidationError,
  isLongEnough: (value: unknown, min: number) => boolean,
): FieldErrorCode {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.some((one) => typeof one !== 'string')) return 'invalid_type';
  const rule = getMetadataStorage()
    .getTargetValidationMetadatas(target?.constructor ?? Object, '', false, false)
    .find((one) => one.propertyName === property && one.name === name);
  const min: unknown = rule?.constraints[0];
  const isShort = typeof min === 'number' && values.some((one) => !isLongEnough(one, min));
  return isShort ? 'too_short' : 'too_long';
}

/** Message parts around the field name. */
const REWORDED: [before: string, after: string, words: string][] = [
  ['', ' must ', 'must '],
  ['', ' should ', 'must '],
  ['', ' is not ', 'must be '],
  ['nested property ', ' must ', 'must '],
  ['maximal allowed date for ', ' is ', 'must not be after '],
  ['minimal allowed date for ', ' is ', 'must not be before '],
  ['All ', "'s elements must be unique", 'must not contain duplicate items'],
];

/** Converts "name must be a string" to "must be a string", because the pointer of the error already identifies the field. */
function reword(message: string, property: string): string {
  const isEach = message.startsWith('each value in ');
  const prefix = isEach ? 'each value in ' : '';
  for (const [before, after, words] of REWORDED) {
    const start = `${prefix}${before}${property}${after}`;
    if (message.startsWith(start))
      return `${isEach ? 'each item ' : ''}${words}${message.slice(start.length).replace(/\.$/, '')}`;
  }
  return message;
}
