import { Transform } from 'class-transformer';
import type { Request } from 'express';
import { type FieldError, Problem } from '../problems/problem.js';
import { leaveTurn } from '@status-pages/fair-admission';
import { readBytes } from './body.js';
import { fieldsOf } from './dto-fields.js';
import { validate } from './validate.js';

/** First error of each field, by its name. */
export type FieldErrors = Readonly<Record<string, FieldError | undefined>>;

/** A sent HTML form. */
export interface SentForm<Form> {
  /** The fields as sent, with which a form with errors is shown again. */
  sent: URLSearchParams;
  /** The DTO; undefined if a field has an error. */
  value: Form | undefined;
  errors: FieldErrors;
}

/**
 * Reads an HTML form (`application/x-www-form-urlencoded`) as a DTO, with the same validation as a body of the API. Unknown fields
 * are ignored, because buttons also have names.
 *
 *     const { sent, value, errors } = await readForm(request, CreateMonitorDto, MAX_FORM_BYTES);
 *     if (!value) return renderForm(sent, errors);
 *
 * - A checkbox (`Flag`) is true if it is sent as `on`.
 * - A list `monitors` consists of the different values of all fields `monitors[]`.
 * - An empty text counts as omitted.
 *
 * @param maxBytes maximum size of the form
 * @throws Problem 415 `unsupported_media_type`, 413 `payload_too_large`, 429 `rate_limited`, 503 `unavailable`
 */
export async function readForm<Form extends object>(
  request: Request,
  dto: new () => Form,
  maxBytes: number,
): Promise<SentForm<Form>> {
  const sent = await readFields(request, maxBytes);
  leaveTurn(request); // visitors have their own limits
  const input = Object.fromEntries(
    [...fieldsOf(dto)].map(([name, { type }]) => [name, inputOf(sent, name, type)]),
  );
  const { instance, errors } = validate(dto, input, 'body');
  const all = [...errors, ...undecodable(instance)];
  return { sent, value: all.length === 0 ? instance : undefined, errors: errorsByField(all) };
}

/**
 * Reads the fields of an HTML form, without validation. The request keeps its turn.
 * @throws Problem as {@link readForm}
 */
export async function readFields(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const bytes = await readBytes(request, { types: ['application/x-www-form-urlencoded'], maxBytes });
  return parseFields(Buffer.from(bytes).toString());
}

/** Maximum number of fields in a form. Without it, a megabyte of short fields would block the process for seconds. */
const MAX_FIELDS = 5_000;

/**
 * Parses the fields of a form.
 * @throws Problem 413 `payload_too_large` if there are more than 5,000
 */
export function parseFields(text: string): URLSearchParams {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= MAX_FIELDS; at = text.indexOf('&', at + 1)) count++;
  if (count > MAX_FIELDS)
    throw new Problem('payload_too_large', { detail: `The form has more than ${MAX_FIELDS} fields` });
  return new URLSearchParams(text);
}

/** @param type OpenAPI type of the field */
function inputOf(sent: URLSearchParams, name: string, type: unknown): unknown {
  if (type === 'boolean') return sent.get(name) === 'on';
  if (type === 'array') return [...new Set(sent.getAll(`${name}[]`))];
  return sent.get(name) || undefined;
}

/** Returns an error for each text with bytes that are not UTF-8, which U+FFFD replaces. */
function undecodable(instance: object): FieldError[] {
  return Object.entries(instance)
    .filter(([, value]: [string, unknown]) => typeof value === 'string' && value.includes('\ufffd'))
    .map(([name]) => ({ code: 'invalid_format', detail: 'must be UTF-8', pointer: `#/${name}` }));
}

/** Returns the first error of each field, by the first name in its pointer. */
function errorsByField(errors: readonly FieldError[]): FieldErrors {
  return Object.fromEntries(errors.toReversed().map((error) => [error.pointer?.split('/')[1] ?? '', error]));
}

/** Removes spaces around the text of a form's field. If nothing remains, it counts as omitted. */
export const Trimmed = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim() || undefined : value,
  );
