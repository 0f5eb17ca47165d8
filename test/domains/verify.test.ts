import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { passTime } from '../support/clock.js';
import { expectProblem } from '../support/expectations.js';
import { until } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useChecks } from './use-checks.js';

const { server, tenant, dns, domains, publish, claim, txtOf, get, verify, stateOf, runChecks } = useChecks();

describe('GET /v1/status-pages/{id}/domain', () => {
  it('returns the record that the owner has to set', async () => {
    const page = await claim();
    const { status, body } = await get(page.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      domain: page.domain,
      status: 'pending',
      record: {
        type: 'TXT',
        name: `_status-pages.${page.domain}`,
        value: expect.stringMatching(/^status-pages-verification=[\da-f]{40}$/),
      },
      found: null,
      error: null,
      routing: null,
      checked_at: null,
      verified_at: null,
      missing_since: null,
    });
  });

  it('returns the same value for each domain of a page, and another for each page', async () => {
    const [one, other] = [await claim(), await claim()];
    const valueOf = async (id: string) => (await get(id)).body.data.record.value;
    const value = await valueOf(one.id);
    const path = `/v1/status-pages/${one.id}/settings`;
    await server.ask(path, { method: 'PATCH', key: tenant.key, json: { custom_domain: `2.${one.domain}` } });
    expect(await valueOf(one.id)).toBe(value);
    expect(await valueOf(other.id)).not.toBe(value);
    expect(value).not.toContain(one.id.slice(0, 8));
  });

  it('returns 404 for a page without a custom domain, an unknown page, and one of another organization', async () => {
    const { id } = await server.page(tenant);
    const page = await claim();
    const stranger = await server.tenant();
    for (const ask of [get, verify]) {
      expectProblem(await ask(id), 404, 'not_found');
      expectProblem(await ask(UNKNOWN_ID), 404, 'not_found');
      expectProblem(await ask(page.id, stranger.key), 404, 'not_found');
    }
  });
});

