import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ClaimsRepository } from '../../src/domains/claims.repository.js';
import { passTime } from '../support/clock.js';
import { type Tenant, until } from '../support/server.js';
import { type PageWithDomain, useChecks } from './use-checks.js';

const { server, tenant, dns, domains, publish, claim, txtOf, get, stateOf, runChecks, checks } = useChecks();

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const isServed = (domain: string): boolean => domains.directory().get(domain) !== undefined;

/** The claim of a page whose check begins now. */
async function begin({ id }: PageWithDomain, { organization_id }: Tenant = tenant) {
  const begun = await server.app.get(ClaimsRepository, { strict: false }).begin(organization_id, id);
  if (!begun) throw new Error('the page has no domain');
  return begun;
}

/** A page with a domain that a check has verified. */
async function verified() {
  const page = await claim();
  publish(page.domain, txtOf(page));
  await runChecks(page.id);
  expect((await stateOf(page.id))?.status).toBe('verified');
  return page;
}

describe('the periodic check of a domain', () => {
  it('verifies it soon after its record is set, and then checks it daily', async () => {
    const page = await claim();
    await runChecks(page.id);
    const { status, next_in = 0 } = (await stateOf(page.id)) ?? {};
    expect(status).toBe('pending');
    expect(next_in).toBeLessThan(2 * MINUTE);
    publish(page.domain, txtOf(page));
    await runChecks(page.id);
    const after = await stateOf(page.id);
    expect(after?.status).toBe('verified');
    expect(Math.abs((after?.next_in ?? 0) - DAY)).toBeLessThan(0.11 * DAY);
    expect(isServed(page.domain)).toBe(true);
  });

  it('runs less often for an older claim without a record, but at least daily', async () => {
    for (const [age, expected] of [
      ['10 hours', HOUR],
      ['1 year', DAY],
    ] as const) {
      const page = await claim();
      await domains.set(page.id, `claimed_at = now() - interval '${age}'`);
      await runChecks(page.id);
      expect(Math.abs(((await stateOf(page.id))?.next_in ?? 0) - expected)).toBeLessThan(0.11 * expected);
    }
  });

  it('serves a verified domain for 7 days without its record, then no longer, and again when it is back', async () => {
    const page = await verified();
    publish(page.domain);
    await runChecks(page.id);
    expect(await stateOf(page.id)).toMatchObject({ status: 'verified', missing: true });
    expect((await stateOf(page.id))?.next_in).toBeLessThan(1.2 * HOUR);
    expect(isServed(page.domain)).toBe(true);
    await domains.set(page.id, `missing_since = now() - interval '6 days 23 hours'`);
    await runChecks(page.id);
    expect([isServed(page.domain), (await stateOf(page.id))?.status]).toEqual([true, 'verified']);
    await domains.set(page.id, `missing_since = now() - interval '7 days 1 minute'`);
    await runChecks(page.id);
    expect([isServed(page.domain), (await stateOf(page.id))?.status]).toEqual([false, 'lost']);
    publish(page.domain, txtOf(page));
    await runChecks(page.id);
    expect(await stateOf(page.id)).toMatchObject({ status: 'verified', missing: false });
    expect(isServed(page.domain)).toBe(true);
  });

  it('forgets that a record was missing when it is back', async () => {
    const page = await verified();
    publish(page.domain);
    await runChecks(page.id);
    const { body } = await get(page.id);
    expect(body.data.missing_since).not.toBeNull();
    publish(page.domain, txtOf(page));
    await runChecks(page.id);
    const { data } = (await get(page.id)).body;
    expect([data.missing_since, data.status]).toEqual([null, 'verified']);
  });

  it('distinguishes a failure of DNS from a missing record, and tries again soon', async () => {
    const page = await verified();
    publish(page.domain, 'fail');
    await runChecks(page.id);
    expect(await stateOf(page.id)).toMatchObject({ status: 'verified', missing: false });
    expect((await stateOf(page.id))?.next_in).toBeLessThan(12 * MINUTE);
    await domains.set(page.id, `missing_since = now() - interval '8 days'`);
    await runChecks(page.id);
    expect(await stateOf(page.id)).toMatchObject({ status: 'verified', missing: true });
  });

  it('delays no other checks if a DNS server does not respond', async () => {
    const [hanging, page] = [await claim(), await claim()];
    publish(hanging.domain, 'hang');
    publish(page.domain, txtOf(page));
    const run = runChecks(hanging.id, page.id);
    await until(async () => (await stateOf(page.id))?.status === 'verified');
    expect(dns.queries).toContain(`TXT _status-pages.${hanging.domain}`);
    await passTime(10_000);
    await run;
    expect((await stateOf(hanging.id))?.status).toBe('pending');
  });

  it('leaves places for other organizations while the DNS servers of one do not respond', async () => {
    const [own, other] = [await server.tenant(), await server.tenant()];
    const hanging = await Promise.all(Array.from({ length: 60 }, () => claim(own)));
    for (const { domain } of hanging) publish(domain, 'hang');
    const page = await claim(other);
    publish(page.domain, txtOf(page));
    // The others became due first.
    await server.sql(
      "UPDATE status_page_domains SET next_check_at = now() - interval '1 hour' WHERE organization_id = $1",
      [own.organization_id],
    );
    const runs = [await checks().checkDue(), await checks().checkDue(), await checks().checkDue()];
    expect(runs).toEqual([false, false, false]);
    await until(async () => (await stateOf(page.id))?.status === 'verified');
    const begun = () =>
      hanging.filter(({ domain }) => dns.queries.includes(`TXT _status-pages.${domain}`)).length;
    await until(async () => begun() > 0);
    expect(begun()).toBe(10);
    await passTime(10_000);
    await checks().settle();
    await server.sql('DELETE FROM status_page_domains WHERE organization_id = $1', [own.organization_id]);
  });

  it('runs once if several processes check at the same time', async () => {
    const pages = await Promise.all(Array.from({ length: 20 }, () => claim()));
    const ids = pages.map(({ id }) => id);
    await server.sql(
      'UPDATE status_page_domains SET next_check_at = now() - make_interval(secs => 0.001) WHERE status_page_id = ANY($1)',
      [ids],
    );
    await Promise.all([checks().checkDue(), checks().checkDue(), checks().checkDue()]);
    await checks().settle();
    for (const { domain } of pages)
      expect(dns.queries.filter((query) => query === `TXT _status-pages.${domain}`)).toHaveLength(1);
  });

  it('keeps the result of a later check', async () => {
    const page = await verified();
    publish(page.domain);
    const begun = await begin(page);
    await checks().checkNow({ ...begun, now: new Date(begun.now.getTime() - 60_000) }, (work) => work());
    expect(await stateOf(page.id)).toMatchObject({ status: 'verified', missing: false });
    await checks().checkNow(begun, (work) => work());
    expect(await stateOf(page.id)).toMatchObject({ status: 'verified', missing: true });
  });

  it('verifies no domain that the page has changed during the check', async () => {
    const page = await claim();
    publish(page.domain, txtOf(page));
    const begun = await begin(page);
    const path = `/v1/status-pages/${page.id}/settings`;
    const change = (custom_domain: string) =>
      server.ask(path, { method: 'PATCH', key: tenant.key, json: { custom_domain } });
    await change(`other-${page.domain}`);
    await checks().checkNow(begun, (work) => work());
    expect((await stateOf(page.id))?.status).toBe('pending');
    await change(page.domain); // claimed again
    await checks().checkNow(begun, (work) => work());
    expect((await stateOf(page.id))?.status).toBe('pending');
    await checks().checkNow(await begin(page), (work) => work());
    expect((await stateOf(page.id))?.status).toBe('verified');
  });
});

