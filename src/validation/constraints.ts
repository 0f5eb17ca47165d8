import type { ValidationError } from 'class-validator';
import { FIELD_ERRORS, type FieldErrorCode } from '../problems/catalogue.js';
import { CHECK, issue, type Issue } from './field.js';

/** The error codes of the validators of class-validator. Others have `invalid_format`. */
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

/** Converts an error of class-validator to issues, including those of nested fields. */
export function issuesOf(error: ValidationError, parent: Issue['path'] = []): Issue[] {
  const { property, children = [] } = error;
  // A nested object without a class has no property.
  const path = property === undefined ? parent : [...parent, property];
  const issues = issuesOfValue(error).map((one) => ({ ...one, path: [...path, ...one.path] }));
  return issues.concat(children.flatMap((child) => issuesOf(child, path)));
}

/** The issues of one value: those of a `Check`, and one of the other validators. A wrong type has precedence. */
function issuesOfValue({ property, value, constraints = {}, contexts = {} }: ValidationError): Issue[] {
  const { [CHECK]: checkMessage, ...others } = constraints;
  const messages = Object.entries(others);
  if (!checkMessage && messages.length === 0) return [];
  if (value === undefined && property !== undefined) return [issue('required', 'is required')];
  const issues = messages.map(([name, message]) =>
    issue(codeOf(name, message, contexts[name]), reword(message, property)),
  );
  const [first] = [...issues.filter(({ code }) => code === 'invalid_type'), ...issues];
  return [...(checkMessage ? parseIssues(checkMessage) : []), ...(first ? [first] : [])];
}

function parseIssues(message: string): Issue[] {
  const issues: Issue[] = JSON.parse(message);
  return issues;
}

/** The code in the validator's `context`, or else the code for its name. */
function codeOf(name: string, message: string, context: unknown): FieldErrorCode {
  if (typeof context === 'object' && context !== null && 'code' in context && isCode(context.code))
    return context.code;
  // These validators have one name for both errors.
  if (name === 'isLength' || name === 'isByteLength')
    return message.includes('shorter') ? 'too_long' : 'too_short';
  return CODES.get(name) ?? 'invalid_format';
}

const REWORDED: [RegExp, string][] = [
  [/^(?:nested property )?(?:each value in )?PROPERTY (?:must|should) /, 'must '],
  [/^PROPERTY is not /, 'must be '],
  [/^maximal allowed date for PROPERTY is /, 'must not be after '],
  [/^minimal allowed date for PROPERTY is /, 'must not be before '],
  [/^All PROPERTY's elements must be unique/, 'must not have equal items'],
];

/** Converts "name must be a string" to "must be a string". The pointer of the error names the field. */
function reword(message: string, property: string): string {
  const isEach = message.startsWith(`each value in ${property} `);
  const general = message.replace(/\.$/, '').replace(property, 'PROPERTY');
  for (const [pattern, replacement] of REWORDED) {
    if (pattern.test(general)) return `${isEach ? 'each item ' : ''}${general.replace(pattern, replacement)}`;
  }
  return message;
}
