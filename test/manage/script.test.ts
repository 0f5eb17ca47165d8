import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { statementsOf } from '../support/statements.js';
import { harmsIn, HOSTILE } from '../public-page/harms.js';
import { type Fields, type Shown, useConsole } from './use-console.js';

/** Maximum number of bytes, by the name of the script. */
const MAX_BYTES = { console: 12_000, passkeys: 4_000 };
const PREVIEW = '/manage/preview';
const server = useTestServer();
const tenant = useTenant(server);
const { ask, person } = useConsole(server);

const scriptsIn = ({ text }: Shown) =>
  [...text.matchAll(/<script src="([^"]*)" defer><\/script>/g)].map(([, path = '']) => path);

describe('the scripts of the console', () => {
  it('take at most 12 kB, and 4 kB for passkeys, and stay in caches under paths of their content', async () => {
    const { get } = await person(tenant);
    const paths = scriptsIn(await get('/manage/account'));
    expect(paths).toHaveLength(2);
    for (const path of paths) {
      const { status, headers, text } = await ask(path);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toMatch(/\beval\b|new Function|\.style\.cssText|setAttribute\('style/);
      const max = path.includes('passkeys') ? MAX_BYTES.passkeys : MAX_BYTES.console;
      expect([path, Buffer.byteLength(text) <= max]).toEqual([path, true]);
    }
  });
});

describe('POST /manage/preview', () => {
  it('shows a text as visitors will see it', async () => {
    const { get, post } = await person(tenant);
    const text = '**Down** since [noon](https://example.com).\r\n\r\n# Why\u202e';
    const { status, headers, text: html } = await post(PREVIEW, { text });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    const { body } = await server.ask('/v1/incidents', {
      method: 'POST',
      key: tenant.key,
      json: { project_id: tenant.project_id, title: 'Shown', body: text },
    });
    expect(html).toContain('<strong>Down</strong>');
    expect(html).not.toContain('\u202e');
    const shown = (await get(`/manage/incidents/${body.data.id}`)).text;
    expect(shown).toContain(html);
    expect((await post(PREVIEW)).text).toBe('');
  });

  it('shows an accent color with its contrast', async () => {
    const { post } = await person(tenant);
    const { text } = await post(PREVIEW, { accent_color: ' 0F766E' });
    expect(text).toContain('<ul class="swatches">');
    expect(text).toBe((await post(PREVIEW, { accent_color: '#0f766e' })).text);
    for (const accent_color of ['', '#12', '#0f766e"onload=x'])
      expect((await post(PREVIEW, { accent_color })).text).toBe('');
  });

  it('runs and loads nothing', async () => {
    const { text } = await (await person(tenant)).post(PREVIEW, { text: HOSTILE });
    expect(text).toContain('<strong>strong</strong>');
    expect(await harmsIn(text)).toEqual([]);
  });

  it('rejects long texts, and forms without the token of the session', async () => {
    const { post } = await person(tenant);
    expect((await post(PREVIEW, { text: 'x'.repeat(50_000) })).status).toBe(200);
    expect((await post(PREVIEW, { text: 'x'.repeat(50_001) })).status).toBe(400);
    expect((await post(PREVIEW, { text: 'Text', token: 'wrong' })).status).toBe(403);
    expect((await post(PREVIEW, { text: 'Text' }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await ask(PREVIEW, { form: { text: 'Text' } })).status).toBe(403);
  });

  it('changes nothing, and reads only the session', async () => {
    const { post } = await person(tenant);
    await post(PREVIEW, { text: 'First' });
    const preview = await statementsOf(() => post(PREVIEW, { text: 'Text' }));
    expect(preview.filter((text) => !/member_sessions|members/.test(text))).toEqual([]);
  });
});

describe('the forms of published texts', () => {
  it('contain a place for a preview and for what the script restores, and no password', async () => {
    const { get } = await person(tenant, 'editor');
    const make = async (path: string, json: object) =>
      (
        await server.ask(path, {
          method: 'POST',
          key: tenant.key,
          json: { project_id: tenant.project_id, title: 'Title', ...json },
        })
      ).body.data.id;
    const times = { starts_at: '2027-01-11T02:00:00Z', ends_at: '2027-01-11T03:00:00Z' };
    const incident = `/manage/incidents/${await make('/v1/incidents', {})}`;
    const window = `/manage/maintenances/${await make('/v1/maintenances', times)}`;
    const query = `?project=${tenant.project_id}`;
    for (const path of [
      `/manage/incidents/new${query}`,
      incident,
      `${incident}/postmortem`,
      `/manage/maintenances/new${query}`,
      window,
      `${window}/edit`,
      `/manage/templates/new${query}`,
    ]) {
      const { text } = await get(path);
      const [, field = ''] =
        /<div class="preview" data-preview="text" data-field="(\w+)" hidden>/.exec(text) ?? [];
      expect([path, text.includes(` id="${field}" name="${field}"`)]).toEqual([path, true]);
      expect([path, / data-draft="true" hidden>/.test(text), /type="(?:password|file)"/.test(text)]).toEqual([
        path,
        true,
        false,
      ]);
    }
  });
});

describe('a form', () => {
  it('sets a cookie with its key for the script after it was saved, also if it is sent twice', async () => {
    const { post } = await person(tenant);
    const fields = { project_id: tenant.project_id, title: 'Confirmed', notify: 'on' };
    const path = '/manage/incidents';
    const unsaved: Fields[] = [
      { title: '' },
      { step: 'review' },
      { step: 'publish', title: '', key: randomUUID() },
    ];
    for (const form of unsaved)
      expect((await post(path, { ...fields, ...form })).headers.getSetCookie()).toEqual([]);
    const key = randomUUID();
    for (const _ of [1, 2]) {
      const { status, headers } = await post(path, { ...fields, step: 'publish', key });
      expect([status, headers.getSetCookie()]).toEqual([
        303,
        [`manage-done=${key}; Path=/manage; Max-Age=60; SameSite=Strict`],
      ]);
    }
  });
});
