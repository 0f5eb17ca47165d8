/**
 * The catalogue of errors (RFC 9457 problem details). Codes are stable; `GET /problems/{code}` tells each one,
 * and the OpenAPI document lists them. A new error is a new entry here.
 */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'One or more fields or parameters are not as the operation wants them. `errors` names each one, by `pointer` (JSON Pointer, RFC 6901) in the body or by `parameter` in the path, query and headers, and says what is allowed. Nothing was changed.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not a JSON object',
    explanation:
      'The body must be one JSON object in valid UTF-8 (RFC 8259). It was empty, cut short, no JSON, not UTF-8, or some other JSON value.',
  },
  malformed_yaml: {
    status: 400,
    title: 'The body is not a YAML mapping',
    explanation:
      'The body must be one YAML document in valid UTF-8 (YAML 1.2, core schema) whose top level is a mapping with text as keys. It was empty, cut short, no YAML, not UTF-8, another value, nested too deep, too large once its aliases are followed, or it has a key twice, several documents, or tags of its own. `detail` says where.',
  },
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    explanation: 'The request could not be read as HTTP/1.1 (RFC 9112), or its body ended early.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    explanation:
      'A cursor is taken unchanged from `pagination.next_cursor` of an earlier answer of the same list and the same project. Leave `cursor` out to start from the first page.',
  },
  missing_api_key: {
    status: 401,
    title: 'No API key was sent',
    explanation:
      'Send the key in the header `Authorization: Bearer <API_KEY>` (RFC 6750). Keys in the query or the body do not count.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The API key is not valid',
    explanation:
      'The key is malformed, unknown, revoked or expired. Check that it was copied whole, or make a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The API key lacks a scope',
    explanation:
      'The operation requires a scope that the key does not carry; `WWW-Authenticate` names it. No scope implies another. Use a key that was made with it.',
  },
  forbidden: {
    status: 403,
    title: 'The API key may not do this',
    explanation:
      'The key has the scope, but something else about it stands in the way, which `detail` says: a key that is narrowed to some projects, say, makes no projects. Use another key.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation:
      'There is nothing at this path, or the key cannot see it: what belongs to another organization, or to a project that the key is not for, does not exist for it.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    explanation:
      'The path exists, but not with this method. The `Allow` header lists the methods that it has.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    explanation: 'The whole request must arrive within 30 seconds, its headers within 10. Send it again.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with what is there',
    explanation:
      'A value that must be unique is taken, or something stands in the way of the change. Nothing was changed.',
  },
  precondition_failed: {
    status: 412,
    title: 'It was changed meanwhile',
    explanation:
      'The version in `If-Match` is not the current one: somebody changed the resource after you read it. Nothing was changed. Read it again, and repeat the change with its new ETag.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    explanation:
      'A body may have up to 256 KiB, a file to import up to 5 MiB. Send less, or in several requests. A smaller file to import can also be too complex to be read within bounds of time and memory.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The type of the body is not supported',
    explanation:
      'Send the body as a type that the operation takes, which `detail` names (on PATCH also `Accept-Patch`), in UTF-8 and not compressed.',
  },
  precondition_required: {
    status: 428,
    title: 'The request must be conditional',
    explanation: 'The operation requires `If-Match` with the ETag of the version that you read.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation: 'Wait for as many seconds as `Retry-After` says, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    explanation: 'The request line and the headers together may have up to 16 KiB.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    explanation: 'The fault is ours. The log has it under the `request_id`: please tell us that.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available right now',
    explanation:
      'The database cannot be reached or is busy, too many files are being imported, or the server is shutting down. Wait for as many seconds as `Retry-After` says, then send the request again.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Whether the catalogue has an entry of this name. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}

/** The codes of single fields, in the `errors` of a problem. */
export const FIELD_ERRORS = {
  required: 'The field or parameter must be sent.',
  unknown_field: 'The operation has no such field, or it is read-only.',
  unknown_parameter: 'The operation has no such query parameter.',
  repeated_parameter: 'The parameter may be sent once only.',
  invalid_type: 'The value is of another JSON type; nothing is converted, and null counts as a type.',
  invalid_format: 'The value does not have the form that the field wants.',
  out_of_range: 'The number is too small or too large.',
  too_short: 'The text has too few characters (Unicode code points), or the list too few items.',
  too_long: 'The text has too many characters (Unicode code points), or the list too many items.',
  blank: 'The text is only white space.',
  duplicate: 'The value stands there twice, but must be unique.',
  invalid_cursor: 'The cursor was not taken from an answer of this list.',
  reserved: 'The value is kept for the service itself.',
  taken: 'The value must be unique in the installation, and something else has it.',
  not_granted: 'The key in use does not have it itself, so it cannot give it to another.',
  unknown_project: 'There is no such project that the key in use covers.',
  unknown_monitor: 'There is no such monitor in the project of the page.',
} as const satisfies Record<string, string>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;
