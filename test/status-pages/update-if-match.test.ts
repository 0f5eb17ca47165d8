import { describe, expect, it } from 'vitest';
import { type Answer } from '../support/server.js';
import { usePages } from './use-pages.js';

const { server, tenant, aPage, stored } = usePages();

describe('PATCH /v1/status-pages/{id} with If-Match', () => {
  const UNQUOTED = {
    code: 'invalid_format',
    detail: 'must be * or a list of ETags, each in double quotes',
    parameter: 'If-Match',
  };
  const ifMatch = (tag: string) => ({ 'If-Match': tag });
  const etagOf = ({ headers }: Answer) => String(headers.get('etag'));

  it('with the ETag of the last answer lets the patch through, which answers the next ETag', async () => {
    const page = await aPage();
    const first = await server.patch(tenant, page.id, { name: 'One' });
    expect(etagOf(first)).toBe(`"${first.body.data.updated_at}"`);
    const second = await server.patch(tenant, page.id, { name: 'Two' }, ifMatch(etagOf(first)));
    expect([second.status, second.body.data.name]).toEqual([200, 'Two']);
    expect(etagOf(second)).not.toBe(etagOf(first));
  });

  it.each([{ name: 'Late' }, { sections: [] }, {}])(
    'with the ETag of an older version is 412, and nothing is changed: %j',
    async (patch) => {
      const page = await aPage();
      const old = `"${page.updated_at}"`;
      const current = await server.patch(tenant, page.id, { name: 'Meanwhile' });
      const { status, body } = await server.patch(tenant, page.id, patch, ifMatch(old));
      expect([status, body.code]).toEqual([412, 'precondition_failed']);
      expect(await stored(page.id)).toEqual(current.body.data);
    },
  );

  it('of one version lets one of many through', async () => {
    const page = await aPage();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.patch(tenant, page.id, { name: `Writer ${index}` }, ifMatch(`"${page.updated_at}"`)),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(412)]);
  });

  it.each(['*', ' * '])('of %j lets any version through', async (tag) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 'Any' }, ifMatch(tag))).status).toBe(200);
  });

  it('may list several tags', async () => {
    const page = await aPage();
    const tags = `"2020-01-01T00:00:00.000Z", "${page.updated_at}"`;
    expect((await server.patch(tenant, page.id, { name: 'Listed' }, ifMatch(tags))).status).toBe(200);
  });

  it.each([
    '"x"',
    '"a,b"',
    '""',
    '"9999-99-99T99:99:99.999Z"',
    '"2026-02-30T00:00:00.000Z"',
    '"2026-02-20T00:00:00.000Z-gzip-x"',
    'W/"2026-02-20T00:00:00.000Z--gzip"',
  ])('with a tag that no version has is 412: %s', async (tag) => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 'Never' }, ifMatch(tag))).status).toBe(412);
  });

  it.each(['W/"…"', '"…-gzip"', 'W/"…-gzip"', '"…-br"', '"…-zstd"', '"…--gzip"', ', "x",, W/"…" ,'])(
    'matches as proxies that compress change the tag: %s',
    async (form) => {
      const page = await aPage();
      const tag = form.replace('…', page.updated_at);
      const patched = await server.patch(tenant, page.id, { name: 'Compressed' }, ifMatch(tag));
      expect([patched.status, patched.body.data.name]).toEqual([200, 'Compressed']);
      const late = await server.patch(tenant, page.id, { name: 'Late' }, ifMatch(tag));
      expect(late.status).toBe(412);
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
  ])('that is not a list of tags in double quotes is 400, and nothing is changed: %j', async (form) => {
    const page = await aPage();
    const tag = form.replace('…', page.updated_at);
    const { status, body } = await server.patch(tenant, page.id, { name: 'Never' }, ifMatch(tag));
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', [UNQUOTED]]);
    expect(await stored(page.id)).toEqual(page);
  });

  it('that is malformed is 400 at any length', async () => {
    const page = await aPage();
    for (const tag of [`${','.repeat(15_000)}x`, `${' '.repeat(15_000)}x`, '"'.repeat(15_001)])
      expect((await server.patch(tenant, page.id, {}, ifMatch(`x${tag}`))).body.errors).toEqual([UNQUOTED]);
  });

  it('that is malformed is named with every other fault, before 404', async () => {
    const nowhere = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const { status, body } = await server.patch(tenant, nowhere, { name: 1 }, ifMatch('x'));
    expect([status, body.errors.map(({ parameter, pointer }) => parameter ?? pointer)]).toEqual([
      400,
      ['If-Match', '#/name'],
    ]);
  });

  it('comes after the other checks: 400 for a bad field, 404 for a page that does not exist', async () => {
    const page = await aPage();
    expect((await server.patch(tenant, page.id, { name: 1 }, ifMatch('"x"'))).status).toBe(400);
    const unknown = [{ id: 'a', title: 'A', monitor_ids: ['0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a10'] }];
    expect((await server.patch(tenant, page.id, { sections: unknown }, ifMatch('"x"'))).status).toBe(400);
    const nowhere = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    expect((await server.patch(tenant, nowhere, { name: 'x' }, ifMatch('"x"'))).status).toBe(404);
  });
});
