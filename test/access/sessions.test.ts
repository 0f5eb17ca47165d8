import { IncomingMessage, request as send, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Logger } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AccessRulesService } from '../../src/access/access-rules.service.js';
import { PageSessions, SESSION_SECONDS } from '../../src/access/page-sessions.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { warnOfLostSessions } from '../../src/platform/server/host-cookies.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { onceAnswered } from '../support/http-agent.js';
import { useTenant, useTestServer } from '../support/server.js';
import { PASSWORD, useGate } from './use-gate.js';

const server = useTestServer({ PUBLIC_URL: 'https://status.example.com' });
const tenant = useTenant(server);
const { put, visit, enter, sessionOf } = useGate(server, tenant);

afterEach(() => vi.useRealTimers());

async function pageWithPassword(): Promise<StatusPageDto> {
  const page = await server.page(tenant, { is_public: false });
  await put(page.id, { password: PASSWORD });
  return page;
}

const statusOf = async ({ slug }: StatusPageDto, cookie: string) =>
  (await visit(`/status/${slug}`, { cookie })).status;

/** Returns a cookie that the server has made for a request. */
async function cookieFor({ id }: StatusPageDto, domain?: string): Promise<string> {
  const rules = await server.app.get(AccessRulesService).find(id);
  if (!rules) throw new Error('the page has no rules');
  const message = new IncomingMessage(new Socket());
  if (domain !== undefined) message.domain = { domain, page_id: id, slug: 'page' };
  const response = new ServerResponse(message);
  server.app.get(PageSessions).start(message, response, rules);
  return String(response.getHeader('Set-Cookie')).split(';', 1)[0] ?? '';
}

