/**
 * The catalogue of errors (RFC 9457 problem details). A code never changes its meaning. `GET /problems/{code}` explains it,
 * and the OpenAPI document lists all codes. A new error is a new entry here:
 *
 *     throw new Problem('not_found', { detail: 'There is no such monitor' });
 */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'One or more fields or parameters are not valid. `errors` lists them: `pointer` (JSON Pointer, RFC 6901) names a field of the body, `parameter` a parameter of the path, the query or the headers, and `detail` says what is allowed. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not a JSON object',
    explanation:
      'Send one JSON object in valid UTF-8 (RFC 8259). The body was empty, incomplete, not JSON, not UTF-8, or a JSON value other than an object. `detail` says which.',
  },
  malformed_yaml: {
    status: 400,
    title: 'The body is not a YAML mapping',
    explanation:
      'Send one YAML document in valid UTF-8 (YAML 1.2, core schema) with a mapping of unique string keys at the top level. The body was empty, incomplete, not YAML, not UTF-8, or not a mapping; or it has duplicate keys, several documents, custom tags, too many levels, or too many values after alias expansion. `detail` gives the reason.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    explanation:
      'The server could not read the request as HTTP/1.1 (RFC 9112), or the body ended early. Check the request line, the headers and the length of the body.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    explanation:
      'Pass `pagination.next_cursor` of an earlier response of the same list unchanged as `cursor`. To start at the first page, omit `cursor`.',
  },
  missing_api_key: {
    status: 401,
    title: 'No API key was sent',
    explanation:
      'Send the API key in the header `Authorization: Bearer <API_KEY>` (RFC 6750). Receivers also accept it as the password of Basic authentication (RFC 7617). The server ignores keys in the query and the body.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    explanation:
      'The API key is malformed, unknown, revoked or expired. Check that you copied all of it, or create a new key.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks a required scope',
    explanation:
      'The operation requires a scope that the API key does not have. `WWW-Authenticate` names the required scopes. No scope implies another. Use a key that has these scopes.',
  },
  forbidden: {
    status: 403,
    title: 'The API key is not allowed to do this',
    explanation:
      'The API key has the required scope, but another restriction of the key forbids the operation. `detail` names it: for example, a key that is restricted to some projects cannot create projects. Use another key.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation:
      'Nothing exists at this path, or the API key has no access to it. Resources of another organization, or of a project that the key cannot access, are reported as not found.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    explanation:
      'The path exists, but does not support this method. The `Allow` header lists the methods that it supports.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    explanation:
      'The headers must arrive within 10 seconds, the whole request within 30 seconds. Send the request again.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the current state',
    explanation:
      'Another resource already has a value that must be unique, or the state of the resource does not allow the change. `detail` says which. Nothing was changed.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'A request with this Idempotency-Key is running',
    explanation:
      'The first request with this `Idempotency-Key` has no response yet. Wait for the number of seconds in `Retry-After`, then send the request again: it gets the response to the first one.',
  },
  idempotency_response_not_kept: {
    status: 409,
    title: 'The request was executed, but its response was not kept',
    explanation:
      'The first request with this `Idempotency-Key` was executed with success, and was not executed again. Its response cannot be replayed, because it was larger than 32 KiB, or the organization has had too many responses since. Read the resource; `Location` names the one that was created.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    explanation:
      'The ETag in `If-Match` is not the current one: the resource has changed since you read it. Nothing was changed. Read the resource again, and repeat the change with the new ETag.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation:
      'A body can have at most 256 KiB, a file to import at most 5 MiB. Send less, or split the request. A smaller file to import can still be too complex to read within the limits of time and memory.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    explanation:
      'Send the body in UTF-8, without compression, as a media type that the operation accepts. `detail` names these types; a response to PATCH also has them in `Accept-Patch`.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    explanation:
      'An earlier request of the API key, or of a key of its rotations, had this `Idempotency-Key`, but another path, query, `If-Match` or body. Nothing was changed. Use a new key for each request, and the same key only to repeat a request as it was.',
  },
  precondition_required: {
    status: 428,
    title: 'The request must be conditional',
    explanation: 'The operation requires `If-Match` with the ETag of the version that you read.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation: 'Wait for the number of seconds in `Retry-After`, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    explanation:
      'The request line and the headers can have at most 16 KiB together. Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal server error',
    explanation:
      'The server failed to handle the request. This is a defect of the service: report it with the `request_id`. The log contains the cause under this ID.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    explanation:
      'The database is unreachable or busy, too many requests are under way, too many files are being imported, or the server is shutting down. Wait for the number of seconds in `Retry-After`, then send the request again.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Whether the catalogue has this code. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}

/** The codes of single fields and parameters, in the `errors` of a problem. */
export const FIELD_ERRORS = {
  required: 'The field or parameter is required.',
  unknown_field: 'The operation has no such field, or the field is read-only.',
  unknown_parameter: 'The operation has no such query parameter.',
  repeated_parameter: 'The parameter can be sent only once.',
  invalid_type: 'The value has the wrong JSON type. Types are not converted, and null is a type of its own.',
  invalid_format: 'The value does not have the required format.',
  out_of_range: 'The number is too small or too large, or the time too early or too late.',
  too_short: 'The text has too few characters (Unicode code points), or the list too few items.',
  too_long: 'The text has too many characters (Unicode code points), or the list too many items.',
  blank: 'The text has only white space.',
  duplicate: 'Duplicate value.',
  invalid_cursor: 'The cursor is not from a response of this list.',
  reserved: 'The value is reserved for the service.',
  taken: 'Another resource already has this value, which must be unique in the installation.',
  not_granted: 'The API key in use does not have this right itself, so it cannot grant it.',
  unknown_project: 'The project does not exist, or the API key in use has no access to it.',
  unknown_monitor: 'The project has no such monitor.',
  unknown_status_page: 'The project has no such status page.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;
