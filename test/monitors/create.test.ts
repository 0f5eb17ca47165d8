import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { UNKNOWN_ID, useMonitors } from './use-monitors.js';

const { tenant, ask, make } = useMonitors();

describe('POST /v1/monitors', () => {
  it('returns 201 with Location and ETag and makes the monitor readable', async () => {
    const { status, headers, body } = await ask('POST', '', {
      project_id: tenant.project_id.toUpperCase(),
      name: 'API 🚀',
      description: 'The public one.',
    });
    expect(status).toBe(201);
    expect(Object.entries(body.data)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)],
      ['name', 'API 🚀'],
      ['key', null],
      ['description', 'The public one.'],
      ['stale_after_seconds', null],
      ['draft_template_id', null],
      ['project_id', tenant.project_id],
      ['created_at', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)],
      ['updated_at', body.data.created_at],
    ]);
    expect(headers.get('location')).toBe(`/v1/monitors/${body.data.id}`);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await ask('GET', `/${body.data.id}`)).body).toEqual(body);
    expect((await ask('GET', `?project_id=${tenant.project_id}&limit=1`)).body.data).toEqual([body.data]);
  });

  it('sets no description by default and accepts duplicate names', async () => {
    const [one, other] = [await make(), await make()];
    expect([one.description, other.name]).toEqual(['', one.name]);
    expect(other.id).not.toBe(one.id);
  });

  it.each([
    [{ name: undefined }, 'required', '#/name'],
    [{ project_id: undefined }, 'required', '#/project_id'],
    [{ project_id: 'x' }, 'invalid_format', '#/project_id'],
    [{ name: '' }, 'too_short', '#/name'],
    [{ name: '\u2003' }, 'blank', '#/name'],
    [{ name: 'x'.repeat(201) }, 'too_long', '#/name'],
    [{ name: 1 }, 'invalid_type', '#/name'],
    [{ description: null }, 'invalid_type', '#/description'],
    [{ description: 'x'.repeat(2_001) }, 'too_long', '#/description'],
    [{ id: UNKNOWN_ID }, 'unknown_field', '#/id'],
    [{ key: '' }, 'invalid_format', '#/key'],
    [{ key: 'API' }, 'invalid_format', '#/key'],
    [{ key: 'a--b' }, 'invalid_format', '#/key'],
    [{ key: 'a_b' }, 'invalid_format', '#/key'],
    [{ key: '-a' }, 'invalid_format', '#/key'],
    [{ key: 'api\n' }, 'invalid_format', '#/key'],
    [{ key: 'x'.repeat(64) }, 'too_long', '#/key'],
    [{ key: 1 }, 'invalid_type', '#/key'],
  ])('returns 400 for %j', async (fields, code, pointer) => {
    expectProblem(
      await ask('POST', '', { project_id: tenant.project_id, name: 'API', ...fields }),
      400,
      'validation_failed',
      { code, pointer },
    );
  });

  it('returns 404 for an unknown project', async () => {
    expect((await ask('POST', '', { project_id: UNKNOWN_ID, name: 'API' })).status).toBe(404);
  });
});
