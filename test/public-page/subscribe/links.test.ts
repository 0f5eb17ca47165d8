import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/branding/languages.js';
import { wordsOf } from '../../../src/page-model/words.js';
import type { StatusPageDto } from '../../../src/status-pages/dto/status-page.dto.js';
import { SubscriptionTokens } from '../../../src/subscribers/subscription-tokens.js';
import { faultsOf } from '../html-faults.js';
import { everything, type Fields, tags, useSubscribe, type Visited } from './use-subscribe.js';

const { server, tenant, visit, send, page } = useSubscribe();

let shown: StatusPageDto;
let monitors: string[];
beforeEach(async () => {
  monitors = await server.monitors(tenant, 3);
  const sections = [{ id: 'a', title: 'Core', monitor_ids: monitors }];
  shown = await page({ name: 'Acme Cloud', sections, description: 'About us' });
});

/** A subscription and the links in its mail. */
interface Links {
  id: string;
  email: string;
  confirm: string;
  subscription: string;
  unsubscribe: string;
}

async function subscriber(status = 'active', fields: { monitor_ids?: string[] } = {}): Promise<Links> {
  const id = randomUUID();
  const email = `Visitor-${id}@example.com`;
  await server.sql(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, suppressed_reason, monitor_ids, source)
     VALUES ($1, $2, $3, $4, $5, lower($5), $6, $7, $8, 'visitor')`,
    [
      id,
      tenant.organization_id,
      tenant.project_id,
      shown.id,
      email,
      status,
      status === 'suppressed' ? 'bounced' : null,
      fields.monitor_ids ?? null,
    ],
  );
  const tokens = server.app.get(SubscriptionTokens, { strict: false });
  const [confirm, manage] = [tokens.create('confirm', id), tokens.create('manage', id)];
  const { slug } = shown;
  return {
    id,
    email,
    confirm: `${slug}/confirm/${confirm}`,
    subscription: `${slug}/subscription/${manage}`,
    unsubscribe: `${slug}/unsubscribe/${manage}`,
  };
}

const pathsOf = ({ confirm, subscription, unsubscribe }: Links) => [confirm, subscription, unsubscribe];

/** Returns all rows of a subscription. */
const rows = ({ id }: Links): Promise<Record<string, unknown>[]> =>
  server.sql('SELECT * FROM subscribers WHERE id = $1', [id]);

const erased = (): Promise<unknown[]> =>
  server.sql('SELECT FROM erased_subscribers WHERE status_page_id = $1', [shown.id]);

function expectPrivate({ status, headers, text }: Visited, expected = 200): void {
  expect(status).toBe(expected);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(headers.get('set-cookie')).toBe(null);
  expect(text).toContain('<meta name="robots" content="noindex"/>');
  expect(text).not.toMatch(/<script|canonical|hreflang/);
  expect(faultsOf(text)).toEqual([]);
}

const SAVE: Fields = [
  ['systems', 'all'],
  ['detail', 'edges'],
];

describe('a scanner that follows every link', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('changes nothing with %s', async (method) => {
    for (const status of ['pending', 'active', 'suppressed']) {
      const links = await subscriber(status);
      const before = await rows(links);
      const followed = new Set<string>();
      let next = pathsOf(links);
      while (next.length > 0) {
        const found: string[] = [];
        for (const path of next) {
          followed.add(path);
          const { text } = await visit(path, { method });
          for (const [, link = ''] of text.matchAll(/(?:href|action)="\/status\/([^"#]*)/g))
            if (link.includes('/st_') && !followed.has(link)) found.push(link);
        }
        next = [...new Set(found)];
      }
      expect(followed.size).toBeGreaterThanOrEqual(3);
      expect(await rows(links)).toEqual(before);
    }
    expect(await erased()).toEqual([]);
  });
});

describe('the link to confirm', () => {
  it.each(LANGUAGES)('shows a button, which confirms: %s', async (language) => {
    const links = await subscriber('pending');
    const words = wordsOf(language).subscription;
    const path = `${links.confirm}?lang=${language}`;
    const asked = await visit(path);
    expectPrivate(asked);
    expect(asked.text).toContain(`<button class="button" type="submit">${words.confirm}</button>`);
    expect(asked.text).toContain(links.email);
    const confirmed = await send(path);
    expectPrivate(confirmed);
    expect(confirmed.text).toContain(`<h1 class="title">${words.confirmed}</h1>`);
    expect(confirmed.text).toContain(`href="/status/${links.subscription}?lang=${language}"`);
    expect(await rows(links)).toMatchObject([{ status: 'active', confirmed_at: expect.any(Date) }]);
  });

  it('changes nothing if the subscription is already confirmed', async () => {
    const links = await subscriber('pending');
    await send(links.confirm);
    const before = await rows(links);
    for (const repeated of [await send(links.confirm), await visit(links.confirm)])
      expect([repeated.status, repeated.text.includes('You are subscribed')]).toEqual([200, true]);
    expect(await rows(links)).toEqual(before);
  });

  it('keeps a suppression', async () => {
    const links = await subscriber('suppressed');
    expectPrivate(await send(links.confirm), 404);
    expect(await rows(links)).toMatchObject([{ status: 'suppressed' }]);
  });
});

describe('the link to the subscription', () => {
  it.each(LANGUAGES)('shows the choices, changes them and shows them again: %s', async (language) => {
    const links = await subscriber('active', { monitor_ids: monitors.slice(0, 1) });
    const words = wordsOf(language).subscription;
    const path = `${links.subscription}?lang=${language}`;
    const first = await visit(path);
    expectPrivate(first);
    expect(tags(first.text, /value="[^"]*" checked/)).toEqual(
      ['some', monitors[0], 'all', 'on'].map((value) => `value="${value}" checked`),
    );
    const saved = await send(path, [
      ['systems', 'some'],
      ['monitors[]', monitors[1] ?? ''],
      ['monitors[]', monitors[2] ?? ''],
      ['detail', 'edges'],
    ]);
    expectPrivate(saved);
    expect(saved.text).toContain(`<p class="notice" role="status">${words.saved}</p>`);
    expect(tags(saved.text, /value="[^"]*" checked/)).toEqual(
      ['some', monitors[1], monitors[2], 'edges'].map((value) => `value="${value}" checked`),
    );
    expect(await rows(links)).toMatchObject([
      { monitor_ids: monitors.slice(1), detail: 'edges', maintenances: false },
    ]);
    expect(saved.text).toContain(`action="/status/${links.unsubscribe}?lang=${language}"`);
  });

  it('shows a wrong form again, and changes nothing', async () => {
    const links = await subscriber();
    const before = await rows(links);
    const wrong = await send(links.subscription, [
      ['systems', 'some'],
      ['detail', 'edges'],
      ['email', 'other@example.com'],
    ]);
    expectPrivate(wrong, 400);
    expect(wrong.text).toContain('<li><a href="#systems">Select at least one system.</a></li>');
    expect(wrong.text).toContain('value="edges" checked');
    expect(wrong.text).not.toContain('other@example.com');
    expect(await rows(links)).toEqual(before);
  });

  it('takes only forms of at most 64 KiB', async () => {
    const { subscription } = await subscriber();
    const headers = { 'Content-Type': 'application/json' };
    expect((await visit(subscription, { method: 'POST', body: '{}', headers })).status).toBe(415);
    expect((await send(subscription, [['detail', 'a'.repeat(65_536)]])).status).toBe(413);
  });
});

describe('the link to unsubscribe', () => {
  it.each(LANGUAGES)('shows a button, which erases the address: %s', async (language) => {
    const links = await subscriber();
    const words = wordsOf(language).subscription;
    const path = `${links.unsubscribe}?lang=${language}`;
    const asked = await visit(path);
    expectPrivate(asked);
    expect(asked.text).toContain(`<button class="button" type="submit">${words.unsubscribe}</button>`);
    const ended = await send(path);
    expectPrivate(ended);
    expect(ended.text).toContain(`<h1 class="title">${words.unsubscribed}</h1>`);
    expect(ended.text).not.toContain(links.email);
    expect(await rows(links)).toEqual([]);
    expect(await erased()).toHaveLength(1);
  });

  it.each([
    ['urlencoded', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'List-Unsubscribe=One-Click'],
    [
      'multipart',
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['without a type', {}, new Uint8Array(10)],
  ])('unsubscribes mail programs immediately (RFC 8058): %s', async (_, headers, body) => {
    const links = await subscriber();
    for (const expected of [1, 2]) {
      const { status, headers: received } = await visit(links.unsubscribe, { method: 'POST', headers, body });
      expect([expected, status, received.get('set-cookie'), received.get('location')]).toEqual([
        expected,
        200,
        null,
        null,
      ]);
      expect(await rows(links)).toEqual([]);
    }
  });

  it('works while the page is deleted', async () => {
    const links = await subscriber();
    await server.ask(`/v1/status-pages/${shown.id}`, { method: 'DELETE', key: tenant.key });
    const asked = await visit(links.unsubscribe);
    expectPrivate(asked);
    expect(asked.text).not.toContain('Acme');
    expectPrivate(await send(links.unsubscribe));
    expect(await rows(links)).toEqual([]);
  });
});

describe('the links of a private page', () => {
  it('work, and show no more of the page than its mail', async () => {
    const links = await subscriber('active', { monitor_ids: monitors.slice(0, 1) });
    const pending = await subscriber('pending');
    await server.patch(tenant, shown.id, { is_public: false });
    const asked = await Promise.all([...pathsOf(links), pending.confirm].map((path) => visit(path)));
    for (const visited of asked) {
      expectPrivate(visited);
      expect(visited.text).toContain('<bdi>Acme Cloud</bdi>');
      expect(visited.text).not.toMatch(/About us|feed\.rss|Monitor [23]|<a [^>]*href="\/status\/[^/"]*"/);
    }
    expectPrivate(await send(pending.confirm));
    const all = await subscriber('active');
    expectPrivate(await send(all.subscription, SAVE));
    expect(await rows(all)).toMatchObject([{ monitor_ids: null, detail: 'edges' }]);
    expectPrivate(await send(links.unsubscribe));
    expect(await rows(links)).toEqual([]);
  });

  it('extend a subscription neither to all monitors nor to maintenance windows', async () => {
    const [first = '', second = ''] = monitors;
    const links = await subscriber('active', { monitor_ids: [first] });
    await server.sql('UPDATE subscribers SET maintenances = false WHERE id = $1', [links.id]);
    await server.patch(tenant, shown.id, { is_public: false });
    const { text } = await visit(links.subscription);
    expect(tags(text, /<input[^>]*name="systems"[^>]*>/)).toHaveLength(1);
    expect(text).not.toMatch(
      /value="all"[^>]*name="systems"|name="systems"[^>]*value="all"|name="maintenances"/,
    );
    const wider = await send(links.subscription, everything('ada@acme.example'));
    expectPrivate(wider, 400);
    expect(wider.text).toMatch(/<input id="systems"[^>]* checked/);
    expectPrivate(
      await send(links.subscription, [
        ['systems', 'some'],
        ['monitors[]', first],
        ['monitors[]', second],
        ['detail', 'edges'],
        ['maintenances', 'on'],
      ]),
    );
    const kept = { monitor_ids: [first], detail: 'edges', maintenances: false };
    expect(await rows(links)).toMatchObject([kept]);
    // Without monitors on the page, the form has no field of them.
    await server.patch(tenant, shown.id, { sections: [] });
    expectPrivate(await send(links.subscription, [['detail', 'all']]));
    expect(await rows(links)).toMatchObject([{ ...kept, detail: 'all' }]);
  });
});

describe('a link after a change of the slug', () => {
  it('still works, unless another page has the former slug', async () => {
    const links = await subscriber();
    const former = shown.slug;
    const path = `/v1/status-pages/${shown.id}/settings`;
    const json = { slug: `${former}-new` };
    expect((await server.ask(path, { method: 'PATCH', key: tenant.key, json })).status).toBe(200);
    expectPrivate(await visit(links.subscription));
    await page({ slug: former });
    for (const link of pathsOf(links)) expect((await send(link, SAVE)).status).toBe(404);
    expect(await rows(links)).toHaveLength(1);
    const present = links.unsubscribe.replace(former, `${former}-new`);
    expectPrivate(await send(present));
    expect(await rows(links)).toEqual([]);
  });
});

describe('an invalid link', () => {
  /** Returns paths with wrong tokens. */
  async function wrongPaths(slug: string): Promise<string[]> {
    const links = await subscriber('pending');
    const [, , confirm = ''] = links.confirm.split('/');
    const [, , manage = ''] = links.subscription.split('/');
    const forged = `${manage.slice(0, -2)}${manage.endsWith('AA') ? 'BB' : 'AA'}`;
    return [
      `${slug}/confirm/${manage}`,
      `${slug}/subscription/${confirm}`,
      `${slug}/unsubscribe/${confirm}`,
      ...[forged, manage.slice(0, -1), `${manage}A`, manage.toLowerCase(), 'st_', 'x'.repeat(2_000)].flatMap(
        (token) => ['confirm', 'subscription', 'unsubscribe'].map((kind) => `${slug}/${kind}/${token}`),
      ),
    ];
  }

  it('gets a 404 page in the design of the page, and changes nothing', async () => {
    const other = await subscriber('pending');
    for (const path of await wrongPaths(shown.slug))
      for (const visited of [await visit(path), await send(path, SAVE)]) {
        expect([path, visited.status]).toEqual([path, 404]);
        expectPrivate(visited, 404);
        expect(visited.text).toContain('<h1 class="title">This link is no longer valid</h1>');
        expect(visited.text).toContain('<bdi>Acme Cloud</bdi>');
      }
    expect(await rows(other)).toMatchObject([{ status: 'pending' }]);
    expect(await erased()).toEqual([]);
  });

  it.each(LANGUAGES)('gets an explanation in the language: %s', async (language) => {
    const { text } = await visit(`${shown.slug}/confirm/st_?lang=${language}`);
    expect(text).toContain(wordsOf(language).subscription.invalid_text);
  });

  it('belongs to a subscription that has ended or expired', async () => {
    const links = await subscriber('pending');
    await server.sql('DELETE FROM subscribers WHERE id = $1', [links.id]);
    for (const path of pathsOf(links)) expectPrivate(await visit(path), 404);
    expectPrivate(await send(links.confirm), 404);
    expectPrivate(await send(links.subscription, SAVE), 404);
  });

  it('belongs to another page', async () => {
    const links = await subscriber('pending');
    const before = await rows(links);
    const { slug } = await page({ name: 'Other' });
    for (const path of pathsOf(links).map((one) => one.replace(shown.slug, slug)))
      for (const visited of [await visit(path), await send(path, SAVE)]) {
        expectPrivate(visited, 404);
        expect(visited.text).not.toContain(links.email);
      }
    expect(await rows(links)).toEqual(before);
  });

  it('gets the same 404 page for a private page as for an unknown one', async () => {
    const { slug } = await page({ is_public: false });
    const unknown = await visit('no-such-page/confirm/st_');
    for (const path of await wrongPaths(slug)) {
      const { status, text } = await visit(path);
      expect([path, status, text === unknown.text]).toEqual([path, 404, true]);
    }
  });
});
