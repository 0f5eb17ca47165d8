import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { domainsOf } from '../../domains/use-domains.js';
import { useMailBench } from '../../mail/use-channel.js';
import { SMALL_SVG } from '../../support/resources.js';
import { visit } from '../cache/use-visits.js';
import { useContent } from '../../webhooks/content/use-content.js';
import { newDomain, sendForm } from './use-domain.js';

const bench = useMailBench();
const { server } = bench;
const domains = domainsOf(server);
const domain = newDomain();

const on = (host: string, path: string, headers: Record<string, string> = {}, method?: string) =>
  visit(server.url + path, { ...headers, host }, method);

beforeAll(async () => {
  await bench.request('PATCH', `status-pages/${bench.page}/settings`, { custom_domain: domain });
  await domains.verify(bench.page);
  await bench.request('PATCH', `status-pages/${bench.page}`, {
    sections: [{ id: 'a', title: 'All', monitor_ids: await server.monitors(bench.tenant, 1) }],
  });
});

const incident = () =>
  bench.create('incidents', {
    title: 'Slow',
    status: 'investigating',
    body: 'Looking.',
    status_page_ids: [bench.page],
  });

describe('mail of a page with a domain', () => {
  it('contains only links to the domain, which work there', async () => {
    const [recipient, id] = [await bench.subscriber(), await incident()];
    await bench.send(recipient, await bench.eventOf(id, 'incident.created'));
    const { text = '', html, headers } = await bench.last();
    const raw =
      bench.sink.received
        .at(-1)
        ?.message.toString('latin1')
        .replaceAll(/\r\n[ \t]+/g, ' ') ?? '';
    const unsubscribe = /^List-Unsubscribe: <([^>]*)>/m.exec(raw)?.[1] ?? '';
    expect(headers.get('precedence')).toBe('bulk');
    const links = [text, String(html), unsubscribe].flatMap(
      (one) => one.match(/https?:\/\/[^\s"<>]+/g) ?? [],
    );
    expect(links.length).toBeGreaterThanOrEqual(5);
    expect(unsubscribe).toMatch(new RegExp(`^https://${domain}/unsubscribe/st_`));
    for (const link of new Set(links)) {
      const { host, pathname } = new URL(link);
      expect([link, host]).toEqual([link, domain]);
      const { status, text: page } = await on(domain, pathname);
      expect([link, status]).toEqual([link, 200]);
      expect(page).not.toContain('"/status/acme');
    }
    const { pathname } = new URL(unsubscribe);
    expect((await on(domain, pathname, {}, 'POST')).status).toBe(200);
    expect(await server.sql('SELECT FROM subscribers WHERE id = $1', [recipient])).toEqual([]);
  });

  it('leads to the domain if it asks for confirmation, and the pages there lead to others on the domain', async () => {
    const recipient = await bench.subscriber({ status: 'pending' });
    await bench.send(recipient, 'confirmation');
    const { text = '' } = await bench.last();
    const [link = ''] = text.match(/https:\/\/[^\s]+\/confirm\/[^\s]+/) ?? [];
    expect(new URL(link).host).toBe(domain);
    const { pathname } = new URL(link);
    expect((await on(domain, pathname)).status).toBe(200);
    const confirmed = await on(domain, pathname, {}, 'POST');
    const [, manage = ''] = /href="(\/subscription\/[^"]*)"/.exec(confirmed.text) ?? [];
    const managed = await on(domain, manage);
    expect(managed.status).toBe(200);
    const [, end = ''] = /href="(\/unsubscribe\/[^"]*)"/.exec(managed.text) ?? [];
    expect((await on(domain, end)).status).toBe(200);
    // The links also work below the slug, but not on the domain of another page.
    expect((await on('status.example.com', `/status/acme${manage}`)).status).toBe(200);
    const other = newDomain();
    await domains.page(bench.tenant, other);
    expect((await on(other, manage)).status).toBe(404);
  });
});

describe('the form to subscribe on a domain', () => {
  it('stores a request, and shows errors with links to the domain', async () => {
    const send = (fields: Record<string, string>) => sendForm(server.url, domain, '/subscribe', fields);
    const form = await on(domain, '/subscribe');
    expect(form.text).toContain('action="/subscribe"');
    const wrong = await send({ email: 'x' });
    expect(wrong).toMatch(/^HTTP\/1\.1 400 .*action="\/subscribe"/s);
    const email = `${randomUUID()}@example.com`;
    const sent = await send({ email, systems: 'all', detail: 'all' });
    expect(sent).toMatch(/^HTTP\/1\.1 200 /);
    expect(sent).not.toContain('/status/acme');
    expect(
      await server.sql('SELECT status_page_id FROM subscription_requests WHERE email = $1', [email]),
    ).toEqual([{ status_page_id: bench.page }]);
  });
});

describe('messages in chats and pictures of a page with a domain', () => {
  it.each(['slack', 'discord', 'teams'] as const)('lead to the domain: %s', async (format) => {
    const content = useContent(server, bench.tenant);
    const event = await content.eventOf(await incident(), 'incident.created');
    const body = await content.bodyOf(event, content.endpoint(format));
    expect(body?.replaceAll('\\', '')).toContain(`https://${domain}/incidents/`);
    expect(body).not.toContain('status.example.com');
  });

  it('get their URL on the domain, where they are served', async () => {
    const { status, body } = await server.ask<{ data: { logo: { url: string } } }>(
      `/v1/status-pages/${bench.page}/branding/logo`,
      { method: 'PUT', key: bench.tenant.key, headers: { 'Content-Type': 'image/svg+xml' }, body: SMALL_SVG },
    );
    expect(status).toBe(200);
    const { host, pathname } = new URL(body.data.logo.url);
    expect(host).toBe(domain);
    expect((await on(domain, pathname)).headers['content-type']).toBe('image/svg+xml');
  });
});
