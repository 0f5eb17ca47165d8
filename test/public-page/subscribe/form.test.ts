import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/branding/languages.js';
import { wordsOf } from '../../../src/page-model/words.js';
import { SubscriptionTokens } from '../../../src/subscribers/subscription-tokens.js';
import { SubscriptionsService } from '../../../src/subscribers/subscriptions.service.js';
import { until } from '../../support/server.js';
import { requestStatementsOf } from '../../support/statements.js';
import { faultsOf } from '../html-faults.js';
import { everything, type Fields, tags, useSubscribe } from './use-subscribe.js';

const { server, tenant, visit, send, page, requests } = useSubscribe();

const EMAIL = 'Visitor@example.com';

/** Changes whether a page has the form. */
async function change(id: string, subscribe_enabled: boolean): Promise<void> {
  const path = `/v1/status-pages/${id}/settings`;
  const { status } = await server.ask(path, {
    method: 'PATCH',
    key: tenant.key,
    json: { subscribe_enabled },
  });
  expect(status).toBe(200);
}

/** Creates a page with two sections of two monitors each. */
async function pageWithMonitors() {
  const monitors = await server.monitors(tenant, 4);
  const sections = [
    { id: 'a', title: 'Core', monitor_ids: monitors.slice(0, 2) },
    { id: 'b', title: 'Other <b>', monitor_ids: monitors.slice(1) },
  ];
  return { monitors, ...(await page({ sections })) };
}

describe('the form', () => {
  it('offers each monitor once, in its first section', async () => {
    const { slug, monitors } = await pageWithMonitors();
    const { status, text, headers } = await visit(`${slug}/subscribe`);
    expect([status, headers.get('cache-control')]).toEqual([
      200,
      expect.stringMatching(/^public, max-age=10/),
    ]);
    const boxes = tags(text, /<input type="checkbox" name="monitors\[\]"[^>]*>/);
    expect(boxes).toEqual(monitors.map((id) => expect.stringContaining(`value="${id}"`)));
    expect(text).toContain('<bdi>Other &lt;b></bdi>');
    expect(text).toContain(`<form class="form" method="post" action="/status/${slug}/subscribe"`);
  });

  it('offers no monitors on a page without monitors', async () => {
    const { slug } = await page();
    const { text } = await visit(`${slug}/subscribe`);
    expect(text).not.toContain('name="systems"');
    expect(
      (
        await send(`${slug}/subscribe`, [
          ['email', EMAIL],
          ['detail', 'all'],
        ])
      ).status,
    ).toBe(200);
  });

  it('contains no script, because the script would replace what the visitor enters', async () => {
    const { slug } = await page();
    const { text } = await visit(`${slug}/subscribe`);
    expect(text).not.toContain('<script');
  });

  it.each(LANGUAGES)('returns valid HTML with all words of the language: %s', async (language) => {
    const { slug } = await pageWithMonitors();
    const words = wordsOf(language);
    const { text } = await visit(`${slug}/subscribe?lang=${language}`);
    expect(faultsOf(text)).toEqual([]);
    expect(text).toContain(`<html lang="${language}"`);
    for (const word of [
      'email',
      'email_hint',
      'systems',
      'amount',
      'edges',
      'maintenances',
      'by_feed',
    ] as const)
      expect(text).toContain(words.subscription[word]);
    expect(text).toContain(`>${words.subscribe}</button>`);
  });

  it('also lists the feeds if the page has feeds', async () => {
    const { slug } = await page();
    const { text } = await visit(`${slug}/subscribe`);
    expect(text).toContain(`href="/status/${slug}/feed.rss"`);
    const { slug: other } = await page({ rss_enabled: false });
    expect((await visit(`${other}/subscribe`)).text).not.toContain('feed.rss');
  });

  it.each([
    ['a page without subscribe_enabled', { subscribe_enabled: false }],
    ['a private page', { is_public: false }],
  ])('returns the same 404 for %s as for an unknown slug', async (_, fields) => {
    const { id, slug } = await page(fields);
    const unknown = await visit('no-such-page/subscribe');
    expect(unknown.status).toBe(404);
    expect((await visit(`${slug}/subscribe`)).text).toBe(unknown.text);
    const sent = await send(`${slug}/subscribe`, everything(EMAIL));
    expect([sent.status, sent.text]).toEqual([404, unknown.text]);
    expect(await requests({ id })).toEqual([]);
  });

  it('opens from the link of the page', async () => {
    const { slug } = await page();
    expect((await visit(slug)).text).toContain(`<a class="button" href="/status/${slug}/subscribe">`);
    expect((await visit(`${slug}?lang=de`)).text).toContain(`href="/status/${slug}/subscribe?lang=de"`);
    const { slug: other } = await page({ subscribe_enabled: false });
    expect((await visit(other)).text).toContain('<a class="button" href="#subscribe">');
  });

  it('appears and disappears within seconds after a change of the page', async () => {
    const { id, slug } = await page();
    expect((await visit(`${slug}/subscribe`)).status).toBe(200);
    await change(id, false);
    await until(async () => (await visit(`${slug}/subscribe`)).status === 404);
    await change(id, true);
    await until(async () => (await visit(`${slug}/subscribe`)).status === 200);
  });
});

