import { MAX_BODY_BYTES } from '../validation/body.js';
import { MAX_HEAD_BYTES } from '../server/connections.js';
import { CORS_HEADERS } from '../server/cors.js';
import { FIELD_ERRORS, isProblemCode, type ProblemCode, PROBLEMS } from '../problems/catalogue.js';
import {
  type FieldError,
  MAX_FIELD_ERRORS,
  Problem,
  validationFailed,
  problemBody,
} from '../problems/problem.js';
import { MAX_WINDOW_SECONDS } from '../server/memory-counts.js';
import { DRY_RUN_HEADER } from './dry-run.js';
import { unknownParameter } from '../validation/validate.js';

const REQUEST_ID = '5e2b0a9c-3f5c-4a44-9a0e-6a7d6f3f1c55';

/** Returns the JSON Schema of a string of at most `maxLength` characters. */
export function stringSchema(maxLength: number) {
  return { type: 'string', maxLength };
}

function integerSchema(minimum: number, maximum: number) {
  return { type: 'integer', format: 'int32', minimum, maximum };
}

/** Headers that every response can contain. */
export const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': {
    required: true,
    description: 'CORS: any origin can read the response.',
    schema: { type: 'string', const: CORS_HEADERS['Access-Control-Allow-Origin'] },
  },
  'X-Request-Id': {
    required: true,
    description: 'Request ID. The server generates it and writes it to the log.',
    schema: { ...stringSchema(36), format: 'uuid' },
  },
  'RateLimit-Policy': {
    description:
      'Rate limit that applies: its name, and `q` requests per window of `w` seconds. Sent with responses to authenticated requests if a limit is set.',
    schema: { ...stringSchema(100), examples: ['"default";q=600;w=60'] },
  },
  RateLimit: {
    description:
      'Remaining quota: `r` requests, and `t` seconds until the window resets. Sent with `RateLimit-Policy`.',
    schema: { ...stringSchema(100), examples: ['"default";r=599;t=42'] },
  },
};

/** All response headers by name. */
export const HEADERS = {
  ...COMMON_HEADERS,
  'Dry-Run': DRY_RUN_HEADER,
  ETag: {
    required: true,
    description: 'Current version of the resource: its `updated_at` in double quotes.',
    schema: stringSchema(26),
  },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before the next request.',
    schema: integerSchema(1, MAX_WINDOW_SECONDS),
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  Location: {
    description:
      'URL path of the resource that the first request created. Sent with `idempotency_response_not_kept`.',
    schema: stringSchema(100),
  },
  'WWW-Authenticate': {
    description:
      'Bearer challenge (RFC 6750). With 403, it lists the required scopes. With 401, the Basic challenge (RFC 7617) follows if the operation also accepts Basic authentication.',
    schema: stringSchema(600),
  },
  'Accept-Patch': {
    required: true,
    description: 'Media types that PATCH accepts.',
    schema: stringSchema(100),
  },
};

/** Parameter `If-None-Match` of operations that read a resource with an ETag. */
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'ETags, or `*`. If one of them matches the current ETag of the resource, the response is 304 without a body. The ETag is `updated_at` in double quotes.',
  schema: stringSchema(MAX_HEAD_BYTES),
} as const;

/** An example of each error by code. */
export const EXAMPLES = Object.fromEntries(
  Object.keys(PROBLEMS)
    .filter(isProblemCode)
    .map((code) => [code, { value: problemBody(exampleProblem(code), REQUEST_ID) }]),
);

function exampleProblem(code: ProblemCode): Problem {
  if (code === 'validation_failed') {
    const unknown: FieldError = {
      code: 'unknown_field',
      detail: 'is not a field of this operation',
      pointer: '#/nmae',
    };
    return validationFailed([unknown, unknownParameter('limti')]);
  }
  if (code === 'invalid_cursor') {
    const detail = 'must be a next_cursor value from a previous response of this list';
    return new Problem(code, { errors: [{ code, detail, parameter: 'cursor' }] });
  }
  return new Problem(code);
}

const FIELD_CODES_DESCRIPTION = Object.entries(FIELD_ERRORS)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
  .join(' ');

/** Response body of every error. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: {
      ...stringSchema(100),
      format: 'uri-reference',
      description: 'Path of the error code documentation.',
    },
    title: stringSchema(100),
    status: integerSchema(400, 599),
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    detail: stringSchema(500),
    request_id: { ...stringSchema(36), format: 'uuid' },
    errors: {
      type: 'array',
      description: 'The invalid fields and parameters, at most 1,000.',
      maxItems: MAX_FIELD_ERRORS,
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          code: { type: 'string', enum: Object.keys(FIELD_ERRORS), description: FIELD_CODES_DESCRIPTION },
          detail: stringSchema(2_000),
          // Contains names from the body; percent-encoding triples the length of each byte.
          pointer: {
            ...stringSchema(3 * MAX_BODY_BYTES),
            description: 'Field of the body, as a JSON Pointer in URI fragment form (RFC 6901).',
          },
          parameter: {
            ...stringSchema(MAX_HEAD_BYTES),
            description: 'Name of the path, query or header parameter.',
          },
        },
      },
    },
  },
};

/** Returns references to shared headers. */
export function headerRefs(names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
