import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Tenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, publish, type Shown, useConsole, valueIn } from './use-console.js';

const server = useTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'status@example.com',
  NOTIFY_DELAY: '0',
});
const { person } = useConsole(server);

let own: Tenant;
let pat: Person;
let monitors: string[];
beforeAll(async () => {
  own = await server.tenant();
  pat = await person(own);
  monitors = await server.monitors(own, 4);
});

const pageOf = (of: Tenant, name: string, monitor_ids: string[], fields: object = {}) =>
  server.page(of, { name, sections: [{ id: 'a', title: 'A', monitor_ids }], ...fields });

const report = async (of: Tenant, monitor_id: string, status: string) => {
  const reports = [{ monitor_id, status, observed_at: new Date().toISOString() }];
  const json = { project_id: of.project_id, reports };
  await server.ask('/v1/monitor-reports', { method: 'POST', key: of.key, json });
};

const created = async (of: Tenant, json: object): Promise<string> => {
  const all = { project_id: of.project_id, title: 'By the API', ...json };
  const { body } = await server.ask('/v1/incidents', { method: 'POST', key: of.key, json: all });
  return `/manage/incidents/${body.data.id}`;
};

const form = (of: Tenant, fields: Record<string, string | string[]> = {}) => ({
  project_id: of.project_id,
  title: 'Payments fail',
  body: '',
  status: 'investigating',
  notify: 'on',
  ...fields,
});

/** Returns the texts of a review's form, without marks. */
const textOf = ({ text }: Shown) =>
  text
    .slice(text.indexOf('<h1>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('the review and the screen of an incident', () => {
  it('link to the pages that show it, also after it is resolved', async () => {
    const [one = '', other = ''] = monitors;
    const shows = await pageOf(own, 'Shows it', [one]);
    const not = await pageOf(own, 'Does not', [other]);
    const path = await created(own, { monitors: [{ monitor_id: one, status: 'major_outage' }] });
    const before = await pat.get(path);
    const updated_at = valueIn(before, 'updated_at');
    await publish(pat, `${path}/updates`, { updated_at, status: 'resolved', body: '' });
    const { text } = await pat.get(path);
    const [, links = ''] = /See it on (.*?)<\/p>/.exec(text) ?? [];
    const [href = '', ...others] = [...links.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url);
    expect([href.includes(shows.slug), others]).toEqual([true, []]);
    const statusOf = async (url: string) => (await fetch(new URL(url, server.url))).status;
    expect([await statusOf(href), await statusOf(href.replace(shows.slug, not.slug))]).toEqual([200, 404]);
  });

  it('name all pages of the project if no monitor and no page is chosen', async () => {
    const several = await server.tenant();
    const by = await person(several);
    const [monitor = ''] = await server.monitors(several, 1);
    for (let page = 1; page <= 7; page++)
      await pageOf(several, `Page ${page}`, [monitor], { is_public: page !== 2 });
    const shown = await by.get(`/manage/incidents/new?project=${several.project_id}`);
    expect(shown.text).toContain('If you choose no monitor, all pages of the project show the incident.');
    const all = textOf(await by.post('/manage/incidents', form(several)));
    expect(all).toContain('You chose no monitor: all 7 pages of the project show it.');
    expect(all).toContain('pages show it 7 Page 1 , Page 3 , Page 4 , Page 5 , Page 6 and 2 more pages');
    const path = await publish(by, '/manage/incidents', form(several));
    expect(textOf(await by.get(path))).toMatch(/See it on Page 1 , .* Page 6 and 2 more pages/);
    const chosen = { [`monitor.${monitor}`]: 'major_outage' };
    const named = textOf(await by.post('/manage/incidents', form(several, chosen)));
    expect(named).not.toContain('You chose no monitor');
  });

  it('name the chosen pages, private ones as such', async () => {
    const several = await server.tenant();
    const by = await person(several);
    const { id } = await pageOf(several, 'Inside', [], { is_public: false });
    await pageOf(several, 'Outside', []);
    const text = textOf(await by.post('/manage/incidents', form(several, { status_page_ids: id })));
    expect(text).toContain('page shows it 1 Inside (private)');
    expect(text).not.toContain('You chose no monitor');
    const path = await publish(by, '/manage/incidents', form(several, { status_page_ids: id }));
    expect(textOf(await by.get(path))).toContain('See it on Inside (private)');
    const edit = await by.get(`${path}/edit`);
    const edited = textOf(await by.post(`${path}/edit`, { ...hiddenIn(edit), title: 'Edited' }));
    expect(edited).toContain('pages show it 2 Outside , Inside (private)');
  });

  it('show no picture of a page if no page shows the monitor', async () => {
    const several = await server.tenant();
    const by = await person(several);
    await pageOf(several, 'Another', []);
    const [hidden = ''] = await server.monitors(several, 1);
    const chosen = { [`monitor.${hidden}`]: 'major_outage' };
    const { text } = await by.post('/manage/incidents', form(several, chosen));
    expect(text).toContain('No page shows it, so visitors do not see it.');
    expect([text.includes('class="picture"'), text.includes('Another')]).toEqual([false, false]);
    const path = await publish(by, '/manage/incidents', form(several, chosen));
    expect((await by.get(path)).text).toContain('No page shows it.');
  });
});

