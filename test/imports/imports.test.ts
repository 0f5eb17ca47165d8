import { describe, expect, it } from 'vitest';
import { domainsOf } from '../domains/use-domains.js';
import { expectProblem } from '../support/expectations.js';
import { GATUS, STATUSPAGE, UPPTIME, useImports } from './use-imports.js';

const { server, tenant, send, expectNothing } = useImports();

const FORMATS = [
  { format: 'statuspage', type: 'application/json', body: STATUSPAGE, malformed: 'malformed_json' },
  { format: 'upptime', type: 'application/yaml', body: UPPTIME, malformed: 'malformed_yaml' },
  { format: 'gatus', type: 'application/yaml', body: GATUS, malformed: 'malformed_yaml' },
];

describe.each(FORMATS)('POST /v1/imports/$format', ({ format, type, body: file, malformed }) => {
  it('creates a page with sections and monitors and returns 201 with Location', async () => {
    const { status, headers, body } = await send(format, type, file);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      dry_run: false,
      project_id: tenant.project_id,
      name: 'Acme',
      sections: 1,
      monitors: 2,
    });
    expect(headers.get('location')).toBe(`/v1/status-pages/${body.data.status_page_id}`);
    const page = await server.ask(String(headers.get('location')), { key: tenant.key });
    expect(page.body.data).toMatchObject({ name: 'Acme', slug: body.data.slug });
    expect(page.body.data.sections.map(({ monitor_ids }) => monitor_ids.length)).toEqual([2]);
  });

  it('returns 200 with dry_run=true and creates nothing', async () => {
    const { status, headers, body } = await send(format, type, file, '&dry_run=true');
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(body.data).toMatchObject({
      dry_run: true,
      status_page_id: null,
      name: 'Acme',
      slug: expect.stringMatching(/^acme/),
      sections: 1,
      monitors: 2,
    });
    await expectNothing();
    expect((await send(format, type, file, '&dry_run=false')).status).toBe(201);
  });

  it.each(['1', '', 'TRUE', 'yes'])('rejects dry_run=%j', async (value) => {
    expectProblem(await send(format, type, file, `&dry_run=${value}`), 400, 'validation_failed', {
      parameter: 'dry_run',
    });
    await expectNothing();
  });

  it('returns 403 with the missing scopes if the key lacks a scope', async () => {
    const { organization_id } = await server.tenant();
    for (const scope of ['status_pages:write', 'monitors:write'] as const) {
      const { key } = await server.key(organization_id, { scopes: [scope] });
      const { status, headers } = await send(format, type, file, '', { key });
      expect([status, headers.get('www-authenticate')]).toEqual([
        403,
        expect.stringContaining('scope="status_pages:write monitors:write"'),
      ]);
    }
  });

  it('returns the same 404 for foreign and unknown projects', async () => {
    const foreign = await server.tenant();
    const answers = await Promise.all(
      [(await server.tenant()).project_id, '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01'].map((project_id) =>
        server.ask(`/v1/imports/${format}?project_id=${project_id}`, {
          method: 'POST',
          key: foreign.key,
          body: file,
          headers: { 'Content-Type': type },
        }),
      ),
    );
    const [first, second] = answers.map(({ status, body }) => [status, { ...body, request_id: '' }]);
    expect(first).toMatchObject([404, { detail: 'Project not found' }]);
    expect(second).toEqual(first);
  });

  it('returns 415, 413 and query errors before 404, and file errors after it', async () => {
    const { key } = await server.tenant();
    const nowhere = '?project_id=0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
    const ask = async (query: string, body: string, sent = type) => {
      const headers = { 'Content-Type': sent };
      return server.ask(`/v1/imports/${format}${query}`, { method: 'POST', key, body, headers });
    };
    expect((await ask(nowhere, file, 'text/plain')).status).toBe(415);
    expect((await ask(nowhere, ' '.repeat(5 * 1024 * 1024 + 1))).status).toBe(413);
    expectProblem(await ask(`${nowhere}&dry_run=1`, '['), 400, 'validation_failed', { parameter: 'dry_run' });
    expectProblem(await ask('', '['), 400, 'validation_failed', {
      code: 'required',
      parameter: 'project_id',
    });
    expect((await ask(nowhere, '[')).status).toBe(404);
    expect((await ask(nowhere, file)).status).toBe(404);
  });

  it('accepts each media type of YAML', async () => {
    const wanted = type === 'application/yaml' ? 201 : 415;
    for (const yaml of [
      'application/yaml',
      'application/x-yaml',
      'text/yaml',
      'text/x-yaml',
      'Text/YAML; charset=UTF-8',
    ])
      expect([yaml, (await send(format, yaml, file)).status]).toEqual([yaml, wanted]);
  });

  it('returns 415 for other media types', async () => {
    const json = type === 'application/json' ? [] : ['application/json'];
    for (const other of [
      'text/plain',
      'application/xml',
      'application/x-yaml2',
      'text/yaml; charset=latin1',
      ...json,
    ])
      expect([other, (await send(format, other, file)).status]).toEqual([other, 415]);
    await expectNothing();
  });

  it('creates a page from the example in the OpenAPI document', async () => {
    const { body: document } = await server.ask('/openapi.json');
    const { content }: { content: Record<string, { schema: { type: string; example: string | object } }> } =
      JSON.parse(JSON.stringify(document)).paths[`/v1/imports/${format}`].post.requestBody;
    for (const [sent, { schema }] of Object.entries(content)) {
      const { type: documented, example } = schema;
      expect([sent, documented]).toEqual([sent, type === 'application/yaml' ? 'string' : 'object']);
      const { status, body } = await send(
        format,
        sent,
        typeof example === 'string' ? example : JSON.stringify(example),
      );
      expect([status, body.data.sections > 0, body.data.monitors > 1]).toEqual([201, true, true]);
    }
  });

  it('accepts up to 5 MiB and returns 413 for more', async () => {
    const padding = (bytes: number) => file.trimEnd() + ' '.repeat(bytes - file.trimEnd().length);
    expect((await send(format, type, padding(5 * 1024 * 1024))).status).toBe(201);
    expect((await send(format, type, padding(5 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it.each(['', '[', '"text"', '[]', 'null', '12', Buffer.from([0x22, 0xff, 0x22])])(
    'returns 400 for a file of another format: %j',
    async (body) => {
      const { status, body: answer } = await send(format, type, body);
      expect([status, answer.code]).toEqual([400, malformed]);
      expect(answer.detail).not.toBe('');
    },
  );

  it('lists each error in the file and creates nothing', async () => {
    const bad = {
      statuspage: '{"page":{"name":""},"components":[{"id":1}]}',
      upptime: 'sites: [{ name: "" }]\nstatus-website: { cname: "127.0.0.1", name: x }\n',
      gatus: 'endpoints: [{ name: "" }, { group: x }]\n',
    };
    const { status, body } = await send(
      format,
      type,
      Object.entries(bad).find(([name]) => name === format)?.[1] ?? '',
    );
    expect([status, body.code, body.errors.length > 1]).toEqual([400, 'validation_failed', true]);
    for (const { pointer } of body.errors) expect(pointer).toMatch(/^#\/\w/);
    await expectNothing();
  });
});

describe('POST /v1/imports/upptime', () => {
  it('returns 409 for a domain that another organization has verified, even in a dry run', async () => {
    await domainsOf(server).page(await server.tenant(), 'taken.example');
    const file = `${UPPTIME}  cname: taken.example\n`;
    for (const query of ['', '&dry_run=true']) {
      const { status, body } = await send('upptime', 'application/yaml', file, query);
      expect([status, body.code, body.detail]).toEqual([
        409,
        'conflict',
        'Another status page already uses the custom domain in the file',
      ]);
      await expectNothing();
    }
  });
});

describe('an imported page with 470 monitors in 69 sections', () => {
  it('can be listed, read, updated and sent back unchanged', async () => {
    const groups = Array.from({ length: 69 }, (_, index) => ({
      id: `g${index}`,
      name: index % 2 ? 'Region' : `Region ${index}`,
      position: index,
      group: true,
      group_id: null,
    }));
    const members = Array.from({ length: 470 }, (_, index) => ({
      id: `c${index}`,
      name: 'Same',
      position: index,
      group: false,
      group_id: index < 113 ? 'g0' : `g${1 + (index % 68)}`,
    }));
    const file = JSON.stringify({ page: { id: 'p', name: 'Large' }, components: [...groups, ...members] });
    const { status, body } = await send('statuspage', 'application/json', file);
    expect([status, body.data.sections, body.data.monitors]).toEqual([201, 69, 470]);
    const path = `/v1/status-pages/${body.data.status_page_id}`;
    const read = await server.ask(path, { key: tenant.key });
    expect(read.body.data.sections.map(({ title }) => title)).toEqual(groups.map(({ name }) => name));
    expect(read.body.data.sections[0]?.monitor_ids).toHaveLength(113);
    expect((await server.list(tenant)).body.data).toEqual([read.body.data]);

    const same = await server.patch(tenant, read.body.data.id, { sections: read.body.data.sections });
    expect([same.status, same.text]).toEqual([200, read.text]);
    const sections = read.body.data.sections.toReversed();
    const reversed = await server.patch(tenant, read.body.data.id, { sections });
    expect([reversed.status, reversed.body.data.sections]).toEqual([200, sections]);
    const back = await server.patch(tenant, read.body.data.id, { sections: sections.toReversed() });
    expect(back.body.data.sections).toEqual(read.body.data.sections);
  });
});