describe('a form that is sent', () => {
  it('stores a request with its choices', async () => {
    const { id, slug, monitors } = await pageWithMonitors();
    const [first = '', second = ''] = monitors;
    const fields: Fields = [
      ['email', ` ${EMAIL} `],
      ['systems', 'some'],
      ['monitors[]', first],
      ['monitors[]', second],
      ['monitors[]', randomUUID()],
      ['detail', 'edges'],
    ];
    const { status, headers, text } = await send(`${slug}/subscribe`, fields);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('set-cookie')).toBe(null);
    expect(faultsOf(text)).toEqual([]);
    expect(text).toContain('<h1 class="title">Check your inbox</h1>');
    expect(text).not.toContain(EMAIL);
    expect(await requests({ id })).toEqual([
      { email: EMAIL, monitor_ids: [first, second], detail: 'edges', maintenances: false },
    ]);
  });

  it('requests all monitors, although some are checked', async () => {
    const { id, slug, monitors } = await pageWithMonitors();
    await send(`${slug}/subscribe`, [...everything(EMAIL), ['monitors[]', monitors[0] ?? '']]);
    expect(await requests({ id })).toEqual([
      { email: EMAIL, monitor_ids: null, detail: 'all', maintenances: true },
    ]);
  });

  it('gets the same response with the same statements for each address', async () => {
    const { id, slug } = await pageWithMonitors();
    const subscriptions = server.app.get(SubscriptionsService, { strict: false });
    const tokens = server.app.get(SubscriptionTokens, { strict: false });
    const insert = async (email: string, status: string) => {
      const subscriber = randomUUID();
      await server.sql(
        `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, suppressed_reason, source)
         VALUES ($1, $2, $3, $4, $5, $5, $6, $7, 'visitor')`,
        [
          subscriber,
          tenant.organization_id,
          tenant.project_id,
          id,
          email,
          status,
          status === 'suppressed' ? 'complained' : null,
        ],
      );
      return subscriber;
    };
    for (const status of ['pending', 'active', 'suppressed']) await insert(`${status}@example.com`, status);
    const ended = await insert('ended@example.com', 'active');
    await subscriptions.unsubscribe(tokens.create('manage', ended));
    await send(`${slug}/subscribe`, everything('first@example.com')); // fills the caches
    const bodies = new Set<string>();
    const statements = new Set<string>();
    for (const name of ['new', 'pending', 'active', 'suppressed', 'ended']) {
      const sent = await requestStatementsOf(async () => {
        const { status, text } = await send(`${slug}/subscribe`, everything(`${name}@example.com`));
        bodies.add(`${status} ${text}`);
      });
      expect(sent.length).toBeGreaterThan(0);
      statements.add(sent.join(';\n'));
    }
    expect([bodies.size, statements.size]).toEqual([1, 1]);
  });

  it('keeps international addresses as typed', async () => {
    const { id, slug } = await page();
    for (const email of ['jürgen@exämple.com', '用户@例子.公司'])
      expect((await send(`${slug}/subscribe`, everything(email))).status).toBe(200);
    expect((await requests({ id })).map(({ email }) => email)).toEqual([
      'jürgen@exämple.com',
      '用户@例子.公司',
    ]);
  });
});

