import { beforeAll, describe, expect, it } from 'vitest';
import type { BrandingDto } from '../../src/branding/dto/branding.dto.js';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, useConsole, valueIn } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const MAX_BYTES = 30_000;
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="16"><rect width="32" height="16" fill="#4f46e5"/></svg>';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const read = async (id: string) =>
  (await server.ask<{ data: BrandingDto }>(`/v1/status-pages/${id}/branding`, { key: tenant.key })).body.data;

const fields = (changed: Fields): Fields => ({
  language: 'de',
  theme: 'dark',
  time_zone: 'Europe/Berlin',
  website_url: '',
  support_url: '',
  ...changed,
});

/** Returns the version of the branding: the second form of the screen. */
const versionOf = async (path: string) =>
  [...(await editor.get(path)).text.matchAll(/name="updated_at" value="([^"]*)"/g)][1]?.[1] ?? '';

/** Sends a file as a browser does. */
async function upload(path: string, kind: string, file: string | undefined, others: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(others)) form.append(name, value);
  form.append('file', new Blob(file === undefined ? [] : [file]), file === undefined ? '' : 'logo.svg');
  const response = await fetch(`${server.url}${path}/pictures/${kind}`, {
    method: 'POST',
    body: form,
    headers: { Cookie: editor.cookie },
    redirect: 'manual',
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the branding of a page', () => {
  it('changes language, colors, time zone and links', async () => {
    const { id } = await server.page(tenant);
    const path = `/manage/pages/${id}/branding`;
    const shown = await editor.get(path);
    expect([shown.status, Buffer.byteLength(shown.text) <= MAX_BYTES]).toEqual([200, true]);
    const saved = await save(
      editor,
      path,
      fields({
        updated_at: await versionOf(path),
        part: 'links',
        website_url: 'https://acme.example',
        support_url: 'help@acme.example',
        link_label: ['Docs', ''],
        link_url: ['https://docs.acme.example', ''],
        'link_placement.0': 'header',
      }),
    );
    expect(leadsTo(saved)).toEqual([303, `${path}?done=links#links`]);
    const displayed = await save(
      editor,
      path,
      fields({ updated_at: await versionOf(path), part: 'display' }),
    );
    expect(leadsTo(displayed)).toEqual([303, `${path}?done=display#display`]);
    expect(await read(id)).toMatchObject({
      language: 'de',
      theme: 'dark',
      time_zone: 'Europe/Berlin',
      website_url: 'https://acme.example',
      support_url: 'mailto:help@acme.example',
      links: [{ label: 'Docs', url: 'https://docs.acme.example', placement: 'header' }],
    });
    expect(valueIn(await editor.get(path), 'link_label')).toBe('Docs');
  });

  it('shows its errors at the fields', async () => {
    const { id } = await server.page(tenant);
    const path = `/manage/pages/${id}/branding`;
    const wrong = fields({
      time_zone: 'Nowhere',
      support_url: 'javascript:alert(1)',
      link_label: 'Docs',
      link_url: 'docs',
    });
    for (const [part, name, label] of [
      ['display', 'time_zone', 'Time zone'],
      ['links', 'support_url', 'Support'],
      ['links', 'links', 'Other links'],
    ] as const) {
      const shown = await save(editor, path, { ...wrong, part });
      expect([shown.status, name, errorOf(shown, name)]).toEqual([
        400,
        name,
        expect.stringContaining(`${label} must`),
      ]);
    }
  });

  it("shows another member's change beside one's own", async () => {
    const { id } = await server.page(tenant);
    const path = `/manage/pages/${id}/branding`;
    const updated_at = await versionOf(path);
    await save(editor, path, fields({ updated_at }));
    const stale = await save(editor, path, fields({ updated_at, time_zone: 'Asia/Tokyo' }));
    expect([stale.status, summaryOf(stale)]).toEqual([409, expect.stringContaining('has changed this')]);
    expect(stale.text).toContain('>Europe/Berlin</blockquote>');
    expect((await read(id)).time_zone).toBe('Europe/Berlin');
  });

  it('shows a color in both schemes with its contrast before it is saved', async () => {
    const { id } = await server.page(tenant, { accent_color: '#123456' });
    const path = `/manage/pages/${id}/branding`;
    const shown = await save(editor, path, { accent_color: 'ffdd00', step: 'show' }, `${path}/color`);
    expect([shown.status, valueIn(shown, 'key') !== '']).toEqual([200, true]);
    expect(shown.text).toContain('value="#ffdd00"');
    const preview = shown.text.replaceAll(/<[^>]*>/g, '');
    expect(preview).toContain('Light: Too pale: links use a darker shade. (1.1 : 1)');
    expect(preview).toMatch(/Dark: Readable\. \(\d+\.\d : 1\)/);
    const colorOf = async () =>
      (
        await server.sql<{ accent_color: string }[]>('SELECT accent_color FROM status_pages WHERE id = $1', [
          id,
        ])
      )[0]?.accent_color;
    expect(await colorOf()).toBe('#123456');
    expect((await save(editor, path, { accent_color: '#ffdd00' }, `${path}/color`)).status).toBe(303);
    expect(await colorOf()).toBe('#ffdd00');
    const wrong = await save(editor, path, { accent_color: 'red' }, `${path}/color`);
    expect([wrong.status, errorOf(wrong, 'accent_color')]).toEqual([
      400,
      expect.stringContaining('Accent color must'),
    ]);
  });
});

