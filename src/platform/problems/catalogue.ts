/**
 * The catalogue of errors (RFC 9457 problem details). A code never changes its meaning. `GET /problems/{code}` explains it,
 * and the OpenAPI document lists all codes. Add new errors here:
 *
 *     throw new Problem('not_found', { detail: 'Monitor not found' });
 */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: 'The request is invalid',
    explanation:
      'One or more fields or parameters are invalid. `errors` lists them: `pointer` (JSON Pointer, RFC 6901) identifies a field of the body, `parameter` identifies a path, query or header parameter, and `detail` describes the allowed values. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not a JSON object',
    explanation:
      'Send a JSON object (RFC 8259) encoded in UTF-8. The body is empty, incomplete, not valid JSON or UTF-8, or not an object. `detail` gives the reason.',
  },
  malformed_yaml: {
    status: 400,
    title: 'The body is not a YAML mapping',
    explanation:
      'Send one YAML document (YAML 1.2, core schema) encoded in UTF-8, with a mapping of unique string keys at the top level. The body is empty, incomplete, not valid YAML or UTF-8, or not a mapping, or it contains duplicate keys, several documents, custom tags, too many levels, or too many values after alias expansion. `detail` gives the reason.',
  },
  invalid_image: {
    status: 400,
    title: 'The picture cannot be used',
    explanation:
      'Send an undamaged picture within the limits of the operation: without an animation, and without the place where it was taken. An SVG must be a drawing only, without scripts, event handlers, a DOCTYPE, embedded or external content. `detail` contains what to change. Nothing was changed.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    explanation:
      'The server could not parse the request as HTTP/1.1 (RFC 9112), or the body ended early. Check the request line, the headers and the body length.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is invalid',
    explanation:
      'Pass `pagination.next_cursor` from a previous response of the same list unchanged as `cursor`. To get the first page of results, omit `cursor`.',
  },
  dry_run_not_possible: {
    status: 400,
    title: 'The operation cannot run as a dry run',
    explanation:
      'The effect of the operation is outside of the database, for example a message or a DNS query, so it cannot be rolled back. A dry run is also impossible with `Idempotency-Key`, because it stores no response. `detail` gives the reason. Nothing was changed.',
  },
  missing_api_key: {
    status: 401,
    title: 'No API key was sent',
    explanation:
      'Send the API key in the header `Authorization: Bearer <API_KEY>` (RFC 6750). Receivers also accept it as the password of Basic authentication (RFC 7617). The server ignores keys in the query and the body.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is invalid',
    explanation:
      'The API key is malformed, unknown, revoked or expired. Check that you copied the complete key, or create a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks a required scope',
    explanation:
      'The operation requires a scope that the API key does not have. `WWW-Authenticate` lists the required scopes. No scope implies another. Use a key that has these scopes.',
  },
  forbidden: {
    status: 403,
    title: 'The API key is not allowed to do this',
    explanation:
      'The API key has the required scope, but another restriction of the key forbids the operation. For example, a key that is restricted to some projects cannot create projects. `detail` gives the reason. Use another key.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation:
      'The path or resource does not exist, or the API key cannot access it. Resources of another organization, or of a project that the key cannot access, are reported as not found.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed',
    explanation: 'The path does not support this method. The `Allow` header lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    explanation:
      'The headers must arrive within 10 seconds, and the whole request within 30 seconds. Repeat the request.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with the current state',
    explanation:
      'A unique value is already in use, or the state of the resource does not allow the change. `detail` gives the reason. Nothing was changed.',
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'A request with this Idempotency-Key is in progress',
    explanation:
      'The first request with this `Idempotency-Key` has no response yet. Wait for the number of seconds in `Retry-After`, then repeat the request to get the response to the first one.',
  },
  idempotency_response_not_kept: {
    status: 409,
    title: 'The request was executed, but its response was not stored',
    explanation:
      'The first request with this `Idempotency-Key` succeeded and was not executed again. Its response cannot be replayed because it was larger than 32 KiB, or because the organization has received too many responses since. Read the resource. If the first request created a resource, `Location` contains its path.',
  },
  precondition_failed: {
    status: 412,
    title: 'The resource has changed',
    explanation:
      'The ETag in `If-Match` is not current because the resource has changed since you read it. Your request changed nothing. Read the resource again, and repeat the change with the new ETag.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation:
      'The maximum size is 256 KiB for a request body (an escape such as \\u3042 counts as its character in UTF-8), 5 MiB for an import file, 512 KiB for a picture, and 100 KiB for an SVG. Split the request. A smaller import file can also be rejected if parsing it takes too much time or memory.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    explanation:
      'Send the body in UTF-8, without compression, as a media type that the operation accepts. A picture is recognized by its content. `detail` lists these types. For PATCH, so does the `Accept-Patch` header.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
    explanation:
      'The API key, or a key that it was rotated from or to, already used this `Idempotency-Key` for a request with a different path, query, `If-Match` or body. Nothing was changed. Use a new key for each request. Reuse a key only to repeat the identical request.',
  },
  precondition_required: {
    status: 428,
    title: 'The request requires If-Match',
    explanation: 'The operation requires `If-Match` with the ETag of the version that you read.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation: 'Wait for the number of seconds in `Retry-After`, then repeat the request.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    explanation:
      'The maximum size of the request line and the headers together is 16 KiB. Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal server error',
    explanation:
      'The server failed to handle the request. This is a bug in the service. Report it with the `request_id`. The server log contains the cause under this ID.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    explanation:
      'The database is unreachable or busy, too many requests or imports are in progress, or the server is shutting down. Wait for the number of seconds in `Retry-After`, then repeat the request.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Returns whether the catalogue contains this code. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}

/** Codes of single fields and parameters, in the `errors` of a problem. */
export const FIELD_ERRORS = {
  required: 'The field or parameter is required.',
  unknown_field:
    'The operation does not define this field, or the field is read-only or another operation changes it.',
  unknown_parameter: 'The operation does not define this query parameter.',
  repeated_parameter: 'The parameter can be sent only once.',
  invalid_type:
    'The value has the wrong JSON type. Values are not converted, and null is accepted only where documented.',
  invalid_format: 'The value does not have the required format.',
  out_of_range: 'The number or time is out of range.',
  too_short: 'The text has too few characters (Unicode code points), or the list has too few items.',
  too_long: 'The text has too many characters (Unicode code points), or the list has too many items.',
  blank: 'The text contains only white space.',
  duplicate: 'The value is a duplicate.',
  invalid_cursor: 'The cursor is not from a response of this list.',
  reserved: 'The value is reserved for the service.',
  taken: 'The value must be unique, and another resource already uses it.',
  not_granted: 'The calling key cannot grant permissions that it does not have.',
  unknown_project: 'The project does not exist, or the calling key cannot access it.',
  unknown_monitor: 'The monitor does not exist in the project.',
  unknown_status_page: 'The status page does not exist in the project.',
  unknown_incident_template: 'The incident template does not exist in the project.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;
