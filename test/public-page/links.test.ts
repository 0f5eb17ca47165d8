import { describe, expect, it } from 'vitest';
import { servedLinks } from '../../src/page-model/links.js';
import { exportedLinks, fileOf } from '../../src/page-documents/export/export-links.js';

const INCIDENT = { kind: 'incident', id: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01' } as const;
const MONTH = { kind: 'history', month: '2026-11' } as const;

describe('links of served pages', () => {
  it.each([
    ['https://status.example', ''],
    ['https://example.com/our', '/our'],
    ['https://example.com/our/pages', '/our/pages'],
  ])('start with the path of the public URL: %s', (publicUrl, base) => {
    const links = servedLinks({ public_url: publicUrl }, 'acme');
    expect(links.to({ kind: 'overview' })).toBe(`${base}/status/acme`);
    expect(links.to(INCIDENT)).toBe(`${base}/status/acme/incidents/${INCIDENT.id}`);
    expect(links.absolute(MONTH)).toBe(`${publicUrl}/status/acme/history?month=2026-11`);
    expect(links.script).toBe(`${base}/status/assets/page.js`);
  });

  it('keep the preview token and other parameters', () => {
    const links = servedLinks({ public_url: 'https://example.com/our' }, 'acme', { preview: 'pv_x' });
    expect(links.to({ kind: 'overview' })).toBe('/our/status/acme?preview=pv_x');
    expect(links.to(MONTH)).toBe('/our/status/acme/history?month=2026-11&preview=pv_x');
    expect(links.absolute(INCIDENT)).toMatch(/^https:\/\/example\.com\/our\/.*\?preview=pv_x$/);
  });
});

describe('links of a page with a domain', () => {
  const site = {
    public_url: 'https://example.com/our',
    home_page: 'acme',
    domain_url: 'https://status.acme.example',
  };
  const [here, there] = [false, true].map((is_on_domain) => servedLinks({ ...site, is_on_domain }, 'acme'));

  it('stay on the domain, without the path of the public URL, the slug and HOME_PAGE', () => {
    expect(there?.to({ kind: 'overview' })).toBe('/');
    expect(there?.to(INCIDENT)).toBe(`/incidents/${INCIDENT.id}`);
    expect(there?.to(MONTH)).toBe('/history?month=2026-11');
    expect(there?.script).toBe('/status/assets/page.js');
    expect(there?.in?.('de').to({ kind: 'overview' })).toBe('/?lang=de');
    const preview = servedLinks({ ...site, is_on_domain: true }, 'acme', { preview: 'pv_x', language: 'de' });
    expect(preview.to({ kind: 'overview' })).toBe('/?lang=de&preview=pv_x');
  });

  it('stay below the public URL otherwise', () => {
    expect(here?.to({ kind: 'overview' })).toBe('/our/');
    expect(here?.to(INCIDENT)).toBe(`/our/status/acme/incidents/${INCIDENT.id}`);
    expect(here?.script).toBe('/our/status/assets/page.js');
  });

  it('keep the same absolute URLs at both addresses', () => {
    for (const links of [here, there]) {
      expect(links?.absolute({ kind: 'overview' })).toBe('https://status.acme.example/');
      expect(links?.absolute(MONTH)).toBe('https://status.acme.example/history?month=2026-11');
    }
  });
});

describe('links of an export', () => {
  it('lead from each file to every other file', () => {
    const linksOf = (file: string) => exportedLinks(file, 'https://static.example/x', () => undefined);
    expect(linksOf('index.html').to(INCIDENT)).toBe(`incidents/${INCIDENT.id}/index.html`);
    expect(linksOf(fileOf(INCIDENT)).to({ kind: 'overview' })).toBe('../../index.html');
    expect(linksOf(fileOf(INCIDENT)).to(INCIDENT)).toBe('index.html');
    expect(linksOf(fileOf(MONTH)).to({ kind: 'feed', format: 'rss' })).toBe('../../feed.rss');
    expect(linksOf(fileOf(MONTH)).script).toBe('../../assets/page.js');
    expect(linksOf('index.html').script).toBe('assets/page.js');
  });

  it('start with the URL of the directory, without index.html', () => {
    const links = exportedLinks('index.html', 'https://static.example/x', () => undefined);
    expect(links.absolute({ kind: 'overview' })).toBe('https://static.example/x/');
    expect(links.absolute(INCIDENT)).toBe(`https://static.example/x/incidents/${INCIDENT.id}/`);
    expect(links.absolute({ kind: 'feed', format: 'rss' })).toBe('https://static.example/x/feed.rss');
  });
});
