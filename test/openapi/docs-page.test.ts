import { describe, expect, it } from 'vitest';
import { COMMON_HEADERS } from '../../src/platform/openapi/components.js';
import { useDocument } from './use-document.js';

const { server, document } = useDocument();

describe('GET /docs', () => {
  it('shows the OpenAPI document without foreign content', async () => {
    const page = await server.ask('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/(src|href)=["']https?:/);
    const assets = [...page.text.matchAll(/(?:src|href)=["']([^"']+)/g)].map(([, url = '']) => url);
    expect(assets).toHaveLength(6);
    for (const [name, value] of Object.entries({ Range: 'bytes=99999999-', 'If-Match': '"x"' })) {
      const headers = { [name]: value };
      expect((await server.ask('/docs/swagger-ui.css', { headers })).status).toBeLessThan(500);
    }
    for (const asset of assets) {
      const { pathname } = new URL(asset, `${server.url}/docs`);
      expect([asset, (await server.ask(pathname)).status]).toEqual([asset, 200]);
    }
  });

  it('describes common headers once', async () => {
    const { text } = await server.ask('/docs');
    for (const name of Object.keys(COMMON_HEADERS)) {
      expect(document.info.description.match(new RegExp(`\`${name}(?![\\w-])`, 'g'))).toHaveLength(1);
      expect(text).toMatch(new RegExp(`data-common-headers="(?:[^"]* )?${name}[ "]`));
    }
    expect(document.info.description).toContain('](/openapi.json)');
  });

  it('serves no other files', async () => {
    const others = [
      'LICENSE',
      'NOTICE',
      'README.md',
      'index.html',
      'package.json',
      'absolute-path.js',
      'oauth2-redirect.html',
      'swagger-ui.js',
      'swagger-ui.css.map',
      'swagger-ui-bundle.js.map',
      '..%2fpackage.json',
      'docs/docs.js',
      'tsconfig.json',
      'swagger-ui.d.ts',
      '',
    ];
    for (const name of others) {
      const { status, body } = await server.ask(`/docs/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, 'not_found']);
    }
    const { status, headers } = await server.ask('/docs/swagger-ui.css', { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
