import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createClient,
  type Page,
  type StatusPage,
  StatusPagesError,
} from '../../clients/typescript/src/index.js';
import { type Tenant, useTestServer } from '../support/server.js';

describe('types of the client', () => {
  it('equal openapi.json (after a change: npx vitest run test/client/client.test.ts --update)', async () => {
    const document = await readFile('openapi.json', 'utf8');
    const { info }: { info: { version: string } } = JSON.parse(document);
    const sha256 = createHash('sha256').update(document).digest('hex');
    const source = `/** From openapi.json: version ${info.version} of the API, SHA-256 of the document ${sha256}. */\n`;
    const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
    const file = '../../clients/typescript/src/schema.ts';
    await expect(`${COMMENT_HEADER}${source}${types}`).toMatchFileSnapshot(file);
  });
});

describe('list of the client', () => {
  const server = useTestServer();
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await server.tenant();
    for (let number = 0; number < 7; number++) await server.page(tenant);
  });

  it('iterates over all items and pages, and again from the start', async () => {
    const { project_id, key } = tenant;
    const list = server.client(key).statusPages.list({ project_id, limit: 3 });
    const { body } = await server.list(tenant);
    for (let times = 0; times < 2; times++) {
      expect((await list.toArray()).map(({ id }) => id)).toEqual(body.data.map(({ id }) => id));
    }
    const pages: Page<StatusPage>[] = [];
    for await (const page of list.pages()) pages.push(page);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1]);
    expect(pages.map(({ pagination }) => pagination.has_more)).toEqual([true, true, false]);
  });

  it('requests only the pages that are iterated', async () => {
    const { project_id, key } = tenant;
    const asked: string[] = [];
    const client = createClient({
      baseUrl: server.url,
      apiKey: key,
      fetch: (request) => {
        asked.push(request.url);
        return fetch(request);
      },
    });
    for await (const page of client.statusPages.list({ project_id, limit: 2 })) {
      expect(page.project_id).toBe(project_id);
      break;
    }
    expect(asked).toHaveLength(1);
  });

  it('throws the error of the API for an unknown project', async () => {
    const project_id = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const failing = server.client(tenant.key).statusPages.list({ project_id }).toArray();
    await expect(failing).rejects.toBeInstanceOf(StatusPagesError);
    await expect(failing).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      message: '404 not_found: Project not found',
    });
  });

  it('contains each invalid field in its error', async () => {
    const failing = server.client(tenant.key).statusPages.create({ project_id: 'x', name: '' });
    await expect(failing).rejects.toMatchObject({
      problem: { errors: [{ pointer: '#/project_id' }, { pointer: '#/name' }] },
      message:
        '400 validation_failed: 2 fields are invalid; #/project_id must be a UUID; #/name must have 1 to 200 characters',
    });
  });
});
