import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tablesWith } from '../support/catalogue.js';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { namesIn, textsIn } from './feeds/xml.js';
import { HARMFUL, harmsIn, HOSTILE } from './harms.js';
import { ShownPage } from './shown-page.js';

// With mail, so that the page has a form.
const server = useTestServer({ MAIL_DIR: join(tmpdir(), 'no-mail') });
const tenant = useTenant(server);
/** Another organization with an equally full page. */
const other = useTenant(server);
const FOREIGN = 'foreign text';
/** Fields by the first word of their texts. */
const fields = new Map<string, string>();
/** Descriptions of the fields in the OpenAPI document. */
const descriptions = new Map<string, string>();
const MARKDOWN = /\bMarkdown\b/;
let page: ShownPage;
let statements: string[];
const visited: { path: string; type: string; text: string }[] = [];

/** A control character and a bidi control character. */
const CONTROLS = '\u0007\u202e';
beforeAll(async () => {
  page = await ShownPage.create(server, tenant, (field, description) => {
    const word = `word${fields.size}x`;
    fields.set(word, field);
    descriptions.set(field, description);
    return `${word} ${CONTROLS}${HOSTILE}`;
  });
  await ShownPage.create(server, other, (field) => `${FOREIGN} ${field}`);
  statements = await statementsOf(async () => {
    for (const path of page.paths()) visited.push({ path, ...(await page.visit(path)) });
  });
});

/** Elements of the form to subscribe. */
const FORM = new Set(['<form>', '<input>']);

/** Returns the HTML in a response: the whole page, or the entries of a feed. */
function htmlsIn({ type, text }: { type: string; text: string }): string[] {
  if (type.startsWith('text/html')) return [text];
  if (/xml/.test(type))
    return textsIn(
      text,
      '//item/description | //item/title | //*[@type = "html"] | //*[local-name() = "encoded"]',
    );
  if (!/json/.test(type)) return [];
  const found: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (key.endsWith('html') && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

describe('public page parts and feeds', () => {
  it('do not run or load anything from the text of any field', async () => {
    const harms: unknown[] = [];
    for (const part of visited) {
      for (const html of htmlsIn(part)) {
        const own = part.path.endsWith('/subscribe') ? FORM : new Set();
        const found = (await harmsIn(html)).filter((one) => !own.has(one));
        if (found.length > 0) harms.push([part.path, found]);
      }
      if (/xml|svg/.test(part.type)) {
        const { elements, attributes } = namesIn(part.text);
        harms.push(...[...elements].filter((name) => HARMFUL.test(name)));
        harms.push(...[...attributes].filter((name) => /^on/i.test(name)));
      }
    }
    expect(harms).toEqual([]);
  });

  it('do not contain control characters, which could change the surrounding text', () => {
    const forms = ['\u0007', '\u202e', '\\u0007', '\\u202e', '&#7;', '&#x7;', '&#8238;', '&#x202e;'];
    const texts = visited.filter(({ type }) => type !== 'image/png');
    const kept = texts.filter(({ text }) => forms.some((form) => text.toLowerCase().includes(form)));
    expect(kept.map(({ path }) => path)).toEqual([]);
  });

  it('do not contain text of another organization', () => {
    expect(visited.filter(({ text }) => text.includes(FOREIGN)).map(({ path }) => path)).toEqual([]);
  });

  it('contain the text of the fields that visitors see', () => {
    const all = visited.map(({ text }) => text).join('\n');
    const shown = [...fields].filter(([word]) => all.includes(`${word} `)).map(([, field]) => field);
    // A PATCH replaces the text of the POST.
    expect(shown).toEqual(
      expect.arrayContaining([
        'POST /v1/incidents body',
        'PATCH /v1/incidents/{id}/updates/{update_id} body',
        'PATCH /v1/monitors/{id} name',
        'PATCH /v1/status-pages/{id} sections title',
        'PATCH /v1/maintenances/{id} body',
        'PATCH /v1/maintenances/{id}/updates/{update_id} body',
      ]),
    );
  });

  it('render the Markdown of each field that the API documents as Markdown, and of no other', () => {
    const html = visited.flatMap(htmlsIn).map((text) => text.replace(/<head[ >][^]*?<\/head>/g, ''));
    const as = (written: string) =>
      [...fields]
        .filter(([word]) => html.some((text) => text.includes(`${word} ${written}`)))
        .map(([, field]) => field);
    const isMarkdown = (field: string) => MARKDOWN.test(descriptions.get(field) ?? '');
    expect(as('<strong>').filter((field) => !isMarkdown(field))).toEqual([]);
    expect(as('**').filter(isMarkdown)).toEqual([]);
    expect(as('<strong>').length).toBeGreaterThan(2);
  });

  it('would fail these checks if markup were not escaped', async () => {
    expect(await harmsIn(`<p>${HOSTILE}</p><a href="javascript:x">a</a>`)).toEqual([
      '<script>', '<img>', 'src=x', 'onerror=alert(1)', 'href=javascript:x',
    ]); // prettier-ignore
  });
});

/** Tables and events without a trigger that increases the version, with the reason. */
const WITHOUT_TRIGGER: Record<string, string> = {
  status_pages: 'their updated_at is part of the version',
  page_versions: 'they contain the version',
  former_slugs: 'no page shows them',
  monitor_runs: 'a change increases the revision in monitor_states',
  monitor_days: 'they follow from runs, incidents and maintenances',
  incident_impacts: 'they follow from the updates of the incident',
  'monitors INSERT': 'no page shows a new monitor',
  'monitor_states DELETE': 'a state is deleted with its monitor',
};

/**
 * Function that renders the page again at a time that can be in the future, or the reason why that time changes
 * nothing.
 */
const TIMES: Record<string, string> = {
  'incident_impacts.started_at': 'ShownIncidentsService.nextChange',
  'incident_impacts.ended_at': 'ShownIncidentsService.nextChange',
  'incident_updates.posted_at': 'ShownIncidentsService.nextChange',
  'incidents.started_at': 'ShownIncidentsService.nextChange',
  'incidents.resolved_at': 'ShownIncidentsService.nextChange',
  'maintenance_updates.posted_at': 'MaintenancesService.nextChange',
  'maintenances.starts_at': 'MaintenancesService.nextChange',
  'maintenances.ends_at': 'MaintenancesService.nextChange',
  'maintenances.closed_at': 'never in the future',
  'monitor_runs.started_at': 'never in the future',
  'monitor_runs.last_observed_at': 'never in the future; a monitor goes stale by ReportsService.nextChange',
  'monitor_states.started_at': 'never in the future',
  'monitor_states.last_observed_at': 'never in the future; a monitor goes stale by ReportsService.nextChange',
  'monitor_states.closed_before': 'marks the days that monitor_days contains',
};

/** Returns the tables that the page reads. */
async function tablesRead(): Promise<string[]> {
  const tables = new Set(await tablesWith(server, 'organization_id'));
  const named = statements.flatMap((text) => [...text.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)/g)]);
  return [...new Set(named.flatMap(([, name = '']) => (tables.has(name) ? [name] : [])))];
}

