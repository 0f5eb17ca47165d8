import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, publish, type Shown, useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let pat: Person;
let monitors: string[];
beforeAll(async () => {
  pat = await person(tenant);
  monitors = await server.monitors(tenant, 3);
  await server.page(tenant, { sections: [{ id: 'a', title: 'A', monitor_ids: monitors }] });
});

describe('an incident that the form cannot show completely', () => {
  const created = async (json: object, of = tenant) => {
    const all = { project_id: of.project_id, title: 'By the API', ...json };
    const { body } = await server.ask('/v1/incidents', { method: 'POST', key: of.key, json: all });
    return `/manage/incidents/${body.data.id}`;
  };
  const read = async (path: string, { key } = tenant) =>
    (await server.ask<{ data: { monitors: object[] } }>(path.replace('/manage', '/v1'), { key })).body.data;
  /** Returns the fields of the form that a browser would send. */
  const fieldsIn = (shown: Shown) => {
    const checked = [...shown.text.matchAll(/name="([^"]*)" value="([^"]*)" checked/g)];
    return {
      ...hiddenIn(shown),
      ...Object.fromEntries(checked.map(([, name = '', value = '']) => [name, value])),
    };
  };

  it('keeps its monitors that are operational', async () => {
    const [bad = '', fine = ''] = monitors;
    const fineOne = { monitor_id: fine, status: 'operational' };
    const path = await created({ monitors: [{ monitor_id: bad, status: 'major_outage' }, fineOne] });
    await publish(pat, `${path}/updates`, { ...fieldsIn(await pat.get(path)), body: 'Still the same.' });
    const [update] = await server.sql<{ monitors: unknown }[]>(
      "SELECT monitors FROM incident_updates WHERE body = 'Still the same.'",
    );
    expect(update?.monitors).toBe(null);
    const next = { ...fieldsIn(await pat.get(path)), [`monitor.${bad}`]: 'partial_outage' };
    await publish(pat, `${path}/updates`, { ...next, body: 'Better.' });
    expect((await read(path)).monitors).toEqual([{ monitor_id: bad, status: 'partial_outage' }, fineOne]);
  });

  it('shows in a review the impact that the API has set', async () => {
    const affected = [{ monitor_id: monitors[0], status: 'degraded_performance' }];
    const path = await created({ impact: 'critical', monitors: affected });
    const { text } = await pat.post(`${path}/updates`, { ...fieldsIn(await pat.get(path)), body: 'Still.' });
    const [, facts = ''] = /<p class="facts">(.*?)<\/p>/.exec(text) ?? [];
    expect(facts).toContain('Critical');
  });

  it('names each monitor once, with its worst status, when it is resolved', async () => {
    const [monitor_id = ''] = monitors;
    const path = await created({ monitors: [{ monitor_id, status: 'partial_outage' }] });
    for (const status of ['major_outage', 'degraded_performance']) {
      const sent = { ...fieldsIn(await pat.get(path)), body: status, [`monitor.${monitor_id}`]: status };
      await publish(pat, `${path}/updates`, sent);
    }
    const resolved = { ...fieldsIn(await pat.get(path)), status: 'resolved', body: '' };
    const { text } = await pat.post(`${path}/updates`, resolved);
    const [, list = ''] = /<p class="affected">(.*?)<\/p>/.exec(text) ?? [];
    expect(list).toMatch(/^[A-Z]\w+ <bdi>Monitor 1<\/bdi> \(major outage\)$/);
  });

  it('keeps its pages that are not among the newest hundred', async () => {
    const large = await server.tenant();
    const { id } = await server.page(large);
    await server.sql(
      `INSERT INTO status_pages
       SELECT (jsonb_populate_record(page, jsonb_build_object('id', gen_random_uuid(), 'slug', 'copy-' || n))).*
         FROM status_pages AS page, generate_series(1, 100) AS n WHERE page.id = $1`,
      [id],
    );
    await server.sql("UPDATE status_pages SET created_at = created_at - interval '1 day' WHERE id = $1", [
      id,
    ]);
    const path = await created({ status_page_ids: [id] }, large);
    const by = await person(large);
    await publish(by, `${path}/edit`, { ...fieldsIn(await by.get(`${path}/edit`)), title: 'Edited' });
    expect(await read(path, large)).toMatchObject({ title: 'Edited', status_page_ids: [id] });
  });
});