describe('a wrong form', () => {
  it('shows the error of a value that is no monitor at its field', async () => {
    const { id, slug, monitors } = await pageWithMonitors();
    const sendSome = (values: string[]) =>
      send(`${slug}/subscribe`, [
        ['email', EMAIL],
        ['systems', 'some'],
        ...values.map((value): [string, string] => ['monitors[]', value]),
        ['detail', 'all'],
      ]);
    const [first = ''] = monitors;
    const { status, text } = await sendSome([first, 'x']);
    expect(status).toBe(400);
    expect(text).toContain(
      `<p class="error" id="systems-error">${wordsOf('en').subscription.choice_invalid}</p>`,
    );
    expect((await sendSome([first, first])).status).toBe(200); // in two sections of the page
    expect((await requests({ id })).map(({ monitor_ids }) => monitor_ids)).toEqual([[first]]);
  });

  it.each(LANGUAGES)('appears again with each error and all values: %s', async (language) => {
    const { id, slug, monitors } = await pageWithMonitors();
    const { subscription } = wordsOf(language);
    const fields: Fields = [
      ['email', 'no"<script>address'],
      ['systems', 'some'],
      ['detail', 'none'],
    ];
    const { status, text, headers } = await send(`${slug}/subscribe?lang=${language}`, fields);
    expect(status).toBe(400);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(faultsOf(text)).toEqual([]);
    expect(text).toContain('value="no&quot;&lt;script>address"');
    for (const [field, error] of [
      ['email', subscription.email_invalid],
      ['systems', subscription.systems_empty],
      ['detail', subscription.choice_invalid],
    ]) {
      expect(text).toContain(`<li><a href="#${field}">${error}</a></li>`);
      expect(text).toContain(`<p class="error" id="${field}-error">${error}</p>`);
      expect(text).toMatch(new RegExp(`aria-describedby="${field}-error`));
      expect(text).toContain(` id="${field}"`);
    }
    expect(tags(text, /aria-invalid="true"/)).toHaveLength(1);
    expect(text).toMatch(/name="systems" value="some" checked/);
    expect(text).toMatch(/name="maintenances" value="on"\/?>/);
    expect(tags(text, /name="monitors\[\]"[^>]* checked/)).toEqual([]);
    const [first = ''] = monitors;
    const again = await send(`${slug}/subscribe`, [...fields.slice(0, 2), ['monitors[]', first]]);
    expect(tags(again.text, /name="monitors\[\]"[^>]* checked/)).toEqual([
      `name="monitors[]" value="${first}" checked`,
    ]);
    expect(await requests({ id })).toEqual([]);
  });

  it.each([
    ['', 'Enter your email address.'],
    ['a@b@c', 'Enter an email address such as name@example.com.'],
    ['a@example.com\r\nBcc: b@example.com', 'Enter an email address such as name@example.com.'],
    ['a@example.com, b@example.com', 'Enter an email address such as name@example.com.'],
    ['a\u0000@example.com', 'Enter an email address such as name@example.com.'],
    [`${'a'.repeat(500)}@example.com`, 'Enter an email address such as name@example.com.'],
  ])('returns 400 for the address %j', async (email, error) => {
    const { id, slug } = await page();
    const { status, text } = await send(`${slug}/subscribe`, everything(email));
    expect([status, text.includes(error)]).toEqual([400, true]);
    expect(await requests({ id })).toEqual([]);
  });

  it('returns 400 for bytes that are not UTF-8', async () => {
    const { slug } = await page();
    const body = 'email=%FF%FE@example.com&detail=all';
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await visit(`${slug}/subscribe`, { method: 'POST', body, headers })).status).toBe(400);
  });

  it.each([
    ['no type', '', 400],
    ['JSON', 'application/json', 415],
    ['text', 'text/plain', 415],
    ['multipart', 'multipart/form-data; boundary=x', 415],
    ['another charset', 'application/x-www-form-urlencoded; charset=iso-8859-1', 415],
  ])('returns an error for %s', async (_, type, expected) => {
    const { slug } = await page();
    const init = type === '' ? {} : { body: 'email=a@example.com', headers: { 'Content-Type': type } };
    expect((await visit(`${slug}/subscribe`, { method: 'POST', ...init })).status).toBe(expected);
  });

  it('returns 413 for more than 64 KiB', async () => {
    const { slug } = await page();
    const { status } = await send(`${slug}/subscribe`, [['email', 'a'.repeat(65_536)]]);
    expect(status).toBe(413);
  });
});