describe('the picture of the page in a review', () => {
  it('leaves out a duration of 0 s', async () => {
    const { text } = await pat.post('/manage/incidents', form(own));
    const [, facts = ''] = /<p class="facts">(.*?)<\/p>/.exec(text) ?? [];
    expect([facts.includes('Since'), /\d\u{a0}s/u.test(facts)]).toEqual([true, false]);
  });

  it('keeps the styles of the public page', () => {
    const classesIn = (path: string) => {
      const rules = readFileSync(path, 'utf8')
        .replaceAll(/\/\*[^*]*\*\//g, '')
        .matchAll(/([^{}]+)\{/g);
      const selectors = [...rules].flatMap(([, list = '']) =>
        list.split(/,(?![^(]*\))/).map((one) => one.trim()),
      );
      return new Set(selectors.filter((one) => /^\.[\w-]+$/.test(one)));
    };
    const shared = classesIn('src/page-documents/assets/page.css');
    const restyled = [...classesIn('src/manage/assets/manage.css')].filter((one) => shared.has(one));
    expect(restyled).toEqual(['.button']); // no picture contains one
  });
});

describe('the review', () => {
  const NOBODY = 'Subscribers will be told, but no one subscribes to these pages yet.';
  const SILENT = 'No messages are sent. It only appears on the page.';
  let tenant: Tenant;
  let by: Person;
  let chosen: Record<string, string>;
  beforeAll(async () => {
    tenant = await server.tenant();
    by = await person(tenant);
    const [monitor = ''] = await server.monitors(tenant, 1);
    chosen = { [`monitor.${monitor}`]: 'partial_outage' };
    await pageOf(tenant, 'Acme', [monitor], { subscribe_enabled: true });
  });

  it('gives the reason why no message is sent', async () => {
    const told = (await by.post('/manage/incidents', form(tenant, chosen))).text;
    expect([told.includes(NOBODY), told.includes(SILENT), told.includes('people get')]).toEqual([
      true,
      false,
      false,
    ]);
    const { notify: _, ...silent } = form(tenant, chosen);
    const { text } = await by.post('/manage/incidents', silent);
    expect([text.includes(NOBODY), text.includes(SILENT)]).toEqual([false, true]);
  });

  it('distinguishes pages without subscribers from subscribers of other monitors', async () => {
    const several = await server.tenant();
    const [one = '', other = ''] = await server.monitors(several, 2);
    await pageOf(several, 'Acme', [one, other], { subscribe_enabled: true });
    await server.sql(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source, monitor_ids)
       SELECT gen_random_uuid(), organization_id, project_id, id, 'b@example.com', 'b@example.com', 'active', 'api', $2
         FROM status_pages WHERE project_id = $1`,
      [several.project_id, [other]],
    );
    const { text } = await (
      await person(several)
    ).post('/manage/incidents', form(several, { [`monitor.${one}`]: 'partial_outage' }));
    const reason = 'Subscribers will be told, but no one of them has chosen what this is about.';
    expect([text.includes(reason), text.includes(NOBODY)]).toEqual([true, false]);
  });

  it('counts the messages, and the next screen confirms them', async () => {
    await server.sql(
      `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
       SELECT gen_random_uuid(), organization_id, project_id, id, 'a@example.com', 'a@example.com', 'active', 'api'
         FROM status_pages WHERE project_id = $1`,
      [tenant.project_id],
    );
    const reviewed = await by.post('/manage/incidents', form(tenant, chosen));
    expect(textOf(reviewed)).toContain('person gets an email 1 webhooks are called 0 page shows it 1 Acme');
    expect(reviewed.text).not.toContain(NOBODY);
    const { headers } = await by.post('/manage/incidents', { ...hiddenIn(reviewed), step: 'publish' });
    const { text } = await by.get(headers.get('location') ?? '');
    expect(text).toContain('role="status">Published. 1 email is on its way.<');
    const path = await publish(by, '/manage/incidents', form(tenant, { notify: '' }));
    expect((await by.get(`${path}?done=published`)).text).toContain('role="status">Published.<');
    for (const query of ['', '?done=other', '?done=published&email=<b>'])
      expect((await by.get(path + query)).text).not.toContain('on its way');
  });
});

describe('the monitors of an incident', () => {
  const effects = ({ text }: Shown) =>
    [...text.matchAll(/<span class="what">(.*?)<\/span>/g)].map(([, row = '']) =>
      row.replaceAll(/<[^>]*>/g, ''),
    );

  it('get the status that they have after the change', async () => {
    const tenant = await server.tenant();
    const by = await person(tenant);
    const [fine = '', bad = '', silent = ''] = await server.monitors(tenant, 3);
    await pageOf(tenant, 'Acme', [fine, bad, silent]);
    await report(tenant, fine, 'operational');
    await report(tenant, bad, 'major_outage');
    const grades = Object.fromEntries([fine, bad, silent].map((id) => [`monitor.${id}`, 'partial_outage']));
    const reviewed = await by.post('/manage/incidents', form(tenant, grades));
    expect(effects(reviewed)).toEqual([
      'Monitor 1 is shown as “Partial outage”',
      'Monitor 2 is still shown as “Major outage”',
      'Monitor 3 is shown as “Partial outage”',
    ]);
    expect(reviewed.text).toContain('The page calls the incident as a whole “Major impact”.');
    const path = await publish(by, '/manage/incidents', form(tenant, grades));
    const { text } = await by.get(path);
    const [, facts = ''] = /<p class="facts">(.*?)<\/p>/.exec(text) ?? [];
    expect([facts.includes('Partial outage'), facts.includes('impact')]).toEqual([true, false]);
    const sent = {
      updated_at: valueIn({ status: 200, headers: new Headers(), text }, 'updated_at'),
      ...grades,
    };
    const resolution = { ...sent, status: 'resolved', body: '' };
    const expected = ['Monitor 1 becomes operational', 'Monitor 2 is still shown as “Major outage”'];
    const resolved = effects(await by.post(`${path}/updates`, resolution));
    expect(resolved.slice(0, 2)).toEqual(expected);
    await publish(by, `${path}/updates`, resolution);
    const query = `project_id=${tenant.project_id}`;
    const { body } = await server.ask<{ data: { status: string }[] }>(`/v1/monitor-statuses?${query}`, {
      key: tenant.key,
    });
    const statuses = body.data.map(({ status }) => status.replace('_', ' ')).toReversed();
    expect(
      resolved.map((row) => row.toLowerCase().replaceAll(/^.* (?:becomes|shown as) |[“”]/g, '')),
    ).toEqual(statuses);
  });

  it('appear in the form with the words of the public page and their present status', async () => {
    const [, , monitor = '', other = ''] = monitors;
    await report(own, monitor, 'degraded_performance');
    await report(own, other, 'operational');
    const { text } = await pat.get(`/manage/incidents/new?project=${own.project_id}`);
    for (const word of ['Not affected', 'Degraded', 'Partial outage', 'Major outage'])
      expect(text).toContain(`${word}</span></label>`);
    expect(text).toMatch(/Monitor 3<\/bdi><span class="quiet"> now: degraded performance</);
    expect(text).toMatch(/Monitor 4<\/bdi><\/legend>/);
    expect(text).toContain('If you leave this empty, we publish: “We are investigating this incident.”');
    expect(text).toContain('This is sent only after you review it.');
    expect(text).toContain('<a href="/manage"><bdi>Back</bdi></a>');
  });
});