describe('the version of a status page', () => {
  it('accounts for each timestamp column that a public page reads, as listed in TIMES', async () => {
    const columns = await server.sql<{ name: string }[]>(
      `SELECT table_name || '.' || column_name AS name
         FROM information_schema.columns
        WHERE table_name = ANY($1) AND udt_name = 'timestamptz' AND column_name NOT IN ('created_at', 'updated_at')`,
      [await tablesRead()],
    );
    expect(columns.map(({ name }) => name).toSorted()).toEqual(Object.keys(TIMES).toSorted());
  });

  it('increases with each write to every table that a public page reads', async () => {
    const read = await tablesRead();
    const raising = await server.sql<{ event: string }[]>(
      `SELECT DISTINCT trigger.tgrelid::regclass || ' ' || event AS event
         FROM pg_trigger AS trigger
         JOIN pg_proc ON pg_proc.oid = tgfoid
         JOIN (VALUES (4, 'INSERT'), (8, 'DELETE'), (16, 'UPDATE')) AS bits (bit, event) ON tgtype & bit > 0
        WHERE proname LIKE 'raise\\_page\\_version%'`,
    );
    const raised = new Set(raising.map(({ event }) => event));
    expect(read).toEqual(
      expect.arrayContaining([
        'monitors',
        'incidents',
        'incident_updates',
        'maintenances',
        'maintenance_updates',
      ]),
    );
    const events = read
      .filter((table) => !(table in WITHOUT_TRIGGER))
      .flatMap((table) => ['INSERT', 'UPDATE', 'DELETE'].map((event) => `${table} ${event}`));
    expect(events.filter((event) => !raised.has(event) && !(event in WITHOUT_TRIGGER))).toEqual([]);
  });
});
