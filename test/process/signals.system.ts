import { Agent, get, type IncomingMessage, request } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PAGES } from '../../src/demo/demo-pages.js';
import { demoOf, Program, startProgram, stop, useDirectory } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { answerOn, onceAnswered, textOf as text } from '../support/http-agent.js';

const directory = useDirectory();
// Tests whose programs need any database use this server's database. The others stop an embedded one.
const shared = useTestServer();
const tenant = useTenant(shared);

/** Lines of a log that are warnings or errors. Programs of these tests log no slow statements, because a machine may be busy. */
function warningsOf(log: string): string[] {
  return log.split('\n').filter((line) => /"level":[456]0|"stack"/.test(line));
}

function onceConnected(server: Server): Promise<[Socket]> {
  return new Promise((resolve) => server.once('connection', (socket) => resolve([socket])));
}

describe('signal', () => {
  it('during startup ends the process with exit code 0', async () => {
    // A server that accepts the connection but sends nothing, so the startup waits for it.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const program = Program.run('main.js', [], { DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` });
    const [socket]: [Socket] = await onceConnected(silent);
    program.kill('SIGTERM');
    expect([await program.exit(), program.stderr]).toEqual([0, '']);
    socket.destroy();
    silent.close();
  });

  it('sent twice, like Ctrl-C through npm, does not interrupt the shutdown', async () => {
    const server = await startProgram(shared.databaseEnv);
    const page = await shared.page(tenant);
    const headers = {
      Authorization: `Bearer ${tenant.key}`,
      'Content-Type': 'application/json',
      'Content-Length': '14',
    };
    const half = request(`${server.url}/v1/status-pages/${page.id}`, { method: 'PATCH', headers });
    half.write('{"name":"');
    half.flushHeaders();
    await fetch(`${server.url}/health/live`); // on a second connection, because the first request has arrived
    server.kill('SIGINT');
    await until(() =>
      fetch(`${server.url}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    server.kill('SIGINT');
    half.end('x"}  ');
    const [answer] = await onceAnswered(half);
    expect(answer.statusCode).toBe(200);
    answer.resume();
    await stop(server);
  });
});

describe('SIGTERM', () => {
  it('lets the server complete a half-sent request, then exit with 0', async () => {
    const server = await startProgram({ DATA_DIR: await directory.migrated(), SLOW_STATEMENT_MS: '0' });
    const { KEY: key, PAGE } = await demoOf(server);
    const path = `/v1/status-pages/${PAGE}`;
    const agent = new Agent({ keepAlive: true });
    const [idle]: [IncomingMessage] = await onceAnswered(get(`${server.url}/health/live`, { agent }));
    idle.resume();
    await once(idle, 'end');

    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': '19',
    };
    const half = request(server.url + path, { method: 'PATCH', headers });
    half.write('{"name":"T');
    half.flushHeaders();
    // The second request on the server's other connection proves that the first has arrived before it.
    await fetch(`${server.url}/health/live`);
    server.kill('SIGTERM');

    // On a connection that was already open: served with Connection: close.
    const late = await until(async () => {
      const one = await answerOn(agent, `${server.url}/health/live`);
      return one.headers.connection === 'close' && one;
    });
    expect([late.status, JSON.parse(late.text)]).toEqual([200, { data: { status: 'ok' } }]);

    half.end('he end"} ');
    const [answer] = await onceAnswered(half);
    expect([answer.statusCode, (await text(answer)).includes('"name":"The end"')]).toEqual([200, true]);
    expect(await server.exit()).toBe(0);
    expect(server.stdout.trim().split('\n').at(-1)).toMatch(/"level":30,.*"msg":"shutdown complete"}$/);
    expect(warningsOf(server.stdout)).toEqual([]);
    agent.destroy();
  });

  it('under load loses no request and logs no warning', async () => {
    const server = await startProgram({ DATA_DIR: await directory.migrated(), SLOW_STATEMENT_MS: '0' });
    const { KEY: key, PROJECT: project } = await demoOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const statuses = new Map<string, number>();
    let killed = false;
    const client = async () => {
      for (let refused = false; !refused;) {
        const outcome = await answerOn(
          agent,
          `${server.url}/v1/status-pages?project_id=${project}`,
          key,
        ).then(
          ({ status, text: body }) =>
            JSON.parse(body).data?.length === PAGES.length || status !== 200 ? String(status) : 'cut',
          (error: NodeJS.ErrnoException) => String(error.code),
        );
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
        refused = outcome === 'ECONNREFUSED';
        if (!killed && (statuses.get('200') ?? 0) > 200) {
          killed = true;
          server.kill('SIGTERM');
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    expect([...statuses.keys()].filter((outcome) => !['200', 'ECONNREFUSED'].includes(outcome))).toEqual([]);
    expect(await server.exit()).toBe(0);
    expect(warningsOf(server.stdout)).toEqual([]);
    agent.destroy();
  });

  it('ends within a limit even if a request stays incomplete', async () => {
    const server = await startProgram({
      ...shared.databaseEnv,
      SHUTDOWN_TIMEOUT: '1',
    });
    const hanging = request(`${server.url}/v1/status-pages`, {
      method: 'POST',
      headers: { 'Content-Length': '9' },
    });
    hanging.on('error', () => undefined);
    hanging.write('x');
    await fetch(`${server.url}/health/live`);
    const asked = Date.now();
    server.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    expect(Date.now() - asked).toBeLessThan(25_000); // after 30 s, the request would have failed by itself
  });
});
