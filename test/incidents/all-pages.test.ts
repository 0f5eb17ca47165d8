import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { Incident, IncidentUpdate } from '../../clients/typescript/src/index.js';
import { IncidentsOnAllPages1763652810100 } from '../../src/platform/database/migrations/1763652810100-incidents-on-all-pages.js';
import { useVisits } from '../public-page/use-visits.js';
import type { ListPage, One } from '../support/server.js';

const { server, tenant, send, incident, monitor, monitorIn, page, pageOf, summaryOf, visit, visitUntil } =
  useVisits();

type Shown = { id: string; slug: string };

/** Returns the IDs of all incidents in the documents of Statuspage clients. */
async function idsOn(slug: string): Promise<string[]> {
  const { incidents }: { incidents: { id: string }[] } = JSON.parse(
    (await visit(`${slug}/api/v2/incidents.json`)).text,
  );
  return incidents.map(({ id }) => id);
}

/** Expects a page to show an incident, or not, in the API and on the public page. */
async function expectShown({ id, slug }: Shown, one: Incident, isShown: boolean): Promise<void> {
  await visitUntil(`${slug}/api/v2/incidents.json`, ({ text }) => text.includes(one.id) === isShown);
  expect((await summaryOf(id)).incidents.some((shown) => shown.id === one.id)).toBe(isShown);
  const filter = `project_id=${tenant.project_id}&status_page_id=${id}&limit=100`;
  const listed = (await send<ListPage<Incident>>('GET', `/v1/incidents?${filter}`)).body.data;
  expect(listed.some((shown) => shown.id === one.id)).toBe(isShown);
}

const pageWith = async (status = 'operational'): Promise<Shown> => pageOf([await monitorIn(status)]);

const updateOf = async (id: string, fields: object): Promise<IncidentUpdate> => {
  const { status, text, body } = await send<One<IncidentUpdate>>('POST', `/v1/incidents/${id}/updates`, {
    body: 'An update.',
    ...fields,
  });
  if (status !== 201) throw new Error(text);
  return body.data;
};

describe('an open incident without monitors and status pages', () => {
  it('appears in every part of every page of its project', async () => {
    const pages = [await pageWith(), await pageWith('major_outage'), await pageOf([])];
    const one = await incident({}, { title: 'Email is slow' });
    for (const { id, slug } of pages) {
      expect((await summaryOf(id)).incidents).toMatchObject([{ id: one.id, monitors: [] }]);
      for (const part of [
        '',
        `/history?month=${one.started_at.slice(0, 7)}`,
        `/incidents/${one.id}`,
        '/feed.rss',
        '/feed.atom',
        '/feed.json',
        '/api/v2/summary.json',
        '/api/v2/incidents.json',
        '/api/v2/incidents/unresolved.json',
      ])
        expect.soft((await visit(slug + part)).text, part).toContain('Email is slow');
    }
    await send('DELETE', `/v1/incidents/${one.id}`);
  });

  it('appears in previews of private pages', async () => {
    const one = await incident({}, { title: 'Seen in a preview' });
    const { id, slug } = await pageOf([], { is_public: false });
    const { url } = (await send<One<{ url: string }>>('POST', `/v1/status-pages/${id}/preview-links`)).body
      .data;
    expect((await visit(slug + new URL(url).search)).text).toContain('Seen in a preview');
    await send('DELETE', `/v1/incidents/${one.id}`);
  });

  it('appears on no page of another project', async () => {
    const one = await incident({});
    const other = await server.tenant();
    const { slug } = await server.page(other);
    const project = { organization_id: tenant.organization_id, project_id: await secondProject() };
    const sibling = await server.page({ ...tenant, ...project });
    for (const foreign of [slug, sibling.slug]) {
      expect(await idsOn(foreign)).toEqual([]);
      expect((await visit(`${foreign}/incidents/${one.id}`)).status).toBe(404);
    }
  });

  it('appears on and disappears from a cached page', async () => {
    const { slug } = await pageWith();
    await visit(slug);
    const one = await incident({}, { title: 'Login is slow' });
    const shown = await visitUntil(slug, ({ text }) => text.includes('Login is slow'));
    expect(shown.status).toBe(200);
    await send('DELETE', `/v1/incidents/${one.id}`);
    const after = await visitUntil(slug, ({ text }) => !text.includes('Login is slow'));
    expect(after.status).toBe(200);
  });
});

