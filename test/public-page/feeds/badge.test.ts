import { describe, expect, it } from 'vitest';
import { textsIn } from './xml.js';
import { faultsOf, useFeeds } from './use-feeds.js';

const { incident, monitorIn, pageOf, visit, textOf } = useFeeds();

/** Fields that Shields reads (shields.io/badges/endpoint-badge). */
const ENDPOINT_SCHEMA = {
  type: 'object',
  required: ['schemaVersion', 'label', 'message'],
  additionalProperties: false,
  properties: {
    schemaVersion: { const: 1 },
    label: { type: 'string' },
    message: { type: 'string', minLength: 1 },
    color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
    isError: { type: 'boolean' },
    cacheSeconds: { type: 'integer', minimum: 300 },
  },
};

const WORDS = {
  operational: 'operational',
  degraded_performance: 'degraded performance',
  partial_outage: 'partial outage',
  major_outage: 'major outage',
  under_maintenance: 'under maintenance',
  unknown: 'no data',
};

interface Badge {
  label: string;
  message: string;
  color: string;
}

const badgeOf = async (slug: string): Promise<Badge> => JSON.parse(await textOf(slug, '/badge.json'));

/** Returns the relative luminance of a color (WCAG 2.2). */
function luminance(color: string): number {
  const digits = color.length === 4 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(digits.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe('the badge', () => {
  it.each(Object.entries(WORDS))('shows the status %s as "%s"', async (status, word) => {
    const { slug } = await pageOf([await monitorIn(status)], { name: 'Acme' });
    const badge = await badgeOf(slug);
    expect(badge).toMatchObject({ label: 'Acme', message: word });
    const svg = await textOf(slug, '/badge.svg');
    expect(textsIn(svg, '/svg:svg/svg:title')).toEqual([`Acme: ${word}`]);
    expect(textsIn(svg, '/svg:svg/@aria-label')).toEqual([`Acme: ${word}`]);
    expect(textsIn(svg, '//svg:rect/@fill')).toContain(badge.color);
  });

  it('uses a different color for each status', async () => {
    const statuses = Object.keys(WORDS);
    const colors = await Promise.all(
      statuses.map(async (status) => {
        const { slug } = await pageOf([await monitorIn(status)]);
        return (await badgeOf(slug)).color;
      }),
    );
    expect(new Set(colors).size).toBe(statuses.length);
  });

  it.each(Object.keys(WORDS))('shows the status %s with a text contrast of at least 4.5', async (status) => {
    const { slug } = await pageOf([await monitorIn(status)]);
    const svg = await textOf(slug, '/badge.svg');
    const [left = '', right = ''] = textsIn(svg, '//svg:g[@clip-path]/svg:rect/@fill');
    const message = '//svg:g/svg:g[2]/svg:text/';
    const [text = '#fff'] = textsIn(svg, `${message}@fill`);
    expect(contrast(left, '#fff')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(right, text)).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['operational', '1 open incident'],
    [undefined, '1 open incident'],
    ['degraded_performance', 'degraded performance'],
  ])(
    'shows a page whose monitor is %s with an open incident without impact as "%s"',
    async (status, word) => {
      const { slug, id } = await pageOf(status ? [await monitorIn(status)] : [], { name: 'Acme' });
      await incident({}, { status_page_ids: [id] });
      const badge = await badgeOf(slug);
      expect(badge.message).toBe(word);
      expect(['#15803d', '#5f6772']).not.toContain(badge.color);
      expect(textsIn(await textOf(slug, '/badge.svg'), '/svg:svg/svg:title')).toEqual([`Acme: ${word}`]);
      if (status === 'operational') expect(contrast(badge.color, '#fff')).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('counts the open incidents', async () => {
    const { slug, id } = await pageOf([await monitorIn('operational')]);
    for (const impact of ['none', 'none']) await incident({}, { status_page_ids: [id], impact });
    expect((await badgeOf(slug)).message).toBe('2 open incidents');
  });

  it('never shows operational if no monitor reports', async () => {
    const { slug } = await pageOf([await monitorIn('operational'), await monitorIn('unknown')]);
    expect(await badgeOf(slug)).toMatchObject({ message: 'no data' });
    const { slug: empty } = await pageOf([]);
    expect(await badgeOf(empty)).toMatchObject({ message: 'no data' });
  });

  it('shortens a long name to 40 characters without splitting a character', async () => {
    const family = '👩‍👩‍👧‍👦';
    const { slug } = await pageOf([], { name: family.repeat(28) });
    expect(await badgeOf(slug)).toMatchObject({ label: family.repeat(28) });
    const { slug: long } = await pageOf([], { name: 'é'.repeat(200) });
    expect(await badgeOf(long)).toMatchObject({ label: `${'é'.repeat(39)}…` });
  });

  it('can be embedded by other sites as SVG', async () => {
    const { slug } = await pageOf([]);
    const { headers } = await visit(slug, '/badge.svg');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });

  it('contains the fields of a Shields endpoint badge', async () => {
    const { slug } = await pageOf([]);
    const response = await visit(slug, '/badge.json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(faultsOf(ENDPOINT_SCHEMA, await response.json())).toEqual([]);
  });
});