describe('the pictures of a page', () => {
  it('uploads, shows and removes pictures', async () => {
    const { id } = await server.page(tenant, { is_public: false });
    const page = `/manage/pages/${id}`;
    const token = String(hiddenIn(await editor.get('/manage'))['token']);
    const updated_at = await versionOf(`${page}/branding`);
    const uploaded = await upload(page, 'logo', SVG, { token, updated_at });
    expect(leadsTo(uploaded)).toEqual([303, `${page}/branding?done=logo#logo`]);
    expect(await read(id)).toMatchObject({ logo: { content_type: 'image/svg+xml', width: 32, height: 16 } });
    const picture = await editor.get(`${page}/pictures/logo`);
    expect([picture.status, picture.text]).toEqual([200, SVG]);
    expect(picture.headers.get('content-security-policy')).toContain('sandbox');
    const shown = await editor.get(`${page}/branding?done=logo`);
    expect(shown.text).toMatch(
      /<div class="image" id="logo"><h3>Logo<\/h3><p class="notice" role="status">Saved/,
    );
    const plates = [...shown.text.matchAll(/<p class="plate (\w+)"><img src="([^"?]*)/g)];
    expect(plates.map(([, plate, src]) => [plate, src])).toEqual(
      ['light', 'dark'].map((plate) => [plate, `${page}/pictures/logo`]),
    );
    const version = await versionOf(`${page}/branding`);
    await save(editor, page, { updated_at: version }, `${page}/pictures/logo/remove`);
    expect((await read(id)).logo).toBeNull();
    expect((await editor.get(`${page}/pictures/logo`)).status).toBe(404);
  });

  it('checks pictures like the API, with the errors at the picture', async () => {
    const { id } = await server.page(tenant);
    const page = `/manage/pages/${id}`;
    const token = String(hiddenIn(await editor.get('/manage'))['token']);
    const updated_at = await versionOf(`${page}/branding`);
    const script = SVG.replace('<rect', '<script>alert(1)</script><rect');
    for (const [file, error] of [
      ['no picture', /PNG, JPEG, WebP or SVG/],
      [script, /script/i],
      [undefined, /Choose a file first/],
    ] as const) {
      const shown = await upload(page, 'favicon', file, { token, updated_at });
      expect([file, shown.status, errorOf(shown, 'favicon')]).toEqual([
        file,
        400,
        expect.stringMatching(error),
      ]);
    }
    const large = await upload(page, 'logo', 'x'.repeat(600_000), { token, updated_at });
    expect([large.status, large.text]).toEqual([413, expect.stringContaining('The file must have at most')]);
    expect(await read(id)).toMatchObject({ logo: null, favicon: null });
  });

  it('checks a file of the maximum size, and rejects an incomplete or encoded form', async () => {
    const { id } = await server.page(tenant);
    const page = `/manage/pages/${id}`;
    const token = String(hiddenIn(await editor.get('/manage'))['token']);
    const updated_at = await versionOf(`${page}/branding`);
    const largest = await upload(page, 'logo', 'x'.repeat(512 * 1024), { token, updated_at });
    expect([largest.status, errorOf(largest, 'logo')]).toEqual([400, expect.stringMatching(/PNG, JPEG/)]);
    const send = async (headers: Record<string, string>) => {
      const url = `${server.url}${page}/pictures/logo`;
      const sent = { Cookie: editor.cookie, 'Content-Type': 'multipart/form-data; boundary=x', ...headers };
      const response = await fetch(url, { method: 'POST', body: '--x\r\nincomplete', headers: sent });
      return [response.status, await response.text()];
    };
    expect(await send({})).toEqual([400, expect.stringContaining('The body is no valid form')]);
    expect(await send({ 'Content-Encoding': 'gzip' })).toEqual([415, expect.any(String)]);
  });

  it('need the token of the session, and replace no version that another member has changed', async () => {
    const { id } = await server.page(tenant);
    const page = `/manage/pages/${id}`;
    const token = String(hiddenIn(await editor.get('/manage'))['token']);
    const updated_at = await versionOf(`${page}/branding`);
    expect((await upload(page, 'logo', SVG, { updated_at })).status).toBe(403);
    await save(editor, `${page}/branding`, fields({ updated_at }));
    expect((await upload(page, 'logo', SVG, { token, updated_at })).status).toBe(409);
    expect((await read(id)).logo).toBeNull();
    expect((await upload(page, 'unknown', SVG, { token, updated_at })).status).toBe(404);
  });
});
