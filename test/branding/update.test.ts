import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/branding/languages.js';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useBranding } from './use-branding.js';

const server = useTestServer();
const tenant = useTenant(server);
const { get, patch } = useBranding(server, tenant);

const CHANGES = {
  language: 'pt',
  time_zone: 'America/Sao_Paulo',
  website_url: 'https://acme.example/',
  support_url: 'mailto:help@acme.example',
  links: [{ label: 'Preços', url: 'https://acme.example/preços?a=1#b', placement: 'header' }],
  theme: 'dark',
  show_response_times: true,
};

describe('GET /v1/status-pages/{id}/branding', () => {
  it('returns the defaults for a new status page', async () => {
    const page = await server.page(tenant);
    const created_at = page.created_at.toISOString();
    const { status, body, headers } = await get(page.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        language: 'en',
        time_zone: 'UTC',
        website_url: null,
        support_url: null,
        links: [],
        theme: 'auto',
        show_response_times: false,
        logo: null,
        logo_dark: null,
        favicon: null,
        status_page_id: page.id,
        project_id: tenant.project_id,
        updated_at: created_at,
      },
    });
    expect(headers.get('etag')).toBe(`"${created_at}"`);
  });
});

describe('PATCH /v1/status-pages/{id}/branding', () => {
  it.each(Object.entries(CHANGES))('changes only %s', async (field, value) => {
    const { id } = await server.page(tenant);
    const { body: before } = await get(id);
    const { status, body, headers } = await patch(id, { [field]: value });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before.data, [field]: value, updated_at: body.data.updated_at });
    expect(body.data.updated_at > before.data.updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await get(id)).body).toEqual(body);
  });

  it.each(LANGUAGES)('accepts the language %s', async (language) => {
    const { id } = await server.page(tenant);
    expect((await patch(id, { language })).body.data.language).toBe(language);
  });

  it('changes nothing for equal values or an empty body, not even updated_at', async () => {
    const { id } = await server.page(tenant);
    for (const same of [{}, { language: 'en', links: [], website_url: null }])
      expect((await patch(id, same)).body).toEqual((await get(id)).body);
    const { body: before } = await patch(id, CHANGES);
    for (const same of [{}, CHANGES]) expect((await patch(id, same)).body).toEqual(before);
  });

  it('puts a link without a placement into the footer', async () => {
    const { id } = await server.page(tenant);
    const { body } = await patch(id, { links: [{ label: 'Imprint', url: 'https://acme.example/imprint' }] });
    expect(body.data.links).toEqual([
      { label: 'Imprint', url: 'https://acme.example/imprint', placement: 'footer' },
    ]);
  });

  it('removes the URLs with null', async () => {
    const { id } = await server.page(tenant);
    await patch(id, CHANGES);
    const { body } = await patch(id, { website_url: null, support_url: null, links: [] });
    expect(body.data).toMatchObject({ website_url: null, support_url: null, links: [] });
  });

  it('lists every invalid field with its pointer and changes nothing', async () => {
    const { id } = await server.page(tenant);
    const { body: before } = await get(id);
    const answer = await patch(id, {
      language: 'en-US',
      time_zone: '+01:00',
      website_url: 'mailto:a@b.example',
      support_url: 'tel:112',
      links: [{ label: '', url: 'javascript:alert(1)', placement: 'left', icon: 'x' }, 'https://a.example'],
      theme: null,
      logo: null,
      favicon: {},
      status_page_id: id,
    });
    expectProblem(answer, 400, 'validation_failed');
    const errors = answer.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
    expect(errors?.toSorted()).toEqual([
      '#/favicon unknown_field',
      '#/language invalid_format',
      '#/links/0/icon unknown_field',
      '#/links/0/label too_short',
      '#/links/0/placement invalid_format',
      '#/links/0/url invalid_format',
      '#/links/1 invalid_type',
      '#/logo unknown_field',
      '#/status_page_id unknown_field',
      '#/support_url invalid_format',
      '#/theme invalid_type',
      '#/time_zone invalid_format',
      '#/website_url invalid_format',
    ]);
    expect((await get(id)).body).toEqual(before);
  });

  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'asia/tokyo'])(
    'stores the time zone %s as sent',
    async (time_zone) => {
      const { id } = await server.page(tenant);
      expect((await patch(id, { time_zone })).body.data.time_zone).toBe(time_zone);
    },
  );

  it.each(['', 'Mars/Phobos', '+01:00', '-0500', 'UTC+1', 'Europe/Berlin ', 'a'.repeat(65), '../etc'])(
    'rejects the time zone %j',
    async (time_zone) => {
      const { id } = await server.page(tenant);
      const { status, body } = await patch(id, { time_zone });
      expect([status, body.errors?.[0]]).toEqual([
        400,
        {
          code: 'invalid_format',
          detail: 'must be the name of a time zone, such as Europe/Berlin or UTC',
          pointer: '#/time_zone',
        },
      ]);
    },
  );

  it.each([
    '//acme.example',
    'acme.example',
    'https://',
    'https:acme.example',
    'https:///acme.example',
    'https://a b.example',
    'https://acme.example/\u202etxt',
    'https://acme.example/"><script>',
    'java\nscript:alert(1)',
    'javascript://acme.example/%0aalert(1)',
    'data:text/html,x',
    'ftp://acme.example',
    'https://user:secret@acme.example',
    'https://acme.example:99999',
    '\ud800',
  ])('rejects the URL %j in each field', async (url) => {
    const { id } = await server.page(tenant);
    const json = { website_url: url, support_url: url, links: [{ label: 'A', url }] };
    const { status, body } = await patch(id, json);
    const errors = body.errors?.map(({ pointer, code }) => [pointer, code]);
    expect([status, errors]).toEqual([
      400,
      ['#/website_url', '#/support_url', '#/links/0/url'].map((pointer) => [pointer, 'invalid_format']),
    ]);
  });

  it('accepts six links and labels of 40 characters, and rejects more', async () => {
    const { id } = await server.page(tenant);
    const links = (count: number, label = '🚀'.repeat(40)) =>
      Array.from({ length: count }, () => ({ label, url: 'https://acme.example' }));
    expect((await patch(id, { links: links(6) })).status).toBe(200);
    for (const json of [{ links: links(7) }, { links: links(1, 'x'.repeat(41)) }])
      expect((await patch(id, json)).body.errors?.map(({ code }) => code)).toEqual(['too_long']);
  });

  it('returns 412 and changes nothing if the version has changed', async () => {
    const { id } = await server.page(tenant);
    const { headers } = await get(id);
    const first = { 'If-Match': headers.get('etag') ?? '' };
    const { status, body } = await patch(id, { theme: 'dark' }, first);
    expect(status).toBe(200);
    expectProblem(await patch(id, { theme: 'light' }, first), 412, 'precondition_failed');
    expect((await get(id)).body).toEqual(body);
  });

  it('lets exactly one of two concurrent requests with the same version succeed', async () => {
    const { id } = await server.page(tenant);
    const { headers } = await get(id);
    const first = { 'If-Match': headers.get('etag') ?? '' };
    const answers = await Promise.all(['light', 'dark'].map((theme) => patch(id, { theme }, first)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('keeps concurrent changes of different fields', async () => {
    const { id } = await server.page(tenant);
    await Promise.all(Object.entries(CHANGES).map(([field, value]) => patch(id, { [field]: value })));
    expect((await get(id)).body.data).toMatchObject(CHANGES);
  });

  it('creates no revision and does not change the status page', async () => {
    const page = await server.page(tenant);
    const before = await server.ask(`/v1/status-pages/${page.id}`, { key: tenant.key });
    await patch(page.id, CHANGES);
    expect((await server.ask(`/v1/status-pages/${page.id}`, { key: tenant.key })).body).toEqual(before.body);
  });
});
