import { afterEach, describe, expect, it } from 'vitest';
import { Problem } from '../../src/platform/problems/problem.js';
import { READER_LIMITS, type ReaderLimits, ReaderThreads } from '../../src/imports/reader-threads.js';
import { until } from '../support/server.js';

const FILE = Buffer.from('endpoints: [{ name: API }]');
const MARKERS = Buffer.from('---\n'.repeat(1_000_000));
const TOO_COMPLEX = { code: 'payload_too_large', detail: expect.stringContaining('too complex') };
const BUSY = { code: 'unavailable', headers: { 'Retry-After': '5' } };

let readers: ReaderThreads;

const start = (limits: Partial<ReaderLimits>) =>
  (readers = new ReaderThreads({ ...READER_LIMITS, ...limits }));

/** What came of reading a file: the name of the page, or the problem. */
const read = (file: Uint8Array = FILE, organization = 'one'): Promise<unknown> =>
  readers.read(organization, 'gatus', file).then(
    ({ name }) => name,
    (error: unknown) => error,
  );

afterEach(() => readers.onApplicationShutdown());

describe('a file that is read in a thread', () => {
  it('gives its page, or a problem with code, detail and errors', async () => {
    start({});
    expect(await readers.read('one', 'gatus', FILE)).toMatchObject({
      name: 'Health Dashboard',
      sections: [{ title: 'Endpoints', monitors: [{ name: 'API' }] }],
    });
    const bad = await read(Buffer.from('endpoints: [{ name: "" }]'));
    expect(bad).toBeInstanceOf(Problem);
    expect(bad).toMatchObject({
      code: 'validation_failed',
      detail: '1 field is not valid',
      errors: [{ code: 'too_short', pointer: '#/endpoints/0/name' }],
    });
    expect(await read(Buffer.from('a: *b'))).toMatchObject({
      code: 'malformed_yaml',
      detail: expect.stringMatching(/^Line 1, column \d+: /),
    });
  });

  it('is left as it is', async () => {
    start({});
    const part = Buffer.concat([Buffer.from('xx'), FILE]).subarray(2);
    await read(part);
    expect(part).toEqual(FILE);
  });

  it('that takes too much time is 413, and those behind it are read in their turn', async () => {
    start({ threads: 1, taskMs: 1 });
    expect(await Promise.all([read(), read(), read()])).toMatchObject([
      TOO_COMPLEX,
      TOO_COMPLEX,
      TOO_COMPLEX,
    ]);
    expect(readers.size).toBe(0);
  });

  it('that takes too much memory is 413, and the next one is read', async () => {
    start({ threads: 1, heapMb: 100 });
    const [large, small] = await Promise.all([read(MARKERS), read()]);
    expect(large).toMatchObject(TOO_COMPLEX);
    expect(small).toBe('Health Dashboard');
  });
});

describe('files that are sent at once', () => {
  it('are read two at a time; more wait, and too many are 503 with Retry-After', async () => {
    expect(READER_LIMITS.threads).toBe(2);
    start({ waiting: 2 });
    const reading = ['one', 'two', 'one', 'two', 'one'].map((organization) => read(FILE, organization));
    const outcomes = await Promise.all(reading);
    expect(readers.size).toBe(2);
    expect(outcomes.filter((outcome) => outcome === 'Health Dashboard')).toHaveLength(4);
    // The organization with the most waiting files loses its oldest.
    expect(outcomes[2]).toMatchObject(BUSY);
  });

  it('of an organization that has sent many wait behind the first one of another', async () => {
    start({ threads: 1 });
    const order: string[] = [];
    const files = ['one', 'one', 'one', 'one', 'two'].map((organization) =>
      read(FILE, organization).then(() => order.push(organization)),
    );
    await Promise.all(files);
    expect(order.indexOf('two')).toBe(1);
  });

  it('wait for a bounded time: then they are 503 with Retry-After', async () => {
    start({ threads: 1, waitMs: 1 });
    const [first, second] = await Promise.all([read(), read()]);
    expect([first, second]).toMatchObject(['Health Dashboard', BUSY]);
    expect(await read()).toBe('Health Dashboard');
  });

  it('of one organization are read one at a time: a thread is left for the others', async () => {
    start({});
    const slow = Array.from({ length: 3 }, () => read(MARKERS));
    const ended: string[] = [];
    for (const file of slow) void file.then(() => ended.push('slow'));
    expect(await read(FILE, 'two').then(() => ended.length)).toBe(0);
    expect(await Promise.all(slow)).toHaveLength(3);
  });
});

describe('a thread', () => {
  it('reads file after file', async () => {
    start({});
    for (let count = 0; count < 3; count++) {
      expect(await read()).toBe('Health Dashboard');
      expect(readers.size).toBe(1);
    }
  });

  it('ends when it is idle, so that its memory comes back', async () => {
    start({ idleMs: 1 });
    expect(await read()).toBe('Health Dashboard');
    await until(async () => readers.size === 0);
  });
});
