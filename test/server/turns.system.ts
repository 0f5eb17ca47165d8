import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { type Tenant, TestServer } from '../support/server.js';
import { LONGEST_TURN_MS, MeasuredProgram } from '../support/turns.js';

const MONITORS = 1_000;
const TIMES = 4;

let server: TestServer;
let tenant: Tenant;
let program: MeasuredProgram;
let monitors: string[];
let page: string;

/** 200 sections of 5 monitors. */
const sections = (title: string) =>
  Array.from({ length: 200 }, (_, place) => ({
    id: `section-${place}`,
    title: title.repeat(90),
    monitor_ids: monitors.slice(place * 5, place * 5 + 5),
  }));

beforeAll(async () => {
  server = await TestServer.start();
  tenant = await server.tenant();
  monitors = await server.monitors(tenant, MONITORS);
  ({ id: page } = await server.page(tenant, { sections: sections('a '), description: '😀'.repeat(2_000) }));
  await server.sql(`
    INSERT INTO status_pages
    SELECT (jsonb_populate_record(page, jsonb_build_object('id', gen_random_uuid(), 'slug', 'copy-' || number))).*
      FROM status_pages page, generate_series(1, 49) number`);
  program = await MeasuredProgram.start(server.databaseEnv);
});

afterAll(async () => {
  await Program.killAll();
  await server.stop();
});

function send(
  method: string,
  path: string,
  body?: string | object,
  type = 'application/json',
): Promise<Response> {
  return fetch(`${program.url}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${tenant.key}`, ...(body !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const at = (index: number) => new Date(Date.now() - 3_600_000 + index * 60_000).toISOString();

describe('event loop turns stay below 30 ms for', () => {
  it.each<[string, (index: number) => Promise<Response>]>([
    [
      'a list of 50 status pages with 1,000 monitors each',
      () => send('GET', `status-pages?project_id=${tenant.project_id}&limit=100`),
    ],
    ['a status page with 1,000 monitors', () => send('GET', `status-pages/${page}`)],
    [
      'an update of its sections',
      (index) => send('PATCH', `status-pages/${page}`, { sections: sections(`${index} `) }),
    ],
    ['its revisions', () => send('GET', `status-pages/${page}/revisions?limit=100`)],
    ['a revision', () => send('GET', `status-pages/${page}/revisions/1`)],
    ['a restored revision', () => send('POST', `status-pages/${page}/revisions/1/restore`, {})],
    ['a list of 100 monitors', () => send('GET', `monitors?project_id=${tenant.project_id}&limit=100`)],
    [
      'a batch of 1,000 reports',
      (index) =>
        send('POST', 'monitor-reports', {
          project_id: tenant.project_id,
          reports: monitors.map((monitor_id) => ({
            monitor_id,
            status: 'operational',
            observed_at: at(index),
          })),
        }),
    ],
    [
      'an import of 1,000 monitors',
      (index) => {
        const endpoints = monitors.map(
          (_, place) => `  - { name: Monitor ${place}, group: Group ${place % 200} }\n`,
        );
        const file = `endpoints:\n${endpoints.join('')}ui: { title: Imported ${index} ${randomUUID().slice(0, 8)} }\n`;
        return send('POST', `imports/gatus?project_id=${tenant.project_id}`, file, 'application/yaml');
      },
    ],
  ])('%s', { timeout: 120_000 }, async (_, request) => {
    expect(await program.turnOf(TIMES, request)).toBeLessThan(LONGEST_TURN_MS);
  });
});
