import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SubscriptionsService } from '../../src/subscribers/subscriptions.service.js';
import { useEvents } from '../events/use-events.js';
import { startSink } from '../mail/sink.js';
import { type Tenant, TestServer, until } from '../support/server.js';

let directory: string;
let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-mail-'));
  server = await TestServer.start({ DELIVERY: 'on', MAIL_DIR: directory, NOTIFY_DELAY: '0' });
  tenant = await server.tenant();
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Returns the messages to an address, oldest first. */
async function mailTo(address: string): Promise<ParsedMail[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.eml')).toSorted();
  const all = await Promise.all(
    names.map(async (name) => simpleParser(await readFile(join(directory, name)))),
  );
  return all.filter(({ to }) => to && !Array.isArray(to) && to.value.some((one) => one.address === address));
}

/** Inserts active subscribers of a page. */
async function subscribe(
  on: TestServer,
  { organization_id, project_id }: Tenant,
  page: string,
  count: number,
): Promise<void> {
  await on.sql(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
     SELECT gen_random_uuid(), $1, $2, $3, n || $5, n || $5, 'active', 'api'
       FROM generate_series(1, $4::integer) AS n`,
    [organization_id, project_id, page, count, `@${page}.example`],
  );
}

describe('mail', () => {
  it('reaches a visitor who has confirmed, once for each update', async () => {
    const { incident, update } = useEvents(server, tenant);
    const slug = 'acme-deliveries';
    await server.page(tenant, { name: 'Acme Cloud', slug, subscribe_enabled: true });
    const email = 'visitor@example.org';
    const form = await fetch(`${server.url}/status/${slug}/subscribe`, {
      method: 'POST',
      body: new URLSearchParams({ email, detail: 'all', maintenances: 'on' }),
    });
    expect(form.status).toBe(200);
    const [confirmation] = await until(async () => {
      const mail = await mailTo(email);
      return mail.length > 0 && mail;
    });
    const [, token = ''] =
      /\/status\/acme-deliveries\/confirm\/(st_[\w-]{54})/.exec(confirmation?.text ?? '') ?? [];

    expect(await server.app.get(SubscriptionsService).confirm(token)).toMatchObject({ status: 'active' });
    const { id } = await incident({ title: 'Slow API', status: 'investigating', body: 'Looking.' });
    await until(async () => (await mailTo(email)).length === 2);
    await update(id, { status: 'resolved', body: 'Fixed.' });
    await until(async () => (await mailTo(email)).length === 3);
    const mails = (await mailTo(email)).slice(1);
    expect(mails.map(({ subject }) => subject)).toEqual(['[Acme Cloud] Slow API', '[Acme Cloud] Slow API']);
    expect(mails.map(({ text }) => text?.split('\n')[0])).toEqual([
      'Investigating: Slow API',
      'Resolved: Slow API',
    ]);
    await until(async () => {
      const due = await server.sql<unknown[]>('SELECT FROM events WHERE due_at IS NOT NULL');
      const pending = await server.sql<unknown[]>(`SELECT FROM deliveries WHERE status = 'pending'`);
      return due.length === 0 && pending.length === 0;
    });
    expect(await mailTo(email)).toHaveLength(3);
    const [{ last_sent_at } = { last_sent_at: null }] = await server.sql<{ last_sent_at: Date | null }[]>(
      'SELECT last_sent_at FROM subscribers WHERE email = $1',
      [email],
    );
    expect(last_sent_at).not.toBeNull();
  });

  it('reaches the few subscribers of a page while another page has many', { timeout: 240_000 }, async () => {
    const sink = await startSink();
    const fast = await TestServer.start({
      DELIVERY: 'on',
      SMTP_URL: sink.url,
      MAIL_FROM: 'status@example.com',
      NOTIFY_DELAY: '0',
    });
    try {
      const [large, small] = [await fast.tenant(), await fast.tenant()];
      const [many, few] = [await fast.page(large), await fast.page(small)];
      await subscribe(fast, large, many.id, 1_500);
      await subscribe(fast, small, few.id, 10);
      const reached = (page: string) =>
        sink.received.filter(({ to }) => to[0]?.endsWith(`@${page}.example`)).length;
      await useEvents(fast, large).incident({ title: 'Large' });
      await until(async () => reached(many.id) > 50);
      await useEvents(fast, small).incident({ title: 'Small' });
      await until(async () => reached(few.id) === 10);
      expect(reached(many.id)).toBeLessThan(1_000);
      expect(new Set(sink.received.map(({ to }) => to[0])).size).toBe(sink.received.length);
    } finally {
      await fast.stop();
      await sink.close();
    }
  });

  it('follows later if the mail server has rejected it temporarily', async () => {
    const sink = await startSink();
    sink.refusal = { at: 'RCPT', code: 451, text: '4.2.1 not now' };
    const deferring = await TestServer.start({
      DELIVERY: 'on',
      SMTP_URL: sink.url,
      MAIL_FROM: 'status@example.com',
      NOTIFY_DELAY: '0',
    });
    try {
      const own = await deferring.tenant();
      const page = await deferring.page(own);
      await subscribe(deferring, own, page.id, 1);
      await useEvents(deferring, own).incident({ title: 'Deferred' });
      const row = await until(async () => {
        const [one] = await deferring.sql<{ error: string | null; in_ms: number }[]>(
          `SELECT error, (extract(epoch FROM due_at - now()) * 1000)::integer AS in_ms FROM deliveries`,
        );
        return one?.error !== null && one;
      });
      expect(row.error).toContain('451');
      expect(row.in_ms).toBeGreaterThan(30_000);
      expect(row.in_ms).toBeLessThan(70_000);
      sink.refusal = undefined;
      await deferring.sql('UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001)');
      await until(async () => sink.received.length === 1);
    } finally {
      await deferring.stop();
      await sink.close();
    }
  });
});