describe('a domain that several organizations claim', () => {
  it('belongs to the one that proves it; the other claims are lost', async () => {
    const domain = `${randomUUID()}.example`;
    const [first, second] = [
      await claim(await server.tenant(), domain),
      await claim(await server.tenant(), domain),
    ];
    publish(domain, txtOf(second));
    await runChecks(first.id, second.id);
    expect((await stateOf(first.id))?.status).toBe('lost');
    expect((await stateOf(second.id))?.status).toBe('verified');
    expect(domains.directory().get(domain)?.page_id).toBe(second.id);
  });

  it('moves to another claim when only its record is left', async () => {
    const domain = `${randomUUID()}.example`;
    const [first, second] = [
      await claim(await server.tenant(), domain),
      await claim(await server.tenant(), domain),
    ];
    publish(domain, txtOf(first));
    await runChecks(first.id);
    publish(domain, txtOf(second));
    await runChecks(second.id);
    expect((await stateOf(first.id))?.status).toBe('lost');
    expect((await stateOf(second.id))?.status).toBe('verified');
    expect(domains.directory().get(domain)?.page_id).toBe(second.id);
    expect(domains.directory().ofPage(first.id)).toBeUndefined();
  });

  it('stays with the one that has proved it later, if an earlier check of another one ends afterwards', async () => {
    const domain = `${randomUUID()}.example`;
    const other = await server.tenant();
    const [former, owner] = [await claim(tenant, domain), await claim(other, domain)];
    publish(domain, txtOf(former));
    await checks().checkNow(await begin(former), async (work) => {
      const found = await work();
      publish(domain, txtOf(owner));
      await checks().checkNow(await begin(owner, other), (again) => again());
      return found;
    });
    await domains.refresh();
    expect((await stateOf(owner.id))?.status).toBe('verified');
    expect(domains.directory().get(domain)?.page_id).toBe(owner.id);
    const state = await stateOf(former.id);
    expect(state?.status).toBe('lost');
    expect(state?.next_in).toBeLessThan(MINUTE / 2); // with what DNS contains now
    publish(domain, txtOf(former));
    await runChecks(former.id);
    expect((await stateOf(former.id))?.status).toBe('verified');
  });

  it('stays with the one that has proved it, if both checks begin in the same millisecond', async () => {
    const domain = `${randomUUID()}.example`;
    const other = await server.tenant();
    const [former, owner] = [await claim(tenant, domain), await claim(other, domain)];
    publish(domain, txtOf(former));
    const begun = await begin(former);
    await checks().checkNow(begun, async (work) => {
      const found = await work();
      publish(domain, txtOf(owner));
      await checks().checkNow({ ...(await begin(owner, other)), now: begun.now }, (again) => again());
      return found;
    });
    expect((await stateOf(owner.id))?.status).toBe('verified');
    expect((await stateOf(former.id))?.status).toBe('lost');
  });

  it('moves to another claim although a later check has missed the record of its holder', async () => {
    const domain = `${randomUUID()}.example`;
    const other = await server.tenant();
    const [first, second] = [await claim(other, domain), await claim(tenant, domain)];
    publish(domain, txtOf(first));
    await checks().checkNow(await begin(first, other), (work) => work());
    publish(domain, txtOf(second));
    await checks().checkNow(await begin(second), async (work) => {
      const found = await work();
      await checks().checkNow(await begin(first, other), (again) => again());
      return found;
    });
    expect((await stateOf(first.id))?.status).toBe('lost');
    expect((await stateOf(second.id))?.status).toBe('verified');
  });

  it('stays with its holder while both records exist', async () => {
    const domain = `${randomUUID()}.example`;
    const [first, second] = [
      await claim(await server.tenant(), domain),
      await claim(await server.tenant(), domain),
    ];
    publish(domain, txtOf(first));
    await runChecks(first.id);
    publish(domain, txtOf(second), txtOf(first));
    for (const id of [second.id, first.id, second.id]) {
      await runChecks(id);
      expect((await stateOf(first.id))?.status).toBe('verified');
      expect((await stateOf(second.id))?.status).toBe('lost');
    }
  });

  it('belongs to exactly one holder after concurrent checks', async () => {
    for (let round = 0; round < 10; round++) {
      const domain = `${randomUUID()}.example`;
      const pages = await Promise.all(
        Array.from({ length: 4 }, async () => claim(await server.tenant(), domain)),
      );
      publish(domain, ...pages.map(txtOf));
      await runChecks(...pages.map(({ id }) => id));
      const states = await Promise.all(pages.map(({ id }) => stateOf(id)));
      expect(states.map((state) => state?.status).toSorted()).toEqual(['lost', 'lost', 'lost', 'verified']);
    }
  });
});
