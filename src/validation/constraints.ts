import type { ValidationError } from 'class-validator';
import { FIELD_ERRORS, type FieldErrorCode } from '../problems/catalogue.js';
import { CHECK, issue, type Issue } from './field.js';

/** The codes of class-validator's own validators; of those that are not here, `invalid_format`. */
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

/** The issues that class-validator found in a field and inside it, with their paths. */
export function issuesOf(error: ValidationError, parent: Issue['path'] = []): Issue[] {
  const { property, children = [] } = error;
  // A nested object without a class has no property.
  const path = property === undefined ? parent : [...parent, property];
  const own = issuesOfValue(error).map((one) => ({ ...one, path: [...path, ...one.path] }));
  return own.concat(children.flatMap((child) => issuesOf(child, path)));
}

/** The issues of one value. Of several validators that refuse it, the first that concerns its type tells why. */
function issuesOfValue({ property, value, constraints = {}, contexts = {} }: ValidationError): Issue[] {
  const { [CHECK]: checked, ...others } = constraints;
  const broken = Object.entries(others);
  if (!checked && broken.length === 0) return [];
  if (value === undefined && property !== undefined) return [issue('required', 'is required')];
  const issues = broken.map(([name, message]) =>
    issue(codeOf(name, message, contexts[name]), reword(message, property)),
  );
  const [first] = [...issues.filter(({ code }) => code === 'invalid_type'), ...issues];
  return [...(checked ? parseIssues(checked) : []), ...(first ? [first] : [])];
}

function parseIssues(message: string): Issue[] {
  const issues: Issue[] = JSON.parse(message);
  return issues;
}

/** The code that the validator's `context` names, or else that of its kind. */
function codeOf(name: string, message: string, context: unknown): FieldErrorCode {
  if (typeof context === 'object' && context !== null && 'code' in context && isCode(context.code))
    return context.code;
  // These have one name for both faults.
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

/** A message of class-validator as ours read: "must …", without the name of the field, which the pointer tells. */
function reword(message: string, property: string): string {
  const isEach = message.startsWith(`each value in ${property} `);
  const general = message.replace(/\.$/, '').replace(property, 'PROPERTY');
  for (const [form, words] of REWORDED) {
    if (form.test(general)) return `${isEach ? 'each item ' : ''}${general.replace(form, words)}`;
  }
  return message;
}
