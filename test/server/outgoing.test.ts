import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_STATUSPAGE } from '../../src/imports/example-files.js';
import { useTenant, useTestServer } from '../support/server.js';

// No server-side request forgery: the service connects only to its database and, if configured, to Redis. See also
// test/receivers/bounces.test.ts and test/webhooks/network-guard.test.ts.

const server = useTestServer();
const tenant = useTenant(server);
const bait: Server = createServer();
let visitors = 0;
let url: string;
/** Ports that clients in this process have connected to, both in the tests and in the service. */
const ports = new Set<unknown>();

function note(message: unknown): void {
  const socket: unknown = Object(message).socket;
  if (!(socket instanceof Socket)) return;
  socket.once('connect', () => ports.add(socket.remotePort));
  socket.once('error', ({ message: reason }) => ports.add(reason));
}

beforeAll(async () => {
  bait.on('connection', (socket) => {
    visitors += 1;
    socket.destroy();
  });
  await once(bait.listen(0, '127.0.0.1'), 'listening');
  const address = bait.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  url = `http://127.0.0.1:${address.port}`;
  channel('net.client.socket').subscribe(note);
});
afterAll(() => {
  channel('net.client.socket').unsubscribe(note);
  bait.close();
});

describe('service', () => {
  it('opens no connection to an address from a request', async () => {
    const { key, project_id } = tenant;
    const [monitor] = await server.monitors(tenant, 1);
    const host = new URL(url).host;
    const headers = {
      Referer: url,
      Origin: url,
      'X-Forwarded-Host': host,
      Forwarded: `host="${host}"`,
      'X-Original-URL': url,
      Link: `<${url}>; rel=preload`,
    };
    const yaml = { ...headers, 'Content-Type': 'application/yaml' };
    const named = `${url} ![x](${url}/x.png) [x](${url}) <img src="${url}"> <${url}>`;
    const page = {
      project_id,
      name: url,
      description: named,
      slug: 'bait',
      custom_domain: 'bait.localhost',
      is_public: true,
    };
    const alert = {
      status: 'firing',
      labels: { monitor_id: monitor },
      annotations: { summary: named },
      generatorURL: url,
      startsAt: new Date().toISOString(),
    };
    const answers = [
      await server.ask('/v1/status-pages', { method: 'POST', key, headers, json: page }),
      await server.ask('/v1/incidents', {
        method: 'POST',
        key,
        headers,
        json: { project_id, title: url, body: named },
      }),
      await server.ask(`/v1/imports/gatus?project_id=${project_id}`, {
        method: 'POST',
        key,
        headers: yaml,
        body: `ui: {logo: "${url}", link: "${url}"}\nendpoints:\n  - {name: a, url: "${url}"}\n`,
      }),
      await server.ask(`/v1/imports/upptime?project_id=${project_id}`, {
        method: 'POST',
        key,
        headers: yaml,
        body: `sites:\n  - {name: a, url: "${url}", icon: "${url}"}\nstatus-website: {name: b, logoUrl: "${url}"}\n`,
      }),
      await server.ask(`/v1/imports/statuspage?project_id=${project_id}`, {
        method: 'POST',
        key,
        headers,
        json: { ...EXAMPLE_STATUSPAGE, page: { id: 'a', name: 'c', url } },
      }),
      await server.ask(`/v1/receivers/alertmanager?project_id=${project_id}`, {
        method: 'POST',
        key,
        headers,
        json: { version: '4', externalURL: url, alerts: [alert] },
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 200]);
    for (const path of ['', '/feed.rss', '/api/v2/summary.json', '/history'])
      expect((await fetch(`${server.url}/status/bait${path}`, { headers })).status).toBe(200);
    // A connection of an earlier test can still be open, so that no new one is opened.
    expect([...ports].filter((port) => port !== Number(new URL(server.url).port))).toEqual([]);
    expect(visitors).toBe(0);
  });

  it('would be caught opening a connection', async () => {
    await fetch(url).catch(() => undefined);
    expect(visitors).toBeGreaterThan(0);
    expect(ports).toContain(Number(new URL(url).port));
  });
});
