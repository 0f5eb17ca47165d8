import { expect } from 'vitest';
import type { FieldError, ProblemBody } from '../../src/platform/problems/problem.js';
import type { Answer } from './server.js';

/** A response with any body. */
type Unread = Pick<Answer, 'status' | 'headers' | 'text'>;

/**
 * Expects a response to be this problem. Returns its body.
 *
 * ```ts
 * expectProblem(await server.ask('/v1/status-pages/x', { key }), 400, 'validation_failed', { parameter: 'id' });
 * ```
 *
 * @param errors all invalid fields in their order, each with the members to compare; if omitted, they are not
 * compared
 */
export function expectProblem(
  { status, headers, text }: Unread,
  expected: number,
  code: string,
  ...errors: { [Member in keyof FieldError]?: string }[]
): ProblemBody & { errors: FieldError[] } {
  const problem: ProblemBody & { errors: FieldError[] } = JSON.parse(text);
  expect([status, problem.code]).toEqual([expected, code]);
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  if (errors.length > 0) expect(problem.errors).toMatchObject(errors);
  return problem;
}

/** The challenge of Basic authentication, which receivers add to the challenge for a key. */
export const BASIC_CHALLENGE = 'Basic realm="status-pages", charset="UTF-8"';

/** Expects the response to a request without a key. */
export function expectMissingKey(answer: Unread, challenges = 'Bearer realm="status-pages"'): void {
  expectProblem(answer, 401, 'missing_api_key');
  expect(answer.headers.get('www-authenticate')).toBe(challenges);
}

/** Expects the response to a request with an invalid key. */
export function expectInvalidKey(answer: Unread): void {
  expectProblem(answer, 401, 'invalid_api_key');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="status-pages", error="invalid_token"');
}
