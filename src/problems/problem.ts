import { type FieldErrorCode, type ProblemCode, PROBLEMS } from './catalogue.js';

const RETRY_AFTER_SECONDS = '1';

/** What is wrong with one field of the body (`pointer`) or one parameter of the path, query or headers (`parameter`). */
export interface FieldError {
  code: FieldErrorCode;
  detail: string;
  /** JSON Pointer in URI fragment form (RFC 6901, section 6), e.g. `#/sections/0/title`. */
  pointer?: string;
  parameter?: string;
}

/** An error that the client is told. Thrown anywhere; `ProblemFilter` alone makes the answer of it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  /**
   * @param extra.detail what happened this time; by default the title of the code
   * @param extra.errors every field that is not valid
   * @param extra.headers further headers of the answer
   */
  constructor(
    readonly code: ProblemCode,
    extra: { detail?: string; errors?: FieldError[]; headers?: Record<string, string> } = {},
  ) {
    super(extra.detail ?? PROBLEMS[code].title);
    this.detail = this.message;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

/** Fields that one answer lists, at the most. */
export const MAX_FIELD_ERRORS = 1_000;

/**
 * 400 `validation_failed` with every bad field; `invalid_cursor` where the cursor is the only one. Above
 * `MOST_FIELD_ERRORS` they are not counted: validation stops there.
 */
export function validationFailed(errors: FieldError[]): Problem {
  if (errors.every(({ code }) => code === 'invalid_cursor')) return new Problem('invalid_cursor', { errors });
  if (errors.length > MAX_FIELD_ERRORS) {
    const detail = `more than ${MAX_FIELD_ERRORS} fields are not valid; the first ${MAX_FIELD_ERRORS} are listed`;
    return new Problem('validation_failed', { detail, errors: errors.slice(0, MAX_FIELD_ERRORS) });
  }
  const detail = errors.length === 1 ? '1 field is not valid' : `${errors.length} fields are not valid`;
  return new Problem('validation_failed', { detail, errors });
}

/** A JSON Pointer to a place in the body, in URI fragment form (RFC 6901, section 6). */
export function pointerTo(path: readonly (string | number)[]): string {
  const tokens = path.map((token) =>
    encodeURIComponent(String(token).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ['#', ...tokens].join('/');
}

/** The body of every error (RFC 9457). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  request_id: string;
  errors?: FieldError[];
}

/** The body that tells a problem. */
export function problemBody({ code, detail, errors }: Problem, requestId: string): ProblemBody {
  const { title, status } = PROBLEMS[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail,
    request_id: requestId,
    ...(errors && { errors }),
  };
}

/**
 * 404 `not_found`. The detail names the kind of resource only, never the id: a resource that the key may not see gets the
 * same answer, byte for byte, as one that does not exist.
 * @param resource in lower case, such as `status page`
 */
export function notFound(resource: string): Problem {
  return new Problem('not_found', { detail: `There is no such ${resource}` });
}

/** 412 `precondition_failed`: the resource is there, but not in a version that `If-Match` allows. */
export function preconditionFailed(): Problem {
  const detail = 'If-Match is not the current ETag, which is `updated_at` in double quotes';
  return new Problem('precondition_failed', { detail });
}

/**
 * Why a write found no row: 412 if the resource exists (in another version), otherwise 404.
 *
 *     (await repository.patch(key, id, patch, expected)) ??
 *       throwNotFoundOrPreconditionFailed('monitor', repository.findOwn(key, id))
 */
export async function throwNotFoundOrPreconditionFailed(
  resource: string,
  found: Promise<object | undefined>,
): Promise<never> {
  throw (await found) ? preconditionFailed() : notFound(resource);
}

/** 503 `unavailable`, with `Retry-After`. */
export function unavailable(): Problem {
  return new Problem('unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}
