import { describe, expect, it } from 'vitest';
import { FIELD_ERRORS, PROBLEMS } from '../../src/platform/problems/catalogue.js';
import { routesOf } from '../support/routes.js';
import { useDocument } from './use-document.js';

const { server, document, operation } = useDocument();

describe('OpenAPI document', () => {
  it('equals openapi.json (after a change: npx vitest run test/openapi --update)', async () => {
    const { text } = await server.ask('/openapi.json');
    await expect(`${JSON.stringify(JSON.parse(text), null, 2)}\n`).toMatchFileSnapshot('../../openapi.json');
  });

  it('uses version 3.1 and contains exactly the routes of the server', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = routesOf(server.app)
      // Without the routes for visitors and members: /status, /manage.
      .filter(({ path }) => !/^\/(docs|manage|mcp|status)\b/.test(path) && path !== '/openapi.json')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('contains every component that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    const names = new Set(references.map(([, name]) => name));
    expect([...names].toSorted()).toEqual(
      Object.keys(document.components.schemas)

        .toSorted(),
    );
  });

  it('defines the bearer scheme, and the scopes that each operation requires', () => {
    expect(document.components.securitySchemes).toEqual({
      api_key: expect.objectContaining({ type: 'http', scheme: 'bearer' }),
      api_key_as_password: expect.objectContaining({ type: 'http', scheme: 'basic' }),
    });
    expect(operation('get', '/v1/status-pages').security).toEqual([{ api_key: ['status_pages:read'] }]);
    expect(operation('patch', '/v1/status-pages/{id}').security).toEqual([
      { api_key: ['status_pages:write'] },
    ]);
    expect(operation('get', '/health/live').security).toEqual([]);
  });

  it('defines the basic scheme only for receivers', () => {
    const withBasic = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { security }]) =>
        JSON.stringify(security).includes('api_key_as_password') ? [`${method} ${path}`] : [],
      ),
    );
    expect(withBasic).toEqual([
      'post /v1/receivers/alertmanager',
      'get /v1/receivers/push',
      'post /v1/receivers/push',
      'post /v1/receivers/bounces',
    ]);
    expect(operation('post', '/v1/receivers/push').security).toEqual([
      { api_key: ['monitor_reports:write'] },
      { api_key_as_password: [] },
    ]);
  });

  it('lists each tag in use, API keys and imports last, and describes the server', () => {
    const tags = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((one) => one.tags),
    );
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...new Set(tags)].toSorted());
    const names = document.tags.map(({ name }) => name);
    const first = [
      'Status pages',
      'Incidents',
      'Incident templates',
      'Maintenance windows',
      'Monitors',
      'Monitor reports',
      'Receivers',
    ];
    const last = ['Projects', 'Members', 'API keys', 'Imports', 'Health', 'Errors'];
    // Tags of other modules are between them.
    expect(names.slice(0, first.length)).toEqual(first);
    expect(names.slice(-last.length)).toEqual(last);
    expect(document.servers).toEqual([{ url: '/', 'x-internal': false }]);
  });

  it('contains every error code and every code of a field', () => {
    const { Problem: problem } = document.components.schemas;
    expect(problem?.properties['code']).toMatchObject({ enum: Object.keys(PROBLEMS) });
    expect(problem?.properties['errors']).toMatchObject({
      items: { properties: { code: { enum: Object.keys(FIELD_ERRORS) } } },
    });
  });
});
