import { type Problem, StatusPagesError } from '../index.js';

/** Exit codes, listed in the README of the package. */
export const EXIT = { success: 0, rejected: 1, usage: 2, unavailable: 3, wrong: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected error, printed as its message. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

/** An error of the command line or of the environment. */
export const usageError = (message: string) => new CommandError(message, EXIT.usage);

const MAX_CHOICES = 20;

/** Returns an error that lists the possible values, one per line, at most 20. */
export function choiceError(message: string, choices: string[], exitCode: ExitCode): CommandError {
  const more = choices.length > MAX_CHOICES ? [`and ${choices.length - MAX_CHOICES} more`] : [];
  const lines = [...choices.slice(0, MAX_CHOICES), ...more].map((choice) => `\n  ${choice}`);
  return new CommandError(message + lines.join(''), exitCode);
}

/**
 * Returns the sentences to print for an error, and the exit code.
 * @param requestBody body of the last request, to show the rejected values
 */
export function describeError(error: unknown, requestBody: string): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof StatusPagesError) {
    const exitCode = isWorthRetrying(error) ? EXIT.unavailable : EXIT.rejected;
    return new CommandError(sentencesOf(error, requestBody), exitCode);
  }
  return new CommandError(error instanceof Error ? error.message : String(error), EXIT.rejected);
}

/** 409 with `Retry-After`: another request with the same idempotency key is in progress. */
function isWorthRetrying({ status, retryAfter }: StatusPagesError): boolean {
  return status >= 500 || status === 408 || status === 429 || (status === 409 && retryAfter !== undefined);
}

function sentencesOf({ status, problem, retryAfter }: StatusPagesError, requestBody: string): string {
  if (!problem)
    return `The response was ${status}, without an error of the API. Check the URL, and any proxy in front of the service.`;
  const { detail, title, errors = [], request_id } = problem;
  const wait = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`;
  const id = status >= 500 ? ` The ID of the request is ${request_id}.` : '';
  const fields = errors.map((one) => `\n  ${fieldOf(one, requestBody)}${toSentence(one.detail)}`);
  return [toSentence(detail ?? title), wait, id, ...fields].join('');
}

type FieldError = NonNullable<Problem['errors']>[number];

/** Returns the name of a field with its value, if that is short: `reports/0/monitor_key "apii" `. */
function fieldOf({ pointer, parameter }: FieldError, requestBody: string): string {
  if (pointer === undefined) return parameter === undefined ? '' : `${parameter} `;
  const path = pointer.replace(/^#\/?/, '');
  const value = path === '' ? undefined : valueAt(path.split('/'), requestBody);
  const isShort = typeof value === 'string' && value.length <= 80;
  return `${path}${isShort ? ` ${JSON.stringify(value)}` : ''} `.trimStart();
}

function valueAt(path: string[], requestBody: string): unknown {
  let value: unknown = requestBody === '' ? undefined : JSON.parse(requestBody);
  for (const part of path) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

/** Adds the period that `detail` of a problem omits. */
function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
