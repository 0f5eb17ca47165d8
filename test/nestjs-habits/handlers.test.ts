import { describe, expect, it } from 'vitest';
import { ID, useNotes } from './use-notes.js';

const { ask, post } = useNotes();

describe('module with plain NestJS code', () => {
  it('stores and reads with @InjectRepository, its own interceptor and ParseUUIDPipe', async () => {
    const made = await post('', { id: ID, title: 'abc', stars: 2 });
    expect([made.status, made.body]).toEqual([201, { data: { id: ID, title: 'abc', stars: 2 } }]);
    const found = await ask(`/one/${ID}`);
    expect([found.status, found.body.data]).toEqual([200, { id: ID.toLowerCase(), title: 'abc', stars: 2 }]);
  });

  it('returns 403 forbidden if its own guard denies access', async () => {
    const { status, body } = await ask('/headers', { headers: { 'X-Door': 'shut' } });
    expect([status, body.code, body.detail]).toEqual([403, 'forbidden', 'Forbidden resource']);
  });

  it('returns 400 validation_failed if a CHECK constraint rejects a value', async () => {
    const { status, body, text } = await post('', { id: ID.replace('AB', 'AC'), title: 'abc', stars: 9 });
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', undefined]);
    expect(body.detail).toMatch(/^A value is invalid/);
    expect(text).not.toMatch(/notes|check|constraint/i);
  });

  it('returns 400 validation_failed for null in a NOT NULL column', async () => {
    const { status, body } = await post('', { id: ID.replace('AB', 'AD'), title: 'abc', stars: null });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([{ code: 'invalid_type', detail: 'must not be null', pointer: '#/stars' }]);
  });
});

describe("NestJS's pipes", () => {
  it.each([
    ['/one/x', 'Validation failed (uuid is expected)'],
    ['/pipes/int?value=x', 'Validation failed (numeric string is expected)'],
    ['/pipes/enum?value=green', 'Validation failed (enum string is expected)'],
    ['/pipes/bool?value=maybe', 'Validation failed (boolean string is expected)'],
  ])('reject %s with 400 validation_failed', async (path, detail) => {
    const { status, body } = await ask(path);
    expect([status, body.code, body.detail]).toEqual([400, 'validation_failed', detail]);
  });

  it.each([
    ['/pipes/int?value=5', 5],
    ['/pipes/enum?value=red', 'red'],
    ['/pipes/bool?value=false', false],
    ['/pipes/bool', true],
    ['/pipes/own?value=abc', 'ABC'],
  ])('convert %s', async (path, data) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([200, { data }]);
  });

  it('include ValidationPipe, which receives a validated body', async () => {
    const note = { id: ID, title: 'abc' };
    expect((await post('/piped', note)).body.data).toEqual(note);
    expect((await post('/piped', { ...note, title: 'abcd' })).body.errors).toMatchObject([
      { code: 'too_long', pointer: '#/title' },
    ]);
  });
});

describe('parameters of a handler', () => {
  it("include @Query('name') without conversion, even beside a DTO", async () => {
    expect((await ask('/query?verbose=1')).body).toEqual({ data: { verbose: '1' } });
    expect((await ask('/query')).body).toEqual({ data: {} });
    expect((await ask('/named?verbose=1&top=5')).body).toEqual({ data: { verbose: '1', top: 5 } });
  });

  it.each([
    ['/query?other=1', 'unknown_parameter', 'other'],
    ['/query?verbose=1&verbose=2', 'repeated_parameter', 'verbose'],
    ['/named?other=1', 'unknown_parameter', 'other'],
    ['/named?verbose=1&verbose=2', 'repeated_parameter', 'verbose'],
    ['/named?top=6', 'out_of_range', 'top'],
  ])('reject %s with 400 %s', async (path, code, parameter) => {
    const { status, body } = await ask(path);
    expect([status, body.errors]).toMatchObject([400, [{ code, parameter }]]);
  });

  it('include @Headers(), @Headers(name), @Param(name), @Param(), @Req() and @Res()', async () => {
    const headers = { 'X-Color': 'red' };
    expect((await ask('/headers', { headers })).body).toEqual({ data: { all: 'red', color: 'red' } });
    expect((await ask('/params/X/Y')).body).toEqual({ data: { id: 'X', other: 'Y' } });
    const { status, body } = await ask('/express');
    expect([status, body]).toEqual([202, { data: 'GET' }]);
  });
});
