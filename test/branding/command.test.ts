import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../src/branding/languages.js';
import { useCommand } from '../client/use-command.js';
import { useTenant, useTestServer } from '../support/server.js';
import { PICTURES, svg } from './pictures.js';
import { useBranding, type WireBranding } from './use-branding.js';

const server = useTestServer();
const tenant = useTenant(server);
const { get } = useBranding(server, tenant);
const { prints, json, fails } = useCommand(server, tenant);

let directory: string;
let logo: string;
let slug: string;
let id: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'status-pages-branding-'));
  logo = join(directory, 'logo.png');
  writeFileSync(logo, PICTURES['image/png']);
  ({ slug, id } = await server.page(tenant));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const branding = (...options: string[]) => json<WireBranding>('page', 'branding', slug, ...options);

describe('status-pages page branding', () => {
  it('uploads pictures from files, and changes the other fields', async () => {
    const pictures = ['--logo', logo, '--logo-dark', logo, '--favicon', logo];
    const urls = ['--website', 'https://acme.example', '--support', 'mailto:help@acme.example'];
    const links = ['--link', 'Terms=https://acme.example/?a=b', '--header-link', 'Docs=https://docs.example'];
    const others = ['--language', 'de', '--time-zone', 'Europe/Berlin', '--theme', 'dark'];
    const changed = await branding(...pictures, ...urls, ...links, ...others);
    expect(changed).toMatchObject({
      language: 'de',
      time_zone: 'Europe/Berlin',
      website_url: 'https://acme.example',
      support_url: 'mailto:help@acme.example',
      theme: 'dark',
      links: [
        { label: 'Docs', url: 'https://docs.example', placement: 'header' },
        { label: 'Terms', url: 'https://acme.example/?a=b', placement: 'footer' },
      ],
      logo: { content_type: 'image/png', width: 64 },
      logo_dark: { content_type: 'image/png' },
      favicon: { content_type: 'image/png' },
    });
    expect((await get(id)).body.data).toEqual(changed);
    expect(await prints('page', 'branding', slug)).toContain(changed.logo?.url);
  });

  it('removes pictures and URLs with "none"', async () => {
    await branding('--logo', logo, '--website', 'https://acme.example');
    expect(await branding('--logo', 'none', '--website', 'none')).toMatchObject({
      logo: null,
      website_url: null,
    });
  });

  it('accepts each language of the service', async () => {
    for (const language of LANGUAGES)
      expect(await branding('--language', language)).toMatchObject({ language });
  });

  it('changes nothing if a file cannot be read', async () => {
    const { body: before } = await get(id);
    const missing = join(directory, 'missing.png');
    const error = await fails(2, {}, 'page', 'branding', slug, '--logo', logo, '--favicon', missing);
    expect(error).toContain(missing);
    expect((await get(id)).body).toEqual(before);
  });

  it('prints the reason if the service rejects a picture', async () => {
    const hostile = join(directory, 'hostile.svg');
    writeFileSync(hostile, svg('<script/>'));
    expect(await fails(1, {}, 'page', 'branding', slug, '--logo', hostile)).toContain(
      'remove the script element',
    );
  });
});
