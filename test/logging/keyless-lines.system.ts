import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { cli, type Program, startProgram } from '../support/process.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/server.js';

const COUNT = 2_000;
const LIMIT = 100; // lines in a second

let database: TestDatabase;
let server: Program & { url: string };
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  server = await startProgram({ ...database.env, DEMO: 'false', LOG_LEVEL: 'info', RATE_LIMIT: '0' });
  ({ key } = JSON.parse((await cli(database.env, 'demo', '--pages', '1')).stdout));
});
afterAll(async () => {
  server.kill('SIGTERM');
  await server.exit();
  await database.drop();
});

interface Line {
  time: string;
  msg: string;
  path?: string;
  left_out?: number;
}

function linesFrom(start: number): Line[] {
  const lines = server.stdout.slice(start).split('\n');
  return lines.filter((line) => /^\{.*\}$/.test(line)).map((line) => JSON.parse(line));
}

/** Sends requests as fast as one connection accepts them, and waits for the responses. */
async function flood(head: string): Promise<void> {
  const connection = new RawConnection(server.url).send(`${head}\r\nHost: x\r\n\r\n`.repeat(COUNT));
  await connection.answers(COUNT);
  connection.socket.destroy();
}

describe('requests without a valid API key', () => {
  it.each([
    ['without a key: 401', 'GET /v1/me HTTP/1.1'],
    ['with an unknown key: 401 and 429', `GET /v1/me HTTP/1.1\r\nAuthorization: Bearer x`],
    ['of visitors', 'GET /status/none HTTP/1.1'],
    ['for unknown paths', 'GET /none HTTP/1.1'],
  ])('log at most 100 lines a second and a complete count: %s', async (_case, head) => {
    const start = server.stdout.length;
    const started = performance.now();
    await flood(head);
    const seconds = Math.ceil((performance.now() - started) / 1_000) + 1;
    const sums = () => {
      const lines = linesFrom(start);
      const written = lines.filter(({ msg }) => msg === 'request completed').length;
      const reports = lines.filter(({ msg }) => msg.startsWith('omitted access log lines'));
      const left = reports.reduce((sum, { left_out = 0 }) => sum + left_out, 0);
      return { written, left, reports: reports.length };
    };
    await until(async () => sums().written + sums().left >= COUNT);
    const { written, left, reports } = sums();
    expect(written + left).toBe(COUNT);
    expect(written).toBeLessThanOrEqual(LIMIT * seconds);
    expect(reports).toBeLessThanOrEqual(seconds);
  });

  it('count in the same way if they are invalid HTTP', async () => {
    const start = server.stdout.length;
    const connections = Array.from({ length: 300 }, () => new RawConnection(server.url).send('NO\r\n\r\n'));
    await Promise.all(connections.map(({ closed }) => closed));
    const left = () => linesFrom(start).reduce((sum, { left_out = 0 }) => sum + left_out, 0);
    const written = () => linesFrom(start).filter(({ msg }) => msg === 'invalid request').length;
    await until(async () => left() + written() >= 300);
    expect([left() > 0, left() + written()]).toEqual([true, 300]);
  });

  it('omit no line of a request with a valid key', async () => {
    const start = server.stdout.length;
    const path = '/v1/me';
    const valid = flood(`GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${key}`);
    await Promise.all([flood('GET /none HTTP/1.1'), valid]);
    const written = async () => linesFrom(start).filter((line) => line.path === path).length;
    await until(async () => (await written()) >= COUNT);
    expect(await written()).toBe(COUNT);
  });
});