describe('POST /v1/status-pages/{id}/domain/verify', () => {
  it('verifies a domain whose record is set, which is then served', async () => {
    const page = await claim();
    publish(page.domain, 'TXT other', txtOf(page));
    const { status, body } = await verify(page.id);
    expect([status, body.data.status, body.data.error]).toEqual([200, 'verified', null]);
    expect(body.data.found).toEqual(['other', body.data.record.value]);
    expect(body.data.verified_at).toBe(body.data.checked_at);
    await domains.refresh();
    expect(domains.directory().get(page.domain)?.page_id).toBe(page.id);
  });

  it.each([
    ['quotes and spaces around the value', (value: string) => `TXT  "${value}" `],
    ['an alias', (value: string) => value],
  ])('accepts %s', async (kind, recordOfValue) => {
    const page = await claim();
    const record = recordOfValue(txtOf(page).slice('TXT '.length));
    if (kind === 'an alias') {
      publish(page.domain, `CNAME proof.${page.domain}`);
      dns.set(`proof.${page.domain}`, [`TXT ${record}`]);
    } else publish(page.domain, record);
    expect((await verify(page.id)).body.data.status).toBe('verified');
  });

  it('leaves a domain pending without its record, and with the record of another page', async () => {
    const [page, other] = [await claim(), await claim()];
    const { body: missing } = await verify(page.id);
    expect([missing.data.status, missing.data.found, missing.data.error]).toEqual(['pending', [], null]);
    publish(page.domain, txtOf(other), `${txtOf(page)}x`, `${txtOf(page).slice(0, -1)}`);
    const { body } = await verify(page.id);
    expect([body.data.status, body.data.found?.length]).toEqual(['pending', 3]);
    // The record is at the domain itself.
    dns.set(page.domain, [txtOf(page)]);
    publish(page.domain);
    expect((await verify(page.id)).body.data.status).toBe('pending');
  });

  it.each([
    ['fail', 'DNS: server failure'],
    ['hang', 'DNS: timeout'],
  ])('returns the reason if DNS fails (%s), and leaves the status', async (record, error) => {
    const page = await claim();
    publish(page.domain, txtOf(page));
    await verify(page.id);
    publish(page.domain, record);
    const asked = dns.queries.length;
    const verification = verify(page.id);
    await until(async () => dns.queries.length > asked);
    await passTime(10_000);
    const { status, body } = await verification;
    expect([status, body.data.status, body.data.found, body.data.error]).toEqual([
      200,
      'verified',
      null,
      error,
    ]);
    expect((await stateOf(page.id))?.missing).toBe(false);
  });

  it('stores a bounded part of a huge response, but finds the record in it', async () => {
    const page = await claim();
    const long = 'x'.repeat(300);
    publish(
      page.domain,
      ...Array.from({ length: 11 }, (_, index) => `TXT ${index}${long}`),
      'TXT a\0\u{1f600}',
      txtOf(page),
    );
    const { body } = await verify(page.id);
    expect(body.data.status).toBe('verified');
    expect(body.data.found).toHaveLength(10);
    for (const value of body.data.found ?? []) expect(value.length).toBeLessThanOrEqual(255);
    publish(page.domain, 'TXT a\0\u{1f600}');
    expect((await verify(page.id)).status).toBe(200);
  });

  it('shows no address of an internal network, and no connection to it', async () => {
    const page = await claim();
    dns.set(page.domain, ['10.0.0.1', '203.0.113.1']);
    const { body } = await verify(page.id);
    expect(body.data.routing).toEqual({
      addresses: [],
      reaches_us: false,
      error: 'the address is not public',
    });
  });

  it('gives the domain to exactly one of two organizations that verify it concurrently', async () => {
    const other = await server.tenant();
    for (let round = 0; round < 10; round++) {
      const domain = `${randomUUID()}.example`;
      const pages = [await claim(tenant, domain), await claim(other, domain)];
      publish(domain, ...pages.map(txtOf));
      const [one, two] = await Promise.all(
        pages.map(({ id }, index) => verify(id, index === 0 ? tenant.key : other.key)),
      );
      expect([one?.status, two?.status]).toEqual([200, 200]);
      expect([one?.body.data.status, two?.body.data.status].toSorted()).toEqual(['lost', 'verified']);
      await domains.refresh();
      const winner = one?.body.data.status === 'verified' ? pages[0] : pages[1];
      expect(domains.directory().get(domain)?.page_id).toBe(winner?.id);
      const loser = winner === pages[0] ? other : tenant;
      const json = { project_id: loser.project_id, name: 'Second try', custom_domain: domain };
      expectProblem(
        await server.ask('/v1/status-pages', { method: 'POST', key: loser.key, json }),
        409,
        'conflict',
        { code: 'taken', pointer: '#/custom_domain' },
      );
    }
  });

  it('leaves the domain with one holder if another organization claims it concurrently', async () => {
    const other = await server.tenant();
    for (let round = 0; round < 10; round++) {
      const owner = await claim();
      const late = { id: (await server.page(other)).id, domain: owner.domain };
      publish(owner.domain, txtOf(owner), txtOf(late));
      const [verified, claimed] = await Promise.all([
        verify(owner.id),
        server.ask(`/v1/status-pages/${late.id}/settings`, {
          method: 'PATCH',
          key: other.key,
          json: { custom_domain: owner.domain },
        }),
      ]);
      expect(verified.body.data.status).toBe('verified');
      if (claimed.status !== 200)
        expectProblem(claimed, 409, 'conflict', { code: 'taken', pointer: '#/custom_domain' });
      await runChecks(late.id);
      expect((await stateOf(owner.id))?.status).toBe('verified');
      expect((await stateOf(late.id))?.status).not.toBe('verified');
    }
  });

  it('allows 10 checks of a page an hour', async () => {
    const [page, other] = [await claim(), await claim()];
    for (let count = 0; count < 10; count++) expect((await verify(page.id)).status).toBe(200);
    const answer = await verify(page.id);
    expectProblem(answer, 429, 'rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await verify(other.id)).status).toBe(200);
  });
});
