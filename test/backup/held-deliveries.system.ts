import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type One, TestServer, until, useTenant, useTestServer } from '../support/server.js';
import { call, failureOf, onDatabase, useBackups } from './use-backups.js';

const server = useTestServer();
const tenant = useTenant(server);
const backups = useBackups();

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Creates a resource of the project on a server. */
async function create(on: TestServer, path: string, fields: object): Promise<string> {
  const json = { project_id: tenant.project_id, ...fields };
  const { status, body, text } = await on.ask<One<{ id: string }>>(path, {
    method: 'POST',
    key: tenant.key,
    json,
  });
  if (status !== 201) throw new Error(text);
  return body.data.id;
}

describe('a restored database', () => {
  it('sends nothing that was pending, and what was planned only after release-deliveries', async () => {
    const page = await server.page(tenant, {
      name: 'Page',
      slug: 'restored',
      is_public: true,
      subscribe_enabled: true,
    });
    const subscriber = { status_page_id: page.id, email: 'ada@example.org', confirmed: true };
    await server.ask('/v1/subscribers', { method: 'POST', key: tenant.key, json: subscriber });
    await create(server, '/v1/incidents', { title: 'Of the backup' });
    await create(server, '/v1/maintenances', {
      title: 'Planned',
      starts_at: inHours(5),
      ends_at: inHours(6),
    });
    await server.sql(
      `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, due_at)
       SELECT gen_random_uuid(), subscribers.organization_id, subscribers.project_id, 'email', events.id, subscribers.id, now()
         FROM subscribers, events WHERE events.type = 'incident.created'`,
    );
    const [backup, target] = [backups.path(), await backups.database()];
    await call(server.env, 'backup', backup);
    const summary: object = await call(target, 'restore', backup);
    // The events of the incident and of the new window, and the delivery; then reminder, start and end.
    expect(summary).toMatchObject({ deliveries: { ended: 3, held: 3 } });

    const MAIL_DIR = backups.path('mails');
    const env = { ...target, DELIVERY: 'on', MAIL_DIR, NOTIFY_DELAY: '0' };
    const restored = await TestServer.start(env);
    try {
      await create(restored, '/v1/incidents', { title: 'After the restore' });
      const mails = await until(async () => {
        const names = (await readdir(MAIL_DIR).catch(() => [])).filter((name) => name.endsWith('.eml'));
        return names.length > 0 && names;
      });
      expect(mails).toHaveLength(1);
      expect(await readFile(join(MAIL_DIR, mails[0] ?? ''), 'utf8')).toContain('After the restore');
      expect(await call(restored.env, 'release-deliveries')).toEqual({ released: 3 });
      const due = await restored.sql<unknown[]>(
        'SELECT FROM events WHERE is_planned AND due_at = created_at',
      );
      expect(due).toHaveLength(3);
    } finally {
      await restored.stop();
    }
  });

  it('cannot come from a database with tables of other programs', async () => {
    const target = await backups.database({ migrated: true });
    await onDatabase(target, (database) => database.query('CREATE TABLE notes (id int)'));
    expect(await failureOf(target, 'backup', backups.path('foreign'))).toContain('tables of other programs');
    expect(await readdir(backups.path('.'))).not.toContain('foreign');
  });
});
