import { DomainDirectory } from '../../src/domains/domain-directory.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { passTime } from '../support/clock.js';
import { until } from '../support/server.js';
import { newSlug, visit, visitorStatementsOf } from './cache/use-visits.js';
import { partsOf, useVisits } from './use-visits.js';

const { server, tenant, monitorIn, incident, maintenance, pageOf } = useVisits();

let ids: { monitor: string; incident: string; maintenance: string };

beforeAll(async () => {
  const monitor = await monitorIn('operational');
  const { id } = await incident({ [monitor]: 'partial_outage' });
  ids = { monitor, incident: id, maintenance: await maintenance(1, 2, { monitor_ids: [monitor] }) };
});

const get = (path: string, method?: string) => visit(server.url + path, {}, method);

async function rename(id: string, slug: string, key = tenant.key): Promise<void> {
  const path = `/v1/status-pages/${id}/settings`;
  const { status } = await server.ask(path, { method: 'PATCH', key, json: { slug } });
  expect(status).toBe(200);
}

/** Creates a page, and changes its slug. */
async function moved(fields: object = {}): Promise<{ id: string; former: string; slug: string }> {
  const { id, slug: former } = await pageOf([ids.monitor], fields);
  const slug = newSlug();
  await rename(id, slug);
  return { id, former, slug };
}

/** Waits until a path leads to another one. A process follows a change within two seconds. */
const leads = (path: string, location: string) =>
  until(async () => {
    const { status, headers } = await get(path);
    return status === 308 && headers['location'] === location;
  });

