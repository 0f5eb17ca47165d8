import { describe, expect, it } from 'vitest';
import {
  MAX_OF_NETWORK,
  MAX_OF_PAGE,
  networkLimit,
  pageLimit,
} from '../../src/visitors/password/password-entry.js';
import { RequestCounts, type Subject } from '../../src/platform/server/request-counts.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { faultsOf } from '../public-page/html-faults.js';
import { PASSWORD, useGate, type Visit } from './use-gate.js';

const server = useTestServer({ TRUST_PROXY: '1' });
const tenant = useTenant(server);
const { put, visit, enter, sessionOf } = useGate(server, tenant);

let networks = 0;
/** Returns the headers of a client in a network of its own. */
const fromNewNetwork = () => ({ 'X-Forwarded-For': `203.0.113.${++networks}` });

/** Counts this many wrong passwords, instead of sending them. */
async function useUp(limit: Subject, count: number): Promise<void> {
  const counts = server.app.get(RequestCounts);
  for (let counted = 0; counted < count; counted++) await counts.add(limit);
}

const networkOf = (headers: { 'X-Forwarded-For': string }) => networkLimit(headers['X-Forwarded-For']);

async function pageWith(rules: object): Promise<StatusPageDto> {
  const page = await server.page(tenant, { is_public: false });
  await put(page.id, rules);
  return page;
}

/** Sends a form again while too many visitors are at the gate, which a busy machine causes. */
async function untilNotBusy(send: () => Promise<Visit>): Promise<Visit> {
  const sent = await send();
  return sent.status === 503 ? untilNotBusy(send) : sent;
}

async function timeOf(action: () => Promise<Visit>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

describe('attempts with a password', () => {
  it('get 429 above the limit of a client network, over all pages together, also with the right password', async () => {
    const [page, other] = [await pageWith({ password: PASSWORD }), await pageWith({ password: PASSWORD })];
    const headers = fromNewNetwork();
    for (let attempt = 0; attempt < MAX_OF_NETWORK; attempt++)
      expect((await enter(attempt % 2 ? page.slug : other.slug, 'wrong', '', { headers })).status).toBe(403);
    for (const password of ['wrong', PASSWORD]) {
      const { status, headers: answered, text } = await enter(page.slug, password, '', { headers });
      expect(status).toBe(429);
      expect(Number(answered.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answered.get('retry-after'))).toBeLessThanOrEqual(900);
      expect(answered.getSetCookie()).toEqual([]);
      expect(text).toContain(page.name);
      expect(text).toMatch(/role="alert">There were too many attempts. Try again in 15 minutes\.\s*</);
      expect(text).not.toContain('<form');
    }
    expect((await enter(page.slug, PASSWORD, '', { headers: fromNewNetwork() })).status).toBe(303);
  });

  it('cost no statements after the limit of a client network', async () => {
    const page = await pageWith({ password: PASSWORD });
    const headers = fromNewNetwork();
    await useUp(networkOf(headers), MAX_OF_NETWORK);
    const statuses: number[] = [];
    const send = async () => statuses.push((await enter(page.slug, 'wrong', '', { headers })).status);
    expect(await statementsOf(send)).not.toEqual([]);
    expect(await statementsOf(send)).toEqual([]);
    expect(statuses).toEqual([429, 429]);
  });

  it('leave the other ways in at the gate, with the time of the next attempt in the language of the visitor', async () => {
    const oidc = { issuer: 'https://login.acme.example', client_id: 'status' };
    const page = await pageWith({ password: PASSWORD, oidc });
    const headers = fromNewNetwork();
    const path = `/status/${page.slug}/access/password?lang=de`;
    const form = { password: 'wrong', to: '/subscribe?lang=de' };
    await useUp(networkOf(headers), MAX_OF_NETWORK - 1);
    expect((await visit(path, { form, headers })).status).toBe(403);
    const { status, headers: answered, text } = await visit(path, { form, headers });
    expect([status, answered.get('cache-control')]).toEqual([429, 'private, no-store']);
    expect(faultsOf(text)).toEqual([]);
    expect(text).toContain(
      'role="alert">Es gab zu viele Versuche. Versuchen Sie es in 15 Minuten erneut. Bis dahin können',
    );
    const forms = [...text.matchAll(/action="([^"]*)"/g)].map(([, action]) => action);
    expect(forms).toEqual([`/status/${page.slug}/access/oidc?lang=de`]);
    expect(text).toContain('name="to" value="/subscribe?lang=de"');
  });

  it('count only if they are wrong, so that an office behind one address can sign in', async () => {
    const page = await pageWith({ password: PASSWORD });
    const headers = fromNewNetwork();
    await useUp(networkOf(headers), MAX_OF_NETWORK - 1);
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await enter(page.slug, PASSWORD, '', { headers })).status).toBe(303);
  });

  it('get 429 above the limit of a page, over all client networks together, without ending its sessions', async () => {
    const page = await pageWith({ password: PASSWORD });
    const cookie = await sessionOf(page.slug, { headers: fromNewNetwork() });
    const statuses: number[] = [];
    await useUp(pageLimit(page.id), MAX_OF_PAGE - 15);
    for (let sent = 0; sent < 30; sent += 10) {
      const headers = fromNewNetwork();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => untilNotBusy(() => enter(page.slug, 'wrong', '', { headers }))),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    const countOf = (one: number) => statuses.filter((status) => status === one).length;
    expect([countOf(403), countOf(429)]).toEqual([15, 15]);
    const { status, headers } = await enter(page.slug, PASSWORD, '', { headers: fromNewNetwork() });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(300);
    expect((await visit(`/status/${page.slug}`, { cookie })).status).toBe(200);
  });

  it('take the same time for right and wrong passwords, and for pages without one', async () => {
    const page = await pageWith({ password: PASSWORD });
    const without = await pageWith({ networks: ['198.51.100.1'] });
    const times: Record<string, number[]> = { right: [], wrong: [], without: [] };
    for (let attempt = 0; attempt < 7; attempt++) {
      const headers = fromNewNetwork();
      times['right']?.push(await timeOf(() => enter(page.slug, PASSWORD, '', { headers })));
      times['wrong']?.push(await timeOf(() => enter(page.slug, 'another password', '', { headers })));
      times['without']?.push(await timeOf(() => enter(without.slug, PASSWORD, '', { headers })));
    }
    // The fastest ones, because other programs only add time.
    const fastest = Object.values(times).map((all) => Math.min(...all));
    // A hash takes most of the time. Without one, the response would take a fifth.
    expect(Math.max(...fastest) / Math.min(...fastest)).toBeLessThan(3);
  });
});

describe('the networks of a page', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.77', true],
    ['192.0.2.0/24', '192.0.3.1', false],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['192.0.2.0/24', '192.0.2.1, 198.51.100.1', false],
  ])('let in only clients with an address in them: %s, %s, %s', async (network, client, isAdmitted) => {
    const page = await pageWith({ networks: [network] });
    const { status } = await visit(`/status/${page.slug}`, { headers: { 'X-Forwarded-For': client } });
    expect(status).toBe(isAdmitted ? 200 : 403);
  });
});
