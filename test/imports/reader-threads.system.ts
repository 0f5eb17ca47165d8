import { afterEach, describe, expect, it } from 'vitest';
import { Problem } from '../../src/platform/problems/problem.js';
import { READER_LIMITS, type ReaderLimits, ReaderThreads } from '../../src/imports/reader-threads.js';
import { until } from '../support/server.js';

const FILE = Buffer.from('endpoints: [{ name: API }]');
/** Takes 300 MB and seconds. */
const KEYS = Buffer.from(Array.from({ length: 299_000 }, (_, index) => `k${index}: 1\n`).join(''));
const TOO_COMPLEX = { code: 'payload_too_large', detail: expect.stringContaining('too complex') };
const BUSY = { code: 'unavailable', headers: { 'Retry-After': '5' } };

let readers: ReaderThreads;

const start = (limits: Partial<ReaderLimits>) =>
  (readers = new ReaderThreads({ ...READER_LIMITS, ...limits }));

/** Result of reading a file: the name of the page, or the problem. */
const read = (file: Uint8Array = FILE, organization = 'one'): Promise<unknown> =>
  readers.read(organization, 'gatus', file).then(
    ({ name }) => name,
    (error: unknown) => error,
  );

afterEach(() => readers.onApplicationShutdown());

describe('an import file read in a thread', () => {
  it('returns its page, or a problem with code, detail and errors', async () => {
    start({});
    expect(await readers.read('one', 'gatus', FILE)).toMatchObject({
      name: 'Health Dashboard',
      sections: [{ title: 'Endpoints', monitors: [{ name: 'API' }] }],
    });
    const bad = await read(Buffer.from('endpoints: [{ name: "" }]'));
    expect(bad).toBeInstanceOf(Problem);
    expect(bad).toMatchObject({
      code: 'validation_failed',
      detail: '1 field is invalid',
      errors: [{ code: 'too_short', pointer: '#/endpoints/0/name' }],
    });
    expect(await read(Buffer.from('a: *b'))).toMatchObject({
      code: 'malformed_yaml',
      detail: expect.stringMatching(/^Line 1, column \d+: /),
    });
  });

  it('stays unchanged', async () => {
    start({});
    const part = Buffer.concat([Buffer.from('xx'), FILE]).subarray(2);
    await read(part);
    expect(part).toEqual(FILE);
  });

  it('returns 413 for each file that takes too much time', async () => {
    start({ threads: 1, taskMs: 1 });
    expect(await Promise.all([read(), read(), read()])).toMatchObject([
      TOO_COMPLEX,
      TOO_COMPLEX,
      TOO_COMPLEX,
    ]);
    expect(readers.size).toBe(0);
  });

  it('returns 413 for excess memory, and then reads the next file', async () => {
    start({ threads: 1, heapMb: 100 });
    const [large, small] = await Promise.all([read(KEYS), read()]);
    expect(large).toMatchObject(TOO_COMPLEX);
    expect(small).toBe('Health Dashboard');
  });
});

describe('concurrent import files', () => {
  it('run two at a time, and too many fail with 503 and Retry-After', async () => {
    expect(READER_LIMITS.threads).toBe(2);
    start({ waiting: 2 });
    const reading = ['one', 'two', 'one', 'two', 'one'].map((organization) => read(FILE, organization));
    const outcomes = await Promise.all(reading);
    expect(readers.size).toBe(2);
    expect(outcomes.filter((outcome) => outcome === 'Health Dashboard')).toHaveLength(4);
    // The organization with the most waiting files loses its oldest.
    expect(outcomes[2]).toMatchObject(BUSY);
  });

  it('wait behind the first file of another organization if theirs is busy', async () => {
    start({ threads: 1 });
    const order: string[] = [];
    const files = ['one', 'one', 'one', 'one', 'two'].map((organization) =>
      read(FILE, organization).then(() => order.push(organization)),
    );
    await Promise.all(files);
    expect(order.indexOf('two')).toBe(1);
  });

  it('fail with 503 and Retry-After after a bounded wait', async () => {
    start({ threads: 1, waitMs: 1 });
    const [first, second] = await Promise.all([read(), read()]);
    expect([first, second]).toMatchObject(['Health Dashboard', BUSY]);
    expect(await read()).toBe('Health Dashboard');
  });

  it('run one at a time per organization, which leaves a thread for others', async () => {
    start({});
    const slow = Array.from({ length: 3 }, () => read(KEYS));
    const ended: string[] = [];
    for (const file of slow) void file.then(() => ended.push('slow'));
    expect(await read(FILE, 'two').then(() => ended.length)).toBe(0);
    expect(await Promise.all(slow)).toHaveLength(3);
  });
});

describe('an import thread', () => {
  it('reads one file after the other', async () => {
    start({});
    for (let count = 0; count < 3; count++) {
      expect(await read()).toBe('Health Dashboard');
      expect(readers.size).toBe(1);
    }
  });

  it('ends when idle, which frees its memory', async () => {
    start({ idleMs: 1 });
    expect(await read()).toBe('Health Dashboard');
    await until(async () => readers.size === 0);
  });
});