describe('status_page_ids of an incident without monitors', () => {
  it('selects exactly these pages, and null all pages', async () => {
    const [first, second] = [await pageWith(), await pageOf([])];
    const one = await incident({}, { status_page_ids: [first.id] });
    await expectShown(first, one, true);
    await expectShown(second, one, false);
    for (const [ids, isOnFirst, isOnSecond] of [
      [[second.id], false, true],
      [[], false, false],
      [null, true, true],
    ] as const) {
      await send('PATCH', `/v1/incidents/${one.id}`, { status_page_ids: ids });
      await expectShown(first, one, isOnFirst);
      await expectShown(second, one, isOnSecond);
    }
  });
});

describe('an incident that affects a monitor', () => {
  it('appears only on pages with this monitor from its first update with the monitor on', async () => {
    const own = await monitorIn('operational');
    const [first, second] = [await pageOf([own]), await pageWith()];
    const one = await incident({});
    await expectShown(second, one, true);
    const monitors = [{ monitor_id: own, status: 'partial_outage' }];
    const update = await updateOf(one.id, { status: 'identified', monitors });
    await expectShown(first, one, true);
    await expectShown(second, one, false);
    await updateOf(one.id, { status: 'monitoring', monitors: [] });
    await expectShown(first, one, true);
    await expectShown(second, one, false);
    // As if it had never been posted.
    expect((await send('DELETE', `/v1/incidents/${one.id}/updates/${update.id}`)).status).toBe(204);
    await expectShown(first, one, true);
    await expectShown(second, one, true);
  });

  it('stays on its page, and appears on no other, after the deletion of the monitor and later changes', async () => {
    const own = await monitorIn('operational');
    const [first, second] = [await pageOf([own]), await pageWith()];
    const one = await incident({ [own]: 'partial_outage' });
    await expectShown(first, one, true);
    expect((await send('DELETE', `/v1/monitors/${own}`)).status).toBe(204);
    await expectShown(second, one, false);
    await updateOf(one.id, { status: 'identified' });
    await send('PATCH', `/v1/incidents/${one.id}`, { title: 'Changed', impact: 'minor' });
    await expectShown(second, one, false);
    await expectShown(first, one, true);
  });

  it('appears on no page of another monitor if it was created as resolved', async () => {
    const { slug } = await pageWith();
    const one = await incident({ [await monitor()]: 'major_outage' }, { status: 'resolved' });
    expect(await idsOn(slug)).not.toContain(one.id);
  });
});

describe('the migration', () => {
  it('finds the existing incidents that affect no monitor', async () => {
    const shown = await page({});
    const own = await monitorIn('operational');
    const gone = await monitorIn('operational');
    const without = await incident({});
    const withMonitor = await incident({ [own]: 'operational' });
    const withDeleted = await incident({ [gone]: 'major_outage' });
    await send('DELETE', `/v1/monitors/${gone}`);
    const ids = [without.id, withMonitor.id, withDeleted.id];
    await server.sql('UPDATE incidents SET affects_monitors = true WHERE id = ANY($1)', [ids]);
    expect((await summaryOf(shown)).incidents.map(({ id }) => id)).not.toContain(without.id);
    const runner = server.app.get(DataSource).createQueryRunner();
    await new IncidentsOnAllPages1763652810100().up(runner).finally(() => runner.release());
    const found = (await summaryOf(shown)).incidents.map(({ id }) => id);
    expect(found.filter((id) => ids.includes(id))).toEqual([without.id]);
    const [{ updated_at } = without] = [
      (await send<One<Incident>>('GET', `/v1/incidents/${without.id}`)).body.data,
    ];
    expect(updated_at).toBe(without.updated_at);
  });
});

async function secondProject(): Promise<string> {
  return (await send('POST', '/v1/projects', { name: 'Second' })).body.data.id;
}
