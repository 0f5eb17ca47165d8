import { type FieldErrorCode, type ProblemCode, PROBLEMS } from './catalogue.js';

const RETRY_AFTER_SECONDS = '1';

/** An error of one field of the body (`pointer`), or of one parameter of the path, query or headers (`parameter`). */
export interface FieldError {
  code: FieldErrorCode;
  detail: string;
  /** JSON Pointer in URI fragment form (RFC 6901, section 6), e.g. `#/sections/0/title`. */
  pointer?: string;
  parameter?: string;
}

/**
 * An error for the client. Throw it anywhere; `ProblemFilter` turns it into the response:
 *
 *     throw new Problem('conflict', { detail: 'The project is not empty' });
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly members: Readonly<Record<string, unknown>>;

  /**
   * @param extra.detail the error of this request; default: the title of the code
   * @param extra.errors all invalid fields
   * @param extra.headers additional response headers
   * @param extra.members further members of the response body (RFC 9457, section 3.2)
   */
  constructor(
    readonly code: ProblemCode,
    extra: {
      detail?: string;
      errors?: FieldError[];
      headers?: Record<string, string>;
      members?: Record<string, unknown>;
    } = {},
  ) {
    super(extra.detail ?? PROBLEMS[code].title);
    this.detail = this.message;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

/** Maximum number of fields that one response lists. */
export const MAX_FIELD_ERRORS = 1_000;

/**
 * Returns a 400 `validation_failed` with all field errors, or an `invalid_cursor` if there is only a cursor error. Lists at
 * most {@link MAX_FIELD_ERRORS}. Validation stops at this number, so the detail then contains no exact number.
 */
export function validationFailed(errors: FieldError[]): Problem {
  if (errors.every(({ code }) => code === 'invalid_cursor')) return new Problem('invalid_cursor', { errors });
  if (errors.length > MAX_FIELD_ERRORS) {
    const detail = `more than ${MAX_FIELD_ERRORS} fields are invalid; the first ${MAX_FIELD_ERRORS} are listed`;
    return new Problem('validation_failed', { detail, errors: errors.slice(0, MAX_FIELD_ERRORS) });
  }
  const detail = errors.length === 1 ? '1 field is invalid' : `${errors.length} fields are invalid`;
  return new Problem('validation_failed', { detail, errors });
}

/**
 * Returns a JSON Pointer as a URI fragment (RFC 6901, section 6). `pointerTo(['sections', 0, 'title'])` returns
 * `#/sections/0/title`.
 */
export function pointerTo(path: readonly (string | number)[]): string {
  const tokens = path.map((token) =>
    encodeURIComponent(String(token).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ['#', ...tokens].join('/');
}

/** Response body of every error (RFC 9457). */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  request_id: string;
  errors?: FieldError[];
}

/** Returns the response body of a problem. */
export function problemBody({ code, detail, errors, members }: Problem, requestId: string): ProblemBody {
  const { title, status } = PROBLEMS[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail,
    request_id: requestId,
    ...(errors && { errors }),
    ...members,
  };
}

/**
 * Returns a 404 `not_found`. The detail contains the kind of resource, but never the ID. The response is the same for a
 * resource that does not exist and for one that the key cannot access.
 * @param resource in lower case, such as `status page`
 */
export function notFound(resource: string): Problem {
  return new Problem('not_found', {
    detail: `${resource.charAt(0).toUpperCase()}${resource.slice(1)} not found`,
  });
}

/** Returns a 412 `precondition_failed`: `If-Match` does not match the current version of the resource. */
export function preconditionFailed(): Problem {
  const detail =
    'If-Match does not match the current ETag (`updated_at` in double quotes). Read the resource again.';
  return new Problem('precondition_failed', { detail });
}

/**
 * Explains why a write found no row: 412 if the resource exists (in another version), otherwise 404.
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

/** Returns a 503 `unavailable` with `Retry-After`. */
export function unavailable(detail?: string): Problem {
  return new Problem('unavailable', {
    ...(detail && { detail }),
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
  });
}
