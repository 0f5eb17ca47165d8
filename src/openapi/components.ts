import { MAX_RATE_LIMIT } from '../config/env.js';
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
import { WINDOW_SECONDS } from '../server/rate-limit.js';
import { unknownParameter } from '../validation/validate.js';

const REQUEST_ID = '5e2b0a9c-3f5c-4a44-9a0e-6a7d6f3f1c55';

/** Text of up to `maxLength` characters, as JSON Schema. */
export function text(maxLength: number) {
  return { type: 'string', maxLength };
}

function integer(minimum: number, maximum: number) {
  return { type: 'integer', format: 'int32', minimum, maximum };
}

/** The headers that every answer of an operation has, or can have. */
export const HEADERS_OF_ALL = {
  'Access-Control-Allow-Origin': {
    required: true,
    description: 'The pages of every site may read the answer.',
    schema: { type: 'string', const: CORS_HEADERS['Access-Control-Allow-Origin'] },
  },
  'X-Request-Id': {
    required: true,
    description: 'Id of the request, made by the server; the log has it.',
    schema: { ...text(36), format: 'uuid' },
  },
  'RateLimit-Limit': {
    description:
      'Requests a minute for the API key, or for the address without a valid one. Where a limit is set.',
    schema: integer(0, MAX_RATE_LIMIT),
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left of them. Where a limit is set.',
    schema: integer(0, MAX_RATE_LIMIT),
  },
  'RateLimit-Reset': {
    description: 'Seconds until there are all of them again. Where a limit is set.',
    schema: integer(0, WINDOW_SECONDS),
  },
};

/** Every header of the answers of operations, by its name. */
export const HEADERS = {
  ...HEADERS_OF_ALL,
  ETag: {
    required: true,
    description: 'The version that the resource has now: its `updated_at` in double quotes.',
    schema: text(26),
  },
  'Retry-After': { required: true, description: 'Seconds to wait.', schema: integer(1, WINDOW_SECONDS) },
  'WWW-Authenticate': {
    description: 'The bearer scheme (RFC 6750), with 403 the scopes that the key needs.',
    schema: text(200),
  },
  'Accept-Patch': { required: true, description: 'The types that are taken.', schema: text(100) },
};

/** An `If-None-Match` of a request that reads a resource with an ETag. */
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'ETags, or `*`: if the resource still has one of them, the answer is 304, without a body. The ETag is `updated_at` in double quotes.',
  schema: text(MAX_HEAD_BYTES),
} as const;

/** An example of each error, by its code. */
export const EXAMPLES = Object.fromEntries(
  Object.keys(PROBLEMS)
    .filter(isProblemCode)
    .map((code) => [code, { value: problemBody(exampleOf(code), REQUEST_ID) }]),
);

function exampleOf(code: ProblemCode): Problem {
  if (code === 'validation_failed') {
    const unknown: FieldError = {
      code: 'unknown_field',
      detail: 'is not a field that can be sent here',
      pointer: '#/nmae',
    };
    return validationFailed([unknown, unknownParameter('limti')]);
  }
  if (code === 'invalid_cursor') {
    const detail = 'must be taken from next_cursor of a previous answer of this list';
    return new Problem(code, { errors: [{ code, detail, parameter: 'cursor' }] });
  }
  return new Problem(code);
}

const FIELD_CODES = Object.entries(FIELD_ERRORS)
  .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
  .join(' ');

/** The body of every error. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'An error (RFC 9457).',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: { ...text(100), format: 'uri-reference', description: 'Where the error is explained.' },
    title: text(100),
    status: integer(400, 599),
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    detail: text(500),
    request_id: { ...text(36), format: 'uuid' },
    errors: {
      type: 'array',
      description: 'Every field that is not valid.',
      maxItems: MAX_FIELD_ERRORS,
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          code: { type: 'string', enum: Object.keys(FIELD_ERRORS), description: FIELD_CODES },
          detail: text(500),
          // Unknown names come from the body; percent-encoding makes three characters of a byte.
          pointer: {
            ...text(3 * MAX_BODY_BYTES),
            description: 'Where in the body (RFC 6901, as a URI fragment).',
          },
          parameter: {
            ...text(MAX_HEAD_BYTES),
            description: 'Which parameter of the path, query or headers.',
          },
        },
      },
    },
  },
};