describe('GET /status/{former slug}', () => {
  it('redirects each part of a public page to its present address, with path and query', async () => {
    const { former, slug } = await moved();
    for (const part of partsOf(ids)) {
      const [path = '', partQuery] = part.split('?');
      const queries =
        partQuery === undefined ? ['', '?lang=de&utm_source=A%41', '?x=a?b&y=?'] : [`?${partQuery}&lang=fr`];
      for (const query of queries)
        for (const method of ['GET', 'HEAD']) {
          const { status, headers, text } = await get(`/status/${former}${path}${query}`, method);
          const to = `/status/${slug}${path}${query}`;
          expect([path, status, headers['location'], text]).toEqual([path, 308, to, '']);
          expect(headers).toMatchObject({
            'cache-control': 'no-cache',
            'access-control-allow-origin': '*',
            'content-length': '0',
          });
          expect((await get(to, method)).status).toBe(200);
        }
    }
    expect((await get(`/status/${former}/no-such-part`)).status).toBe(404);
  });

  it('sends the form to subscribe to the present address', async () => {
    const { former, slug } = await moved();
    const body = new URLSearchParams({ email: 'visitor@example.com' });
    const path = `/status/${former}/subscribe?lang=de`;
    const { status, headers } = await fetch(server.url + path, { method: 'POST', body, redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([308, `/status/${slug}/subscribe?lang=de`]);
  });

  it('redirects in one step after several changes, also from cached pages', async () => {
    const { id, former, slug } = await moved();
    expect((await get(`/status/${slug}`)).status).toBe(200);
    await leads(`/status/${former}`, `/status/${slug}`);
    const last = newSlug();
    await rename(id, last);
    await leads(`/status/${former}/feed.rss`, `/status/${last}/feed.rss`);
    await leads(`/status/${slug}`, `/status/${last}`);
  });

  it('never leads back if a page gets its former slug again', async () => {
    const { id, former, slug } = await moved();
    for (const [own, other] of [
      [former, slug],
      [slug, former],
      [former, slug],
    ] as const) {
      await leads(`/status/${own}`, `/status/${other}`);
      await rename(id, own);
      await leads(`/status/${other}`, `/status/${own}`);
      expect((await get(`/status/${own}`)).status).toBe(200); // immediately after the redirect
    }
  });

  it('shows each of two pages that swap their slugs at its new one', async () => {
    const [one, other] = [
      await pageOf([ids.monitor], { name: 'One page' }),
      await pageOf([ids.monitor], { name: 'Other page' }),
    ];
    for (const { slug } of [one, other]) expect((await get(`/status/${slug}`)).status).toBe(200);
    const between = newSlug();
    await rename(one.id, between);
    await rename(other.id, one.slug);
    await rename(one.id, other.slug);
    await until(async () => (await get(`/status/${one.slug}`)).text.includes('Other page'));
    await until(async () => (await get(`/status/${other.slug}`)).text.includes('One page'));
    await leads(`/status/${between}`, `/status/${other.slug}`);
  });

  it('shows another page of the organization that uses the slug', async () => {
    const { former, slug } = await moved();
    await leads(`/status/${former}`, `/status/${slug}`);
    await pageOf([ids.monitor], { slug: former, name: 'Newcomer' });
    const shown = await until(async () => {
      const { status, text } = await get(`/status/${former}`);
      return status === 200 && text;
    });
    expect(shown).toContain('Newcomer');
  });

  it('returns the same 404 as for unknown slugs if the page is private or deleted, also afterwards', async () => {
    const unknown = await get(`/status/${newSlug()}`);
    const isUnknown = async (path: string) => {
      const { status, headers, text } = await get(path);
      return status === 404 && text === unknown.text && headers['etag'] === unknown.headers['etag'];
    };
    const hidden = await moved({ is_public: false });
    expect(await isUnknown(`/status/${hidden.former}`)).toBe(true);

    const closed = await moved();
    await leads(`/status/${closed.former}`, `/status/${closed.slug}`);
    await server.patch(tenant, closed.id, { is_public: false });
    await until(() => isUnknown(`/status/${closed.former}`));

    const deleted = await moved();
    await leads(`/status/${deleted.former}`, `/status/${deleted.slug}`);
    await server.ask(`/v1/status-pages/${deleted.id}`, { method: 'DELETE', key: tenant.key });
    await until(() => isUnknown(`/status/${deleted.former}`));
  });

  it('ends after a year', async () => {
    const { former } = await moved();
    await server.sql(`UPDATE former_slugs SET created_at = now() - interval '1 year' WHERE slug = $1`, [
      former,
    ]);
    expect((await get(`/status/${former}`)).status).toBe(404);
  });

  it('shares a statement with other former and unknown slugs, and executes none within a second', async () => {
    const former = await Promise.all(Array.from({ length: 6 }, () => moved()));
    const slugs = [...former.map((one) => one.former), ...Array.from({ length: 6 }, () => newSlug())];
    await get(`/status/${newSlug()}`); // its statement starts the pause before the next one
    const lookups = async () => {
      const visits = () => Promise.all(slugs.map((slug) => get(`/status/${slug}`)));
      return (await visitorStatementsOf(visits)).filter((text) => text.includes('former_slugs'));
    };
    expect((await lookups()).length).toBeLessThanOrEqual(2); // the visits can arrive during two pauses
    expect(await lookups()).toEqual([]);
  });

  it('redirects to the verified domain of the page', async () => {
    const domain = `${newSlug()}.example`;
    const { id, former, slug } = await moved({ custom_domain: domain });
    await leads(`/status/${former}`, `/status/${slug}`);
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1`, [id]);
    await server.app.get(DomainDirectory).refresh();
    await leads(`/status/${former}`, `http://${domain}/`);
    const { headers } = await get(`/status/${former}/feed.rss?a=b`);
    expect(headers['location']).toBe(`http://${domain}/feed.rss?a=b`);
  });

  it('keeps the page on its domain while the slug changes', async () => {
    const domain = `${newSlug()}.example`;
    const { id } = await pageOf([ids.monitor], { custom_domain: domain });
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1`, [id]);
    await server.app.get(DomainDirectory).refresh();
    const shown = async () => (await visit(`${server.url}/feed.rss`, { host: domain })).status;
    expect(await shown()).toBe(200);
    await rename(id, newSlug());
    const found = new Set<number>();
    for (let ms = 0; ms < 3_000; ms += 100) {
      found.add(await shown());
      await passTime(100);
    }
    expect([...found]).toEqual([200]);
  });

  it('leads to a part that is rendered for the first time after the slug has changed', async () => {
    const domain = `${newSlug()}.example`;
    const { id, slug: former } = await pageOf([ids.monitor], { custom_domain: domain });
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1`, [id]);
    await server.app.get(DomainDirectory).refresh();
    expect((await get(`/status/${former}`)).status).toBe(200);
    await rename(id, newSlug());
    const feed = await visit(`${server.url}/feed.rss`, { host: domain });
    const formerFeed = await get(`/status/${former}/feed.rss`);
    expect([feed.status, formerFeed.status]).toEqual([200, 308]);
  });

  it('redirects without storing the token of a preview link', async () => {
    const { former, slug } = await moved();
    const { status, headers } = await get(`/status/${former}?preview=pv_x`);
    expect([status, headers['location']]).toEqual([308, `/status/${slug}?preview=pv_x`]);
    expect(headers['cache-control']).toBe('private, no-store');
  });
});
