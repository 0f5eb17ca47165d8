import { Transform } from 'class-transformer';
import type { Request } from 'express';
import type { FieldError } from '../problems/problem.js';
import { readFile } from './body.js';
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
  const bytes = await readFile(request, { types: ['application/x-www-form-urlencoded'], maxBytes });
  const sent = new URLSearchParams(Buffer.from(bytes).toString());
  const input = Object.fromEntries(
    [...fieldsOf(dto)].map(([name, { type }]) => [name, inputOf(sent, name, type)]),
  );
  const { instance, errors } = validate(dto, input, 'body');
  const all = [...errors, ...undecodable(instance)];
  return { sent, value: all.length === 0 ? instance : undefined, errors: errorsByField(all) };
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
