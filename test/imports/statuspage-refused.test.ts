import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/platform/problems/problem.js';
import { component, file, group, useComponents } from './use-components.js';

const { server, importIn, imported } = useComponents();

/** Expects that a file is rejected and creates nothing. */
async function expectRefused(input: object, ...errors: { pointer: string; code?: string }[]): Promise<void> {
  const tenant = await server.tenant();
  const refused = importIn(tenant, input);
  await expect(refused).rejects.toBeInstanceOf(Problem);
  await expect(refused).rejects.toMatchObject({ code: 'validation_failed', errors });
  const [left] = await server.sql<object[]>(
    `SELECT (SELECT count(*)::int FROM monitors WHERE project_id = $1) AS monitors,
            (SELECT count(*)::int FROM status_pages WHERE project_id = $1) AS pages`,
    [tenant.project_id],
  );
  expect(left).toEqual({ monitors: 0, pages: 0 });
}

describe('POST /v1/imports/statuspage with an invalid file', () => {
  it.each<[object, ...{ pointer: string; code?: string }[]]>([
    [{}, { pointer: '#/page', code: 'required' }, { pointer: '#/components', code: 'required' }],
    [{ page: 'x', components: 'x' }, { pointer: '#/page' }, { pointer: '#/components' }],
    [
      { page: { name: 'x' }, components: {} },
      { pointer: '#/components', code: 'invalid_type' },
    ],
    [file([], ''), { pointer: '#/page/name', code: 'too_short' }],
    [file([], 'x'.repeat(201)), { pointer: '#/page/name', code: 'too_long' }],
    [
      file([null, 'x', [], 5]),
      ...[0, 1, 2, 3].map((index) => ({ pointer: `#/components/${index}`, code: 'invalid_type' })),
    ],
    [
      file([{}]),
      { pointer: '#/components/0/id' },
      { pointer: '#/components/0/name' },
      { pointer: '#/components/0/position' },
    ],
    [file([component('c', 1, null, { name: ' ' })]), { pointer: '#/components/0/name', code: 'blank' }],
    [
      file([component('c', 1, null, { name: 'a\u0000b' })]),
      { pointer: '#/components/0/name', code: 'invalid_format' },
    ],
    [
      file([component('c', 1, null, { name: 'x'.repeat(201) })]),
      { pointer: '#/components/0/name', code: 'too_long' },
    ],
    [
      file([component('c', 1, null, { description: 'x'.repeat(2001) })]),
      { pointer: '#/components/0/description' },
    ],
    [file([component('c d', 1, null)]), { pointer: '#/components/0/id', code: 'invalid_format' }],
    [
      file([{ ...component('c', 1, null), position: '1' }]),
      { pointer: '#/components/0/position', code: 'invalid_type' },
    ],
    [
      file([{ ...component('c', 1, null), group: 'yes' }]),
      { pointer: '#/components/0/group', code: 'invalid_type' },
    ],
    [file([component('c', 1, 'nowhere')]), { pointer: '#/components/0/group_id', code: 'invalid_format' }],
    [file([component('c', 1, null), component('d', 1, 'c')]), { pointer: '#/components/1/group_id' }],
    [file([group('g', 1), group('h', 1, { group_id: 'g' })]), { pointer: '#/components/1/group_id' }],
    [
      file([component('c', 1, null), component('c', 2, null)]),
      { pointer: '#/components/1/id', code: 'duplicate' },
    ],
  ])('rejects it with a reason and creates nothing: %j', async (input, ...errors) => {
    await expectRefused(input, ...errors);
  });

  it('rejects files over the limits of a page', async () => {
    const groups = (count: number) => Array.from({ length: count }, (_, index) => group(`g${index}`, index));
    const members = (count: number, of: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => component(`c${index}`, index, of(index)));
    await expectRefused(file(groups(201)), { pointer: '#', code: 'too_long' });
    await expectRefused(file([...groups(1), ...members(501, () => 'g0')]), {
      pointer: '#',
      code: 'too_long',
    });
    await expectRefused(file([...groups(3), ...members(1001, (index) => `g${index % 3}`)]), {
      pointer: '#',
      code: 'too_long',
    });
    await expectRefused(file(Array(5001).fill(component('c', 1, null))), {
      pointer: '#/components',
      code: 'too_long',
    });
  });

  it('accepts names such as constructor and __proto__', async () => {
    const input: object = JSON.parse(
      '{"__proto__":{"x":1},"constructor":1,"page":{"name":"x","toString":1},"components":[{"constructor":{"a":1},"id":"c","name":"c","position":1,"hasOwnProperty":2}]}',
    );
    const { report } = await imported(input);
    expect(report.monitors).toBe(1);
  });
});
