import { describe, expect, it } from 'vitest';
import { AccessRulesService } from '../../../src/access/access-rules.service.js';
import { networkLimit, pageLimit } from '../../../src/visitors/email/email-entry.js';
import { EmailLinksRepository } from '../../../src/visitors/email/email-links.repository.js';
import { EmailLinksService } from '../../../src/visitors/email/email-links.service.js';
import { passTime } from '../../support/clock.js';
import { until } from '../../support/server.js';
import { statementsOf } from '../../support/statements.js';
import { MONTH, useEntry } from '../use-entry.js';

const { server, tenant, browser, page, change, useUp, mailTo, linkTo, handled } = useEntry();

describe('link by mail', () => {
  it('opens the page that the visitor wanted, with one POST', async () => {
    const { id, slug } = await page({ emails: ['ada@acme.com'] }, { name: 'Inside Acme', slug: 'inside' });
    const visitor = browser();
    const sent = await visitor.send(`/status/${slug}/access/email`, {
      email: 'ADA@acme.com',
      to: MONTH,
    });
    expect(sent.status).toBe(200);
    expect(sent.text).toContain('Check your inbox');
    const link = await linkTo('ADA@acme.com');
    expect(link).toMatch(/^\/status\/inside\/access\/email\/ae_\w{46}\?to=%2Fhistory%3Fmonth%3D[\d-]{7}$/);
    const [mail] = await mailTo('ADA@acme.com');
    expect(mail?.subject).toBe('[Inside Acme] Your link to the status page');
    expect(mail?.html).toContain('Open the status page');
    // A scanner of mail follows the link, and has no effect.
    for (let count = 0; count < 2; count++) {
      const shown = await browser().visit(link);
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('<bdi class="address">ADA@acme.com</bdi>');
      expect(shown.headers.get('cache-control')).toBe('private, no-store');
      expect(shown.headers.getSetCookie()).toEqual([]);
    }
    const used = await visitor.send(link, { to: MONTH });
    expect(used.status).toBe(303);
    expect(used.headers.get('location')).toBe(`/status/${slug}${MONTH}`);
    expect(used.headers.get('cache-control')).toBe('private, no-store');
    expect([...visitor.cookies.keys()]).toEqual([`access-${id}`]);
    expect((await browser().visit(`/status/${slug}${MONTH}`)).status).toBe(403);
    expect((await visitor.visit(`/status/${slug}${MONTH}`)).status).toBe(200);
  });

  it('works once, also if it is used twice at the same time', async () => {
    const { slug } = await page({ email_domains: ['once.example'] });
    await browser().send(`/status/${slug}/access/email`, { email: 'a@once.example' });
    const link = await linkTo('a@once.example');
    const both = await Promise.all([browser().send(link), browser().send(link)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    expect((await browser().visit(link)).text).toContain('This link is no longer valid');
  });

  it('works for 15 minutes', async () => {
    const { slug } = await page({ email_domains: ['late.example'] });
    await browser().send(`/status/${slug}/access/email`, { email: 'a@late.example' });
    const link = await linkTo('a@late.example');
    const [token] = await server.sql<{ minutes: number }[]>(
      `SELECT round(extract(epoch FROM expires_at - created_at) / 60)::integer AS minutes
         FROM access_email_tokens WHERE email = 'a@late.example'`,
    );
    expect(token?.minutes).toBe(15);
    await server.sql(`UPDATE access_email_tokens SET expires_at = now() WHERE email = 'a@late.example'`);
    expect((await browser().visit(link)).status).toBe(404);
    expect((await browser().send(link)).status).toBe(404);
  });

  it('returns 404 for another page, and after the address has lost its access', async () => {
    const one = await page({ email_domains: ['other.example'] });
    const other = await page({ email_domains: ['other.example'] });
    await browser().send(`/status/${one.slug}/access/email`, { email: 'a@other.example' });
    const link = await linkTo('a@other.example');
    expect((await browser().send(link.replace(one.slug, other.slug))).status).toBe(404);
    await change(one, { email_domains: ['new.example'] });
    expect((await browser().visit(link)).status).toBe(404);
    expect((await browser().send(link)).status).toBe(404);
  });

  it('leads only to parts of the page', async () => {
    const { slug } = await page({ email_domains: ['open.example'] });
    const targets = [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/../../v1',
      '/access/email',
      '/x',
    ];
    for (const [index, to] of targets.entries()) {
      const visitor = browser();
      await visitor.send(`/status/${slug}/access/email`, { email: `a${index}@open.example`, to });
      const link = await linkTo(`a${index}@open.example`);
      expect(link).not.toContain('?');
      const { headers } = await visitor.send(link, { to });
      expect(headers.get('location')).toBe(`/status/${slug}`);
    }
  });

  it('leaves only a hash in the database', async () => {
    const { slug } = await page({ email_domains: ['hash.example'] });
    await browser().send(`/status/${slug}/access/email`, { email: 'a@hash.example' });
    const link = await linkTo('a@hash.example');
    const token = /ae_\w+/.exec(link)?.[0] ?? '';
    const rows = await server.sql<{ row: string }[]>(
      `SELECT access_email_tokens::text AS row FROM access_email_tokens
       UNION ALL SELECT deliveries::text FROM deliveries`,
    );
    for (const { row } of rows) {
      expect(row).not.toContain(token.slice(3));
    }
  });
});

describe('form for a link by mail', () => {
  it('gets the same response for every address, and mail only for those with access', async () => {
    const { slug } = await page({ emails: ['known@acme.com'], email_domains: ['münchen.example'] });
    const responses = [];
    const addresses = [
      'Known@ACME.com',
      'a@xn--mnchen-3ya.example',
      'unknown@acme.com',
      'b@sub.münchen.example',
    ];
    for (const email of addresses)
      responses.push(await browser().send(`/status/${slug}/access/email`, { email }));
    const [first] = responses;
    for (const { status, text } of responses) {
      expect(status).toBe(200);
      expect(text).toBe(first?.text);
    }
    await handled();
    const mails = await Promise.all(
      ['known@acme.com', 'a@münchen.example', 'unknown@acme.com', 'b@sub'].map((address) => mailTo(address)),
    );
    expect(mails.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
  });

  it('runs the same statements for every address', async () => {
    const { slug } = await page({ emails: ['listed@acme.com'] });
    await browser().visit(`/status/${slug}`); // looks up the slug
    const found = new Set<string>();
    for (const email of ['listed@acme.com', 'unlisted@acme.com', 'a@other.example']) {
      const statements = await statementsOf(() => browser().send(`/status/${slug}/access/email`, { email }));
      found.add(statements.join('\n'));
    }
    expect(found.size).toBe(1);
    expect([...found][0]).toContain('INSERT INTO access_email_requests');
  });

  it('rejects what is no address', async () => {
    const { slug } = await page({ email_domains: ['acme.com'] });
    for (const email of ['', 'ada', 'ada@', 'a b@acme.com', 'ada@acme.com\r\nBcc: eve@evil.example']) {
      const { status, text } = await browser().send(`/status/${slug}/access/email`, { email });
      expect(status).toBe(403);
      expect(text).toMatch(/role="alert">Enter (your|an) email address/);
    }
  });

  it('returns 429 after five forms with an address or a hundred from a client network, with and without access', async () => {
    const { slug } = await page({ emails: ['bounded@acme.com'], password: 'correct horse' });
    for (const email of ['bounded@acme.com', 'unknown@acme.com']) {
      const statuses = [];
      for (let count = 0; count < 6; count++)
        statuses.push((await browser().send(`/status/${slug}/access/email`, { email })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    }
    const visitor = browser();
    const send = (email: string) => visitor.send(`/status/${slug}/access/email`, { email });
    await useUp(networkLimit(visitor.network), 99);
    expect((await send('a@acme.com')).status).toBe(200);
    const { status, text } = await send('last@acme.com');
    expect(status).toBe(429);
    // The gate with the other way in.
    expect(text).toContain('Try again in 1 hour. Until then, you can use another way in.');
    expect(text).toContain('name="password"');
    expect(text).not.toContain('name="email"');
  });

  it('returns 429 for at most five minutes after a thousand forms of a page, for every address', async () => {
    const { id, slug } = await page({ emails: ['flooded@acme.com'] });
    await useUp(pageLimit(id), 1_000);
    for (const email of ['flooded@acme.com', 'unknown@acme.com']) {
      const { status, headers } = await browser().send(`/status/${slug}/access/email`, { email });
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(300);
    }
  });

  it('returns 404 without such rules, and for public pages', async () => {
    const without = await page({ password: 'correct horse' });
    const open = await page({ emails: ['a@acme.com'] }, { is_public: true });
    for (const path of [`${without.slug}/access/email`, `${open.slug}/access/email`, 'unknown/access/email'])
      expect((await browser().send(`/status/${path}`, { email: 'a@acme.com' })).status).toBe(404);
  });
});

describe('cleanup', () => {
  it('deletes expired links', async () => {
    const { id, slug } = await page({ email_domains: ['old.example'] });
    await browser().send(`/status/${slug}/access/email`, { email: 'a@old.example' });
    await linkTo('a@old.example');
    await server.sql('UPDATE access_email_tokens SET expires_at = now() WHERE status_page_id = $1', [id]);
    await server.app.get(EmailLinksRepository).deleteOld();
    expect(await server.sql('SELECT FROM access_email_tokens WHERE status_page_id = $1', [id])).toEqual([]);
  });
});

describe('mail to an address', () => {
  it('ends after ten in an hour over all pages, links and confirmations together', async () => {
    const pages = [];
    for (let count = 0; count < 4; count++) pages.push(await page({ email_domains: ['victim.example'] }));
    const open = await server.page(tenant, { subscribe_enabled: true });
    const send = (slug: string, email: string) => browser().send(`/status/${slug}/access/email`, { email });
    const subscribe = async () => {
      const fields = { email: 'a@victim.example', systems: 'all', detail: 'all', maintenances: 'on' };
      expect((await browser().send(`/status/${open.slug}/subscribe`, fields)).status).toBe(200);
    };
    for (let count = 0; count < 2; count++) await subscribe();
    await passTime(2_000); // forms are handled once a second
    await until(async () => (await mailTo('a@victim.example')).length === 2);
    const statuses = [];
    for (const { slug } of pages)
      for (const spelling of ['a@victim.example', 'A@VICTIM.example', 'a@victim.example'])
        statuses.push(await send(slug, spelling));
    expect(statuses.map(({ status }) => status)).toEqual([
      ...Array<number>(8).fill(200),
      ...Array<number>(4).fill(429),
    ]);
    expect(Number(statuses.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(Number(statuses.at(-1)?.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
    await subscribe();
    await passTime(2_000);
    await handled();
    await until(async () => (await server.sql<unknown[]>('SELECT FROM subscription_requests')).length === 0);
    await until(async () => (await mailTo('a@victim.example')).length === 10);
    await passTime(10_000);
    expect(await mailTo('a@victim.example')).toHaveLength(10);
    expect((await send(pages[0]?.slug ?? '', 'other@victim.example')).status).toBe(200);
  });

  it('ends at the same limit for addresses without access', async () => {
    const pages = [
      await page({ emails: ['listed@limit.example'] }),
      await page({ emails: ['listed@limit.example'] }),
    ];
    pages.push(await page({ emails: ['listed@limit.example'] }));
    const statuses = [];
    for (const { slug } of pages)
      for (let count = 0; count < 4; count++)
        statuses.push(
          (await browser().send(`/status/${slug}/access/email`, { email: 'unlisted@limit.example' })).status,
        );
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
  });

  it('ends at the same limit for concurrent forms, which several processes can receive', async () => {
    const { slug } = await page({ emails: ['many@processes.example'] });
    const links = server.app.get(EmailLinksService);
    const gated = await server.app.get(AccessRulesService).findBySlug(slug);
    if (!gated) throw new Error('no rules');
    const all = await Promise.all(
      Array.from({ length: 15 }, () => links.request(gated, 'many@processes.example', '')),
    );
    expect(all.filter((seconds) => seconds === undefined)).toHaveLength(10);
  });
});
