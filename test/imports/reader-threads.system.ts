import { afterEach, describe, expect, it } from 'vitest';
import { READER_LIMITS, type ReaderLimits, ReaderThreads } from '../../src/imports/reader-threads.js';

const FILE = Buffer.from('endpoints: [{ name: API }]');
const MARKERS = Buffer.from('---\n'.repeat(1_000_000));
const TOO_COMPLEX = { code: 'payload_too_large', detail: expect.stringContaining('too complex') };

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
  it('that takes too much memory is 413, and the next one is read', async () => {
    start({ threads: 1, heapMb: 100 });
    const [large, small] = await Promise.all([read(MARKERS), read()]);
    expect(large).toMatchObject(TOO_COMPLEX);
    expect(small).toBe('Health Dashboard');
  });
});

describe('files that are sent at once', () => {
  it('of one organization are read one at a time: a thread is left for the others', async () => {
    start({});
    const slow = Array.from({ length: 3 }, () => read(MARKERS));
    const ended: string[] = [];
    for (const file of slow) void file.then(() => ended.push('slow'));
    expect(await read(FILE, 'two').then(() => ended.length)).toBe(0);
    expect(await Promise.all(slow)).toHaveLength(3);
  });
});
