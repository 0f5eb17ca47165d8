import { type FieldError, Problem } from '../platform/problems/problem.js';
import { validate } from '../platform/validation/validate.js';
import { WORDS } from './words.js';

/** Errors in the fields of a form, in words, by the name of the field. `form`: of the form as a whole. */
export type Errors = Readonly<Record<string, string>>;

/** Labels of a form, by the names in the API. */
export type Labels = Readonly<Record<string, string>>;

/** A checked form: the DTO, or what is wrong. */
export type Checked<Dto> = { value: Dto; errors?: never } | { value?: never; errors: Errors };

/** Problems that can name the fields of a form. */
const FIELD_PROBLEMS = new Set<string>(['validation_failed', 'conflict', 'insufficient_scope']);

/** Validates the values of a form by the DTO of the API. A value that is null although it must not be is missing, in words. */
export function check<Dto extends object>(dto: new () => Dto, values: object, labels: Labels): Checked<Dto> {
  const { instance, errors } = validate(dto, values, 'body');
  if (errors.length === 0) return { value: instance };
  const isEmpty = ({ pointer = '' }: FieldError) => Reflect.get(values, pointer.slice(2)) === null;
  const named = errors.map((error) => (isEmpty(error) ? { ...error, code: 'required' as const } : error));
  return { errors: inWords(named, labels) };
}

/**
 * Returns the errors of a form's fields that a service has found.
 * @throws any other error
 */
export function errorsOf(error: unknown, labels: Labels): Errors {
  if (!(error instanceof Problem)) throw error;
  if (FIELD_PROBLEMS.has(error.code) && error.errors) return inWords(error.errors, labels);
  if (error.code === 'conflict') return { form: error.detail };
  throw error;
}

function inWords(errors: readonly FieldError[], labels: Labels): Errors {
  const words: Record<string, string> = {};
  for (const { code, detail, pointer = '' } of errors) {
    const name = pointer.split('/')[1] ?? '';
    const label = labels[name];
    // Such as "must be after starts_at".
    const inLabels = detail.replaceAll(
      /\b[a-z]+(?:_[a-z]+)+\b/g,
      (field) => labels[field]?.toLowerCase() ?? field,
    );
    words[label === undefined ? 'form' : name] ??= WORDS.errors.field(label ?? name, code, inLabels);
  }
  const named = Object.keys(words).map((name) => labels[name] ?? name);
  return { ...words, form: words['form'] ?? WORDS.errors.summary_of(named) };
}