describe('a session', () => {
  it('uses a cookie for this host alone, unreadable for scripts, for twelve hours', async () => {
    const { slug, id } = await pageWithPassword();
    const { headers } = await enter(slug);
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(1);
    const [pair = '', ...attributes] = (cookies[0] ?? '').split('; ');
    expect(pair).toMatch(new RegExp(`^__Host-access-${id}=[0-9a-z]+\\.[A-Za-z0-9_-]{43}$`));
    expect(attributes.toSorted()).toEqual(
      ['HttpOnly', `Max-Age=${SESSION_SECONDS}`, 'Path=/', 'SameSite=Lax', 'Secure'].toSorted(),
    );
    expect(SESSION_SECONDS).toBe(12 * 3_600);
  });

  it('opens no other page', async () => {
    const [page, other] = [await pageWithPassword(), await pageWithPassword()];
    const cookie = await sessionOf(page.slug);
    expect(await statusOf(page, cookie)).toBe(200);
    expect(await statusOf(other, cookie)).toBe(403);
    expect(await statusOf(other, cookie.replace(page.id, other.id))).toBe(403);
    expect(await statusOf(page, `${cookie}; ${await sessionOf(other.slug)}`)).toBe(200);
  });

  it('opens nothing on another domain', async () => {
    const page = await pageWithPassword();
    expect(await statusOf(page, await cookieFor(page))).toBe(200);
    expect(await statusOf(page, await cookieFor(page, 'status.acme.example'))).toBe(403);
    // A header that names another host changes nothing.
    const cookie = await sessionOf(page.slug, { headers: { 'X-Forwarded-Host': 'evil.example' } });
    expect(await statusOf(page, cookie)).toBe(200);
  });

  it('ends with any change of the rules', async () => {
    const page = await pageWithPassword();
    const cookie = await sessionOf(page.slug);
    await put(page.id, { networks: ['198.51.100.1'] }); // keeps the password
    expect(await statusOf(page, cookie)).toBe(403);
    expect(await statusOf(page, await sessionOf(page.slug))).toBe(200);
  });

  it('ends after twelve hours', async () => {
    const page = await pageWithPassword();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (SESSION_SECONDS - 60) * 1_000 });
    const almost = await cookieFor(page);
    vi.setSystemTime(Date.now() - 120_000);
    const expired = await cookieFor(page);
    vi.useRealTimers();
    expect(await statusOf(page, almost)).toBe(200);
    expect(await statusOf(page, expired)).toBe(403);
  });

  it('becomes invalid if any part of it changes', async () => {
    const page = await pageWithPassword();
    const cookie = await sessionOf(page.slug);
    const [name = '', value = ''] = cookie.split('=', 2);
    const [end = '', mac = ''] = value.split('.');
    const later = (Number.parseInt(end, 36) + 60).toString(36);
    const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    for (const wrong of [
      '',
      'x',
      `${later}.${mac}`,
      `${end}.${flipped(mac)}`,
      `${end}.${mac.slice(0, -1)}`,
      `${end}.${mac}A`,
      `${end}.`,
      `.${mac}`,
      `${end.toUpperCase()}.${mac}`,
      `zzzzzzzz.${mac}`,
      mac,
      `${end}.${'A'.repeat(43)}`,
      `${end}.${mac}%00`,
      '__proto__',
    ])
      expect([wrong, await statusOf(page, `${name}=${wrong}`)]).toEqual([wrong, 403]);
    // The last character has unused bits, so several texts have the same bytes.
    const last = mac.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = alphabet[alphabet.indexOf(last) ^ 1] ?? '';
    expect(await statusOf(page, `${name}=${end}.${mac.slice(0, -1)}${twin}`)).toBe(403);
    expect(await statusOf(page, cookie.replace('__Host-', ''))).toBe(403);
    expect(await statusOf(page, `other=1; ${cookie} ; more=2`)).toBe(200);
  });

  it('ends with the key of the instance', async () => {
    const page = await pageWithPassword();
    const cookie = await sessionOf(page.slug);
    const secrets = server.app.get(SecretsService);
    await secrets.rotate();
    expect(await statusOf(page, cookie)).toBe(200); // the new key is used when all processes know it
    await server.sql(`UPDATE secrets SET created_at = now() - interval '3 minutes' WHERE number > 1`);
    await secrets.reload();
    expect(await statusOf(page, cookie)).toBe(403);
    expect(await statusOf(page, await sessionOf(page.slug))).toBe(200);
  });

  it('starts with a new cookie, and never takes one over from the visitor', async () => {
    const page = await pageWithPassword();
    const planted = `__Host-access-${page.id}=planted`;
    const { headers } = await enter(page.slug, PASSWORD, '', { cookie: planted });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).not.toContain('planted');
    expect(await statusOf(page, planted)).toBe(403);
  });
});

it('warns on startup of a public URL on which browsers keep no sessions', () => {
  const logger = server.app.get<Logger>(LOGGER);
  const warn = vi.spyOn(logger, 'warn').mockReturnValue();
  for (const url of ['https://a.example', 'http://localhost:3000', 'http://localhost/status', 'http://[::1]'])
    warnOfLostSessions(url, logger);
  expect(warn).not.toHaveBeenCalled();
  for (const url of ['http://a.example', 'http://localhost.example', 'http://192.0.2.1:3000'])
    warnOfLostSessions(url, logger);
  expect(warn).toHaveBeenCalledTimes(3);
  expect(warn).toHaveBeenCalledWith(
    'PUBLIC_URL begins with http; browsers cannot keep sessions of private status pages',
  );
  warn.mockRestore();
});

describe('the networks of a page', () => {
  it('let in no visitor through a proxy that TRUST_PROXY does not name', async () => {
    const { id, slug } = await pageWithPassword();
    await put(id, { networks: ['127.0.0.0/8', '::1'] });
    expect((await visit(`/status/${slug}`)).status).toBe(200);
    const headers = { 'X-Forwarded-For': '198.51.100.1' };
    expect((await visit(`/status/${slug}`, { headers })).status).toBe(403);
  });
});

