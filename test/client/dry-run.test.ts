import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../clients/typescript/src/cli/run.js';
import type { DryRun, Incident, StatusPage, StatusPagesClient } from '../../clients/typescript/src/index.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useCommand } from './use-command.js';

const server = useTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'status@example.com' });
const tenant = useTenant(server);
const { prints, json, fails } = useCommand(server, tenant);

let client: StatusPagesClient;
let acme: StatusPage;
let monitor: string;

beforeAll(async () => {
  client = server.client(tenant.key);
  const { project_id } = tenant;
  monitor = (await client.monitors.create({ project_id, name: 'API', key: 'api' })).id;
  const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor] }];
  const page = { project_id, name: 'Acme', slug: 'acme', subscribe_enabled: true, sections };
  acme = await client.statusPages.create(page);
  const subscribers = ['ada@example.com', 'bob@example.com'].map((email) => ({ email }));
  await client.subscribers.createBatch({ status_page_id: acme.id, confirmed: true, subscribers });
});

describe('dryRun of the client', () => {
  it('returns the result and the effects of a write that changes nothing', async () => {
    const { project_id } = tenant;
    const { result, dry_run } = await client.dryRun((dry) =>
      dry.incidents.create({ project_id, title: 'Down', status_page_ids: [acme.id] }),
    );
    expect(result).toMatchObject({ title: 'Down', status: 'investigating' });
    expect(dry_run).toEqual({
      changes: [{ op: 'add', path: '', value: result }],
      notifications: { email: 2, webhook: 0, pages: ['acme'] },
    });
    expect(await client.incidents.list({ project_id }).toArray()).toEqual([]);
  });

  it('combines the effects of several writes, and throws the error of one', async () => {
    const { dry_run } = await client.dryRun(async (dry) => {
      await dry.statusPages.update(acme.id, { name: 'New' }, { ifUnchanged: acme });
      await dry.statusPages.updateSettings(acme.id, { history_days: 30 });
      await dry.monitors.delete(monitor);
    });
    expect(dry_run.changes).toEqual(
      expect.arrayContaining([
        { op: 'replace', path: '/name', value: 'New' },
        { op: 'replace', path: '/history_days', value: 30 },
      ]),
    );
    const stale = { ifUnchanged: '2020-01-01T00:00:00.000Z' };
    const failing = client.dryRun((dry) => dry.statusPages.update(acme.id, { name: 'New' }, stale));
    await expect(failing).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await client.statusPages.get(acme.id)).toEqual(acme);
  });
});

describe('status-pages --dry-run', () => {
  it('prints the changes and the number of messages, and changes nothing', async () => {
    const changed = await prints('page', 'set', 'acme', '--name', 'Acme\u202E', '--subscribe', '--dry-run');
    expect(changed).toBe(
      'Dry run: nothing was changed or sent.\n' +
        '  replace /name "Acme "\n' +
        '0 emails and 0 webhooks would be sent.\n',
    );
    const opened = await prints('--dry-run', 'incident', 'open', 'Down', '--page', 'acme');
    expect(opened.split('\n')).toEqual(
      expect.arrayContaining(['  add /title "Down"', '  add /status "investigating"']),
    );
    expect(opened).not.toMatch(/ add \/(id|created_at|updated_at) /);
    expect(opened).toContain('\n2 emails and 0 webhooks would be sent. Status pages: acme.\n');
    expect(await client.incidents.list({ project_id: tenant.project_id }).toArray()).toEqual([]);
    expect(await client.statusPages.get(acme.id)).toEqual(acme);
  });

  it('prints the data and the effects as JSON', async () => {
    const { data, dry_run } = await json<{ data: Incident; dry_run: DryRun }>(
      'incident',
      'open',
      'Down',
      '--dry-run',
    );
    expect(data.title).toBe('Down');
    expect(dry_run.notifications).toEqual({ email: 2, webhook: 0, pages: ['acme'] });
  });

  it('reads no result that a dry run does not have', async () => {
    await prints('monitor', 'add', 'Web', '--since', '2026-01-01', '--dry-run');
    const domain = await prints('page', 'domain', 'acme', 'status.acme.example', '--dry-run');
    expect(domain).toContain('  replace /custom_domain "status.acme.example"\n');
    const link = await prints('page', 'access-link', 'acme', 'Feed reader', '--dry-run');
    expect(link).toContain('  add /description "Feed reader"\n');
    expect(await client.monitors.list({ project_id: tenant.project_id }).toArray()).toHaveLength(1);
  });

  it('prints the usual result of a command that only reads', async () => {
    expect(await prints('monitor', 'list', '--dry-run')).toBe(await prints('monitor', 'list'));
  });

  it('fails with the error of the write, and with a key for repeated calls', async () => {
    const long = 'x'.repeat(201);
    expect(await fails(1, {}, 'page', 'set', 'acme', '--name', long, '--dry-run')).toContain('name ');
    await fails(2, {}, 'incident', 'open', 'Down', '--dry-run', '--idempotency-key', 'once');
  });

  it('sends no write without dry_run', async () => {
    const writes: string[] = [];
    const code = await runCommand(['page', 'set', 'acme', '--name', 'New', '--subscribe', '--dry-run'], {
      env: { STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY: tenant.key },
      stdout: { write: () => undefined },
      stderr: { write: () => undefined },
      fetch: (request) => {
        const { search } = new URL(request.url);
        if (request.method !== 'GET') writes.push(search, String(request.headers.get('idempotency-key')));
        return server.fetch(request);
      },
    });
    expect([code, writes]).toEqual([0, ['?dry_run=true', 'null', '?dry_run=true', 'null']]);
  });
});
