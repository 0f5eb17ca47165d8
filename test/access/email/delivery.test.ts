import type { Logger } from 'pino';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LOGGER } from '../../../src/platform/logging/logging.module.js';
import { useEntry } from '../use-entry.js';
import { startSink } from '../../mail/sink.js';
import { until } from '../../support/server.js';
import { simpleParser } from 'mailparser';

const sink = await startSink();
afterAll(() => sink.close());

const { server, browser, page } = useEntry({
  MAIL_DIR: '',
  SMTP_URL: sink.url,
  MAIL_FROM: 'status@acme.com',
});

const deliveries = (): Promise<{ status: string; error: string | null; attempts: number }[]> =>
  server.sql(`SELECT status, error, attempts FROM deliveries WHERE channel = 'access' ORDER BY id`);

const settled = (count: number) =>
  until(async () => {
    const rows = await deliveries();
    return rows.length === count && rows.every(({ status }) => status !== 'pending') && rows;
  });

describe('delivery of a link by mail', () => {
  it('retries with a new link after a temporary failure, for 15 minutes', async () => {
    const { slug } = await page({ email_domains: ['acme.com'] }, { name: 'Inside Acme' });
    sink.refusal = { at: 'DATA', code: 451, text: 'try later' };
    await browser().send(`/status/${slug}/access/email`, { email: 'ada@acme.com' });
    await until(async () => (await deliveries()).some(({ error }) => error !== null));
    sink.refusal = undefined;
    await server.sql(
      `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE channel = 'access' AND status = 'pending'`,
    );
    const [delivery] = await settled(1);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2 });
    const mail = await simpleParser(sink.received.at(-1)?.message ?? '');
    expect(mail.from?.text).toBe('"Inside Acme" <status@acme.com>');
    // One person has requested it: no bulk mail, and no subscription.
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    for (const name of ['precedence', 'list', 'list-unsubscribe', 'list-unsubscribe-post'])
      expect(mail.headers.has(name)).toBe(false);
    const [link = ''] = /https?:\/\/\S+/.exec(mail.text ?? '') ?? [];
    expect((await browser().send(new URL(link).pathname)).status).toBe(303);

    sink.refusal = { at: 'DATA', code: 451, text: 'try later' };
    await browser().send(`/status/${slug}/access/email`, { email: 'late@acme.com' });
    await until(async () => (await deliveries()).length === 2 && (await deliveries())[1]?.error !== null);
    await server.sql(`UPDATE access_email_requests SET created_at = created_at - interval '16 minutes'`);
    await server.sql(
      `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE channel = 'access' AND status = 'pending'`,
    );
    expect((await settled(2)).at(-1)).toMatchObject({
      status: 'failed',
      error: 'not sent within 15 minutes',
    });
    expect(await server.sql('SELECT FROM access_email_requests')).toEqual([]);
    sink.refusal = undefined;
  });

  it('sends the mail once if its form cannot be deleted afterwards', async () => {
    const { slug } = await page({ email_domains: ['acme.com'] });
    await server.sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await server.sql(
      'CREATE TRIGGER refuse BEFORE DELETE ON access_email_requests FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    const warn = vi.spyOn(server.app.get<Logger>(LOGGER), 'warn').mockReturnValue();
    const count = (await deliveries()).length;
    await browser().send(`/status/${slug}/access/email`, { email: 'once@acme.com' });
    expect((await settled(count + 1)).at(-1)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(sink.received.filter(({ to }) => to.includes('once@acme.com'))).toHaveLength(1);
    // The cleanup of old forms, a periodic task, can fail as well.
    const message = 'could not delete the request of a link by mail';
    expect(warn.mock.calls.filter(([, logged]) => logged === message)).toHaveLength(1);
    warn.mockRestore();
    await server.sql('DROP FUNCTION refuse() CASCADE');
  });
});