describe('the networks of a page by the host of a request', () => {
  let slug: string;
  beforeAll(async () => {
    const page = await pageWithPassword();
    await put(page.id, { networks: ['127.0.0.0/8', '::1'] });
    ({ slug } = page);
  });

  it.each([
    ['status.example.com', 200],
    ['STATUS.example.com.:443', 200],
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['198.51.100.1:3000', 200],
    ['[::1]', 200],
    ['[2001:db8::1]:3000', 200],
    ['evil.example', 403],
    ['evil.example:3000', 403],
    ['status.example.com.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['localhost.evil.example', 403],
    ['0x7f000001', 403],
    ['[::1', 403],
  ])('let in only hosts of the instance (DNS rebinding): %s %i', async (host, expected) => {
    const asked = send(`${server.url}/status/${slug}`, { headers: { Host: host } }).end();
    const [answer] = await onceAnswered(asked);
    answer.resume();
    expect(answer.statusCode).toBe(expected);
  });
});

describe('the form with the password', () => {
  it('leads to the part that the visitor wanted', async () => {
    const { slug } = await pageWithPassword();
    const id = '018cc251-f400-7000-8000-000000000006';
    const month = new Date().toISOString().slice(0, 7);
    for (const to of [
      '',
      `/incidents/${id}`,
      `/monitors/${id}`,
      `/maintenances/${id}`,
      '/subscribe',
      `/history?month=${month}`,
    ]) {
      const { status, headers } = await enter(slug, PASSWORD, to);
      expect([status, headers.get('location')]).toEqual([303, `/status/${slug}${to}`]);
      expect(headers.get('cache-control')).toBe('private, no-store');
    }
  });

  it('never leads to another site or page', async () => {
    const { slug } = await pageWithPassword();
    for (const to of [
      '//evil.example',
      '///evil.example/%2e%2e',
      'https://evil.example',
      'https:evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '@evil.example',
      '.evil.example',
      '/../other-page',
      '/../../v1/status-pages',
      '/incidents/../../other',
      'javascript:alert(1)',
      '/subscribe\r\nLocation: https://evil.example',
      '/subscribe%0d%0aSet-Cookie:x=1',
      '/history?month=https://evil.example',
      '/feed.rss',
      '/access/oidc',
      '\u0000',
      'x'.repeat(5_000),
    ]) {
      const { status, headers } = await enter(slug, PASSWORD, to);
      expect([to, status, headers.get('location')]).toEqual([to, 303, `/status/${slug}`]);
    }
  });

  it('works if the gate was cached, or belongs to an earlier version of the rules', async () => {
    const page = await pageWithPassword();
    const { text } = await visit(`/status/${page.slug}/subscribe`);
    const [, action = ''] = /action="([^"]*\/access\/password)"/.exec(text) ?? [];
    const [, to = ''] = /name="to" value="([^"]*)"/.exec(text) ?? [];
    await put(page.id, { networks: ['198.51.100.1'] });
    const { status, headers } = await visit(action, { form: { password: PASSWORD, to } });
    expect([status, headers.get('location')]).toEqual([303, `/status/${page.slug}/subscribe`]);
  });

  it('accepts composed and decomposed characters, and up to 200 of them', async () => {
    const page = await server.page(tenant, { is_public: false });
    for (const [password, typed] of [
      ['Schlüssel für Zürich', 'Schlüssel für Zürich'.normalize('NFD')],
      ['😀'.repeat(200), '😀'.repeat(200)],
    ]) {
      await put(page.id, { password });
      expect((await enter(page.slug, typed)).status).toBe(303);
    }
    expect((await enter(page.slug, '😀'.repeat(199))).status).toBe(403);
  });

  it('shows a wrong and an empty password as such', async () => {
    const { slug } = await pageWithPassword();
    for (const [password, text] of [
      ['wrong', 'This password is wrong.'],
      ['', 'Enter the password.'],
    ] as const) {
      const answer = await enter(slug, password, '/subscribe');
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
      expect(answer.text).toContain(text);
      expect(answer.text).toContain('name="to" value="/subscribe"');
      expect(answer.text).not.toContain('value="wrong"');
    }
  });
});
