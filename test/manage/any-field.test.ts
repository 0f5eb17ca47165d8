import { beforeAll, describe, expect, it } from 'vitest';
import { MembersService } from '../../src/members/members.service.js';
import { harmsIn, HOSTILE } from '../public-page/harms.js';
import { ShownPage } from '../public-page/shown-page.js';
import { actorIn } from '../support/actors.js';
import { routesOf } from '../support/routes.js';
import { useTenant, useTestServer } from '../support/server.js';
import { type Person, useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

/** Elements of the console's forms. */
const OWN = new Set(['<form>', '<input>']);

/** Fields by the first word of their texts. */
const fields = new Map<string, string>();
const shown: { path: string; text: string }[] = [];
let admin: Person;

beforeAll(async () => {
  const { organization_id, project_id, key } = tenant;
  const textOf = (field: string) => {
    const word = `word${fields.size}x`;
    fields.set(word, field);
    return `${word} ${HOSTILE}`;
  };
  const page = await ShownPage.create(server, tenant, textOf);
  const json = {
    name: textOf('the name of a key').slice(0, 100),
    scopes: ['monitors:read'],
    project_ids: [project_id],
  };
  const created = await server.ask('/v1/api-keys', { method: 'POST', key, json });
  const named = {
    email: 'named@example.com',
    name: textOf('the name of a member').slice(0, 100),
    role: 'viewer' as const,
  };
  const member = await server.app
    .get(MembersService, { strict: false })
    .create(actorIn(organization_id), { ...named, project_ids: null });
  admin = await person(tenant, 'admin');
  const subscriber = await server.ask('/v1/subscribers', {
    method: 'POST',
    key,
    json: { status_page_id: page.idOf('status_page'), email: 'reader@example.com' },
  });
  const read = await server.ask(`/v1/status-pages/${page.idOf('status_page')}`, { key });
  const section = read.body.data.sections[0]?.id ?? '';
  const access = `/v1/status-pages/${page.idOf('status_page')}/access`;
  const description = textOf('the purpose of an access link').slice(0, 200);
  const link = await server.ask(`${access}/links`, { method: 'POST', key, json: { description } });
  const client_id = textOf('the client ID of a provider').slice(0, 500);
  const oidc = { issuer: 'https://login.acme.example', client_id };
  await server.ask(access, { method: 'PUT', key, json: { oidc } });
  const ids: Record<string, string | undefined> = {
    incidents: page.idOf('incident'),
    maintenances: page.idOf('maintenance'),
    monitors: page.idOf('monitor'),
    pages: page.idOf('status_page'),
    templates: page.idOf('incident_template'),
    drafts: page.idOf('incident_draft'),
    subscribers: subscriber.body.data.id,
    keys: created.body.data.id,
    members: member.id,
    webhooks: page.idOf('webhook_endpoint'),
  };
  const response = textOf('the response of a webhook');
  const attempt = {
    at: '2026-11-25T12:00:00.000Z',
    duration_ms: 1,
    status_code: 503,
    response,
    error: response,
  };
  const [delivery] = await server.sql<{ id: string }[]>(
    `INSERT INTO deliveries (id, organization_id, project_id, channel, event_id, recipient_id, status, due_at, finished_at, attempt_log)
     VALUES (gen_random_uuid(), $1, $2, 'webhook', gen_random_uuid(), $3, 'failed', now(), now(), $4) RETURNING id`,
    [organization_id, project_id, ids['webhooks'], JSON.stringify([attempt])],
  );
  const screens = routesOf(server.app).filter(
    ({ method, path }) =>
      method === 'GET' && /^\/manage(?!.*(\.css|\.js|:token|sign-in\/oidc|\*unknown\})$)/.test(path),
  );
  const queries: Record<string, string> = {
    comparison: '?from=1&to=2',
    subscribers: `?page=${ids['pages']}`,
    import: `?page=${ids['pages']}`,
    export: `?page=${ids['pages']}`,
  };
  const failed: string[] = [];
  for (const { path: template } of screens) {
    const parts = {
      ':id': ids[template.split('/')[2] ?? ''],
      ':number': '1',
      ':delivery': delivery?.id,
      ':section': section,
      ':link': link.body.data.id,
      ':kind': 'logo',
    };
    const path = Object.entries(parts).reduce(
      (before, [name, value = '']) => before.replace(name, value),
      template,
    );
    const query = queries[path.split('/').at(-1) ?? ''] ?? '';
    const { status, headers, text } = await admin.get(path + query);
    if (status !== 200) failed.push(`GET ${path}: ${status}`);
    if (headers.get('content-type')?.startsWith('text/html')) shown.push({ path, text });
  }
  if (failed.length > 0) throw new Error(failed.join('; '));
});

describe('screens of the console', () => {
  it('do not run or load anything from the text of any field', async () => {
    const harms: unknown[] = [];
    for (const { path, text } of shown) {
      const found = (await harmsIn(text)).filter((one) => !OWN.has(one));
      if (found.length > 0) harms.push([path, found]);
    }
    expect(harms).toEqual([]);
  });

  it('begin their titles with the name of the screen, before the product', () => {
    const titles = shown.map(({ path, text }) => `${path}: ${/<title>([^<]*)<\/title>/.exec(text)?.[1]}`);
    expect(titles.filter((title) => !/: (?!Status Pages).* – Status Pages$/s.test(title))).toEqual([]);
    const names = titles.map((title) => title.replace(/^[^:]*: /, ''));
    expect(titles.filter((_, index) => names.indexOf(names[index] ?? '') !== index)).toEqual([]);
  });

  it('contain the text of each kind of resource', () => {
    const all = shown.map(({ text }) => text).join('\n');
    const found = [...fields].filter(([word]) => all.includes(word)).map(([, field]) => field);
    expect(found).toEqual(
      expect.arrayContaining([
        'PATCH /v1/projects/{id} name',
        'PATCH /v1/monitors/{id} description',
        'PATCH /v1/status-pages/{id} sections title',
        'PATCH /v1/status-pages/{id}/settings description',
        'PATCH /v1/incidents/{id} title',
        'PATCH /v1/incidents/{id} postmortem',
        'PATCH /v1/incidents/{id}/updates/{update_id} body',
        'PATCH /v1/maintenances/{id} body',
        'PATCH /v1/maintenances/{id}/updates/{update_id} body',
        'PATCH /v1/incident-templates/{id} body',
        'the name of a key',
        'the purpose of an access link',
        'the client ID of a provider',
        'the name of a member',
        'PATCH /v1/webhook-endpoints/{id} description',
        'the response of a webhook',
      ]),
    );
  });
});
