import type { Logger } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { useNotes } from './use-notes.js';

const { server, ask } = useNotes();

describe("NestJS's exception", () => {
  it.each([
    ['BadRequest', 400, 'validation_failed', 'The moon is wrong'],
    ['Unauthorized', 401, 'invalid_api_key', 'Who?'],
    ['Forbidden', 403, 'forbidden', 'Not you'],
    ['NotFound', 404, 'not_found', 'No such note'],
    ['NotFoundAlone', 404, 'not_found', 'Not Found'],
    ['Conflict', 409, 'conflict', 'Taken'],
    ['PreconditionFailed', 412, 'precondition_failed', 'Changed'],
    ['TooMany', 429, 'rate_limited', 'Slowly'],
    ['Caused', 409, 'conflict', 'Taken'],
    ['OfError', 400, 'validation_failed', 'The request is invalid'],
    ['OfErrorPlain', 409, 'conflict', 'The request conflicts with the current state'],
    ['Long', 400, 'validation_failed', `${'a'.repeat(499)}\uFFFD`],
    ['Mixed', 400, 'validation_failed', 'First; Second'],
    ['NoText', 400, 'validation_failed', 'The request is invalid'],
    ['HttpErrorHidden', 404, 'not_found', 'Not Found'],
    ['HttpErrorLowest', 400, 'validation_failed', 'Odd'],
  ])('%s returns %i %s with its message', async (name, status, code, detail) => {
    const { body, headers, ...answer } = await ask(`/throw/${name}`);
    expect([answer.status, body.code, body.detail]).toEqual([status, code, detail]);
    expect(body.type).toBe(`/problems/${code}`);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('www-authenticate')).toBe(
      status === 401 ? 'Bearer realm="status-pages", error="invalid_token"' : null,
    );
    expect(headers.get('retry-after')).toBe(status === 429 ? '1' : null);
  });

  it.each([
    ['Unprocessable', 422, 'unprocessable_entity', 'Unprocessable Entity', 'Odd'],
    ['Gone', 410, 'gone', 'Gone', 'Gone for good'],
    ['Teapot', 418, 'i_m_a_teapot', "I'm a Teapot", 'Short and stout'],
    ['PlainHttp', 402, 'payment_required', 'Payment Required', 'Pay first'],
    ['Odd', 499, 'unknown', 'Unknown', 'Very odd'],
    ['BadGateway', 502, 'bad_gateway', 'Bad Gateway', 'Bad Gateway'],
    ['OfErrorUncoded', 410, 'gone', 'Gone', 'Gone'],
    ['HttpError', 418, 'i_m_a_teapot', "I'm a Teapot", 'Short and stout'],
  ])('%s without a code returns %i %s of the type about:blank', async (name, status, code, title, detail) => {
    const { status: answered, body, headers } = await ask(`/throw/${name}`);
    const request_id = headers.get('x-request-id');
    expect(answered).toBe(status);
    expect(body).toEqual({ type: 'about:blank', title, status, code, detail, request_id });
  });

  it('keeps properties of its object as members of the response, except in a 5xx', async () => {
    const taken = await ask('/throw/WithMembers');
    expect(taken.body).toMatchObject({ status: 409, code: 'conflict', detail: 'Taken', by: 'Ada' });
    expect(taken.body).not.toHaveProperty('error');
    const gone = await ask('/throw/PlainWithMembers');
    expect([gone.status, gone.body]).toMatchObject([410, { type: 'about:blank', code: 'gone', until: 5 }]);
    expect((await ask('/throw/HiddenMembers')).text).not.toMatch(/hunter2|password/);
  });

  it('for a missing file returns 404 not_found', async () => {
    const { status, body } = await ask('/file');
    expect([status, body.code, body.detail]).toEqual([404, 'not_found', 'Not Found']);
  });

  it.each([
    ['Internal', 500, 'internal_error', null],
    ['Unavailable', 503, 'unavailable', '1'],
    ['BadGateway', 502, 'bad_gateway', null],
    ['AnyError', 500, 'internal_error', null],
    ['Deliberate', 503, 'unavailable', '1'],
    ['Released', 503, 'unavailable', '1'],
    ['ProviderReleased', 503, 'unavailable', '1'],
    ['QueryWithoutCode', 503, 'unavailable', '1'],
    ['QueryWithNumber', 503, 'unavailable', '1'],
    ['NullColumn', 500, 'internal_error', null],
    ['HttpErrorBelow', 500, 'internal_error', null],
    ['HttpErrorRedirect', 500, 'internal_error', null],
    ['HttpErrorUnknown', 500, 'internal_error', null],
    ['HttpErrorText', 500, 'internal_error', null],
    ['Upstream', 500, 'internal_error', null],
  ])('%s keeps its status %i and logs its message', async (name, status, code, retryAfter) => {
    const { status: answered, body, headers, text } = await ask(`/throw/${name}`);
    expect([answered, body.code, headers.get('retry-after')]).toEqual([status, code, retryAfter]);
    expect(text).not.toMatch(/hunter2|secret/);
  });
});

describe('log of exceptions', () => {
  afterEach(() => vi.restoreAllMocks());

  /** The log entries of the filter for an exception, and the ID of the request. */
  async function logged(name: string): Promise<{ request_id: string | null; lines: unknown[][] }> {
    const error = vi.spyOn(server.app.get<Logger>(LOGGER), 'error').mockReturnValue();
    const { headers } = await ask(`/throw/${name}`);
    const calls = error.mock.calls.map((line): unknown[] => line);
    const lines = calls.filter(([, message]) => message !== 'request completed');
    return { request_id: headers.get('x-request-id'), lines };
  }

  it('contains each unexpected error completely, but no Problem', async () => {
    for (const name of ['AnyError', 'Internal', 'AnyError']) {
      const { request_id, lines } = await logged(name);
      expect(lines).toEqual([
        [
          { request_id, error_code: 'internal_error', err: expect.any(Error) },
          'request failed: internal error',
        ],
      ]);
      vi.restoreAllMocks();
    }
    for (const name of ['Deliberate', 'NotFound']) {
      expect((await logged(name)).lines).toEqual([]);
      vi.restoreAllMocks();
    }
  });

  it('contains one stack in ten seconds of an outage, without keys', async () => {
    // After the exceptions of other tests. An integer, because sums of fractions are inexact.
    const start = Math.ceil(performance.now()) + 60_000;
    const expected: [seconds: number, line: object][] = [
      [0, { err: expect.any(Error) }],
      [0, { reason: expect.stringMatching(/^Later: no answer to (?!sp_0{46}).*: string$/) }],
      [9.999, { reason: expect.any(String) }],
      [10, { err: expect.any(Error) }],
      [19.999, { reason: expect.any(String) }],
      [20, { err: expect.any(Error) }],
    ];
    for (const [seconds, line] of expected) {
      vi.spyOn(performance, 'now').mockReturnValue(start + seconds * 1_000);
      const { request_id, lines } = await logged('UnavailableCaused');
      const fields = { request_id, error_code: 'unavailable', ...line };
      expect([seconds, lines]).toEqual([seconds, [[fields, 'request failed: service unavailable']]]);
      vi.restoreAllMocks();
    }
  });
});
