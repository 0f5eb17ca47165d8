import { describe, expect, it } from 'vitest';
import { type Answer } from '../support/server.js';
import { expectProblem } from '../support/expectations.js';
import { usePages } from './use-pages.js';

const { server, tenant, aPage, stored } = usePages();

describe('PATCH /v1/status-pages/{id} with If-Match', () => {
  const UNQUOTED = {
    code: 'invalid_format',
    detail: 'must be * or a list of ETags, each in double quotes',
    parameter: 'If-Match',
  };
  const ifMatch = (tag: string) => ({ 'If-Match': tag });
  const etagOf = ({ headers }: Answer<unknown>) => String(headers.get('etag'));

  it('accepts the ETag of the last response and returns the next one', async () => {
    const page = await aPage();
    const first = await server.patch(tenant, page.id, { name: 'One' });
    expect(etagOf(first)).toBe(`"${first.body.data.updated_at}"`);
    const second = await server.patch(tenant, page.id, { name: 'Two' }, ifMatch(etagOf(first)));
    expect([second.status, second.body.data.name]).toEqual([200, 'Two']);
    expect(etagOf(second)).not.toBe(etagOf(first));
  });

  it.each([{ name: 'Late' }, { sections: [] }, {}])(
    'returns 412 for the ETag of an older version: %j',
    async (patch) => {
      const page = await aPage();
      const old = `"${page.updated_at}"`;
      const current = await server.patch(tenant, page.id, { name: 'Meanwhile' });
      expectProblem(await server.patch(tenant, page.id, patch, ifMatch(old)), 412, 'precondition_failed');
      expect(await stored(page.id)).toEqual(current.body.data);
    },
  );

  it('accepts one of many concurrent requests for one version', async () => {
    const page = await aPage();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.patch(tenant, page.id, { name: `Writer ${index}` }, ifMatch(`"${page.updated_at}"`)),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(412)]);
  });

  it.each(['*', ' * '])('accepts any version for %j', async (tag) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 'Any' }, ifMatch(tag))).status).toBe(200);
  });

  it('accepts a list of tags', async () => {
    const page = await aPage();
    const tags = `"2020-01-01T00:00:00.000Z", "${page.updated_at}"`;
    expect((await server.patch(tenant, page.id, { name: 'Listed' }, ifMatch(tags))).status).toBe(200);
  });

  it.each([
    '"x"',
    '"-271821-04-20T00:00:00.000Z"',
    '"+010000-01-01T00:00:00.000Z"',
    '"a,b"',
    '""',
    '"9999-99-99T99:99:99.999Z"',
    '"2026-02-30T00:00:00.000Z"',
    '"2026-02-20T00:00:00.000Z-gzip-x"',
    'W/"2026-02-20T00:00:00.000Z--gzip"',
  ])('returns 412 for an unknown tag: %s', async (tag) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 'Never' }, ifMatch(tag))).status).toBe(412);
  });

  it('compares tags as texts, not as times', async () => {
    const { id } = await aPage();
    const version = '2026-03-02T00:00:00.000Z';
    await server.sql('UPDATE status_pages SET updated_at = $1 WHERE id = $2', [version, id]);
    for (const time of [
      '2026-03-02',
      '2026-03-02T00:00:00Z',
      '2026-03-02T00:00:00.000000Z',
      '2026-03-02T01:00:00.000+01:00',
      '2026-02-30T00:00:00.000Z',
    ]) {
      const rejected = await server.patch(tenant, id, { name: 'Never' }, ifMatch(`"${time}"`));
      expect([time, rejected.status]).toEqual([time, 412]);
    }
    expect((await server.patch(tenant, id, { name: 'Ever' }, ifMatch(`"${version}"`))).status).toBe(200);
  });

  it.each(['W/"…"', '"…-gzip"', 'W/"…-gzip"', '"…-br"', '"…-zstd"', '"…--gzip"', ', "x",, W/"…" ,'])(
    'accepts the tag as changed by compressing proxies: %s',
    async (form) => {
      const page = await aPage();
      const tag = form.replace('…', page.updated_at);
      const patched = await server.patch(tenant, page.id, { name: 'Compressed' }, ifMatch(tag));
      expect([patched.status, patched.body.data.name]).toEqual([200, 'Compressed']);
      const rejected = await server.patch(tenant, page.id, { name: 'Late' }, ifMatch(tag));
      expect(rejected.status).toBe(412);
    },
  );

  it.each([
    '…',
    'x',
    'W/…',
    'w/"…"',
    '"…',
    '…"',
    '"…"-gzip',
    "'…'",
    '"…" "x"',
    '"…", x',
    '*, "…"',
    '**',
    '',
    ' ',
    ',',
  ])('returns 400 for a value that is not a list of quoted tags: %j', async (form) => {
    const page = await aPage();
    const tag = form.replace('…', page.updated_at);
    const rejected = await server.patch(tenant, page.id, { name: 'Never' }, ifMatch(tag));
    expect(expectProblem(rejected, 400, 'validation_failed').errors).toEqual([UNQUOTED]);
    expect(await stored(page.id)).toEqual(page);
  });

  it('returns 400 for a malformed value of any length', async () => {
    const page = await aPage();
    for (const tag of [`${','.repeat(15_000)}x`, `${' '.repeat(15_000)}x`, '"'.repeat(15_001)])
      expect((await server.patch(tenant, page.id, {}, ifMatch(`x${tag}`))).body.errors).toEqual([UNQUOTED]);
  });

  it('returns 400 for a malformed value with all other errors, before 404', async () => {
    const nowhere = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const { status, body } = await server.patch(tenant, nowhere, { name: 1 }, ifMatch('x'));
    expect([status, body.errors.map(({ parameter, pointer }) => parameter ?? pointer)]).toEqual([
      400,
      ['If-Match', '#/name'],
    ]);
  });

  it('returns 400 for an invalid field and 404 for an unknown page before 412', async () => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 1 }, ifMatch('"x"'))).status).toBe(400);
    const unknown = [{ id: 'a', title: 'A', monitor_ids: ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10'] }];
    expect((await server.patch(tenant, page.id, { sections: unknown }, ifMatch('"x"'))).status).toBe(400);
    const nowhere = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    expect((await server.patch(tenant, nowhere, { name: 'x' }, ifMatch('"x"'))).status).toBe(404);
  });
});
