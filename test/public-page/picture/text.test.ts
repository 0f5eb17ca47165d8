import { describe, expect, it } from 'vitest';
import { DEFAULT_BRANDING } from '../components-data.js';
import type { CurrentPart } from '../../../src/page-model/page-data.js';
import { servedLinks } from '../../../src/page-model/links.js';
import { viewOf } from '../../../src/page-model/view.js';
import { type Character, charactersOf, ellipsis } from '../../../src/page-documents/picture/characters.js';
import { fit } from '../../../src/page-documents/picture/lines.js';
import { ogImage } from '../../../src/page-documents/picture/og-image.js';
import { asPng } from '../../../src/page-documents/picture/png.js';
import { drawLine, startsRight, widthOf } from '../../../src/page-documents/picture/typesetter.js';
import { countsOf } from '../../../src/summaries/status-counts.js';
import { BAND, decoded, SIGN_COLORS } from './use-pictures.js';

const MAX = 100;

async function lineOf(text: string): Promise<Character[]> {
  const line = await charactersOf(text, 'other', MAX);
  if (!line) throw new Error(`cannot draw ${text}`);
  return line;
}

const textOf = (line: Character[]) => line.map(({ text }) => text).join('');

/** Returns the outlines of a line's glyphs, from left to right. */
async function outlinesOf(text: string): Promise<string[]> {
  const svg = drawLine(await lineOf(text), { size: 100, x: 0, baseline: 0 });
  return [...svg.matchAll(/ d="([^"]+)"/g)].map(([, outline = '']) => outline);
}

async function fitted(text: string, width: number): Promise<{ size: number; lines: string[] }> {
  const space = { width, lines: 2, sizes: [100, 50] };
  const { size, lines } = fit(await lineOf(text), space, await ellipsis());
  for (const line of lines) expect(widthOf(line) * size).toBeLessThanOrEqual(width);
  return { size, lines: lines.map(textOf) };
}

/** Headlines in the languages of the pages, and in Korean. */
const HEADLINES = [
  'All systems operational',
  'Alle Systeme laufen einwandfrei – größere Störung',
  'Tous les systèmes sont opérationnels, dégradé à 50 %',
  'Todos los sistemas están operativos, ¿señal?',
  'Todos os sistemas estão operacionais, manutenção',
  'Tutti i sistemi sono operativi, perché così è',
  'Alle systemen werken, geïnformeerd',
  'Wszystkie systemy działają, częściowa przerwa źródła',
  'すべてのシステムは正常です。メンテナンス中、一部障害',
  '所有系统均正常运行，部分中断，维护中',
  '모든 시스템 정상 한국',
];

function currentOf(name = 'Acme'): CurrentPart {
  const time = new Date('2026-11-25T00:00:00Z');
  return {
    page: {
      id: '018cc251-f400-7000-8000-000000000003',
      slug: 'acme',
      name,
      description: '',
      accent_color: '#2563eb',
      is_public: true,
      show_powered_by: true,
      show_history: true,
      history_days: 90,
      rss_enabled: true,
      subscribing: null,
      branding: DEFAULT_BRANDING,
      created_at: time,
      updated_at: time,
      as_of: time,
    },
    headline: { status: 'operational', kind: 'operational' },
    counts: countsOf(['operational']),
    sections: [],
    incidents: [],
    maintenances: [],
  };
}

/** Draws the picture of a page without problems. */
function draw(operational: string, name?: string) {
  const current = currentOf(name);
  const view = viewOf(servedLinks({ public_url: 'https://status.example' }, 'acme'), current.page);
  const words = { ...view.words, headline: { ...view.words.headline, operational } };
  return ogImage(current, { ...view, words });
}

describe('text of pictures', () => {
  it.each(HEADLINES)('draws each letter of the headline %s', async (headline) => {
    expect(textOf(await lineOf(headline))).toBe(headline);
    const letters = headline.replaceAll(/[\p{White_Space}]/gu, '');
    const outlines = (await outlinesOf(headline)).length;
    expect(outlines).toBeGreaterThanOrEqual([...letters].length);
  });

  it('draws Han characters in their Japanese form in a Japanese text only', async () => {
    const [chinese = [], japanese = []] = await Promise.all(
      (['other', 'ja'] as const).map((han) => charactersOf('直', han, MAX)),
    );
    const [one, other] = [chinese, japanese].map((line) =>
      drawLine(line, { size: 1_000, x: 0, baseline: 0 }),
    );
    expect(one).toContain('<path');
    expect(one).not.toBe(other);
  });

  it('draws a letter with a combining accent like the accented letter', async () => {
    expect(await outlinesOf('Cafe\u0301')).toEqual(await outlinesOf('Café'));
  });

  it('draws right-to-left text from right to left, and numbers in it from left to right', async () => {
    const [alef = '', bet = '', one = '', two = ''] = await outlinesOf('א').then(async (first) => [
      ...first,
      ...(await outlinesOf('ב')),
      ...(await outlinesOf('12')),
    ]);
    expect(await outlinesOf('אב')).toEqual([bet, alef]);
    expect((await outlinesOf('אב 12')).filter((outline) => outline !== '')).toEqual([one, two, bet, alef]);
    expect((await outlinesOf('12 אב')).filter((outline) => outline !== '')).toEqual([bet, alef, one, two]);
    expect(startsRight(await lineOf('אב 12'))).toBe(true);
    expect(startsRight(await lineOf('Acme אב'))).toBe(false);
  });

  it('draws several right-to-left words in left-to-right text', async () => {
    const all = await Promise.all(['a', 'א', 'ב', 'ג', '1', '2', 'b'].map(outlinesOf));
    const [a, alef, bet, gimel, one, two, b] = all.map(([outline]) => outline);
    const drawn = (await outlinesOf('a אב 12 ג b')).filter((outline) => outline !== '');
    expect(drawn).toEqual([a, gimel, one, two, bet, alef, b]);
  });

  it('joins Arabic letters', async () => {
    const [alone] = await outlinesOf('ح');
    const joined = await outlinesOf('ححح');
    expect(new Set(joined).size).toBe(3);
    expect(joined).not.toContain(alone);
  });

  it('uses the largest font size in which a text fits, and lines of similar length', async () => {
    expect(await fitted('Outage', 500)).toEqual({ size: 100, lines: ['Outage'] });
    expect(await fitted('All systems operational', 1_000)).toEqual({
      size: 100,
      lines: ['All systems', 'operational'],
    });
    expect((await fitted('Partial outage of some systems', 1_300)).lines).toEqual([
      'Partial outage of',
      'some systems',
    ]);
    expect((await fitted('Degraded performance of all systems', 800)).size).toBe(50);
  });

  it('breaks Japanese text before a word, not before a particle', async () => {
    const { lines } = await fitted('すべてのシステムは正常です', 1_000);
    expect(lines).toEqual(['すべてのシステムは', '正常です']);
  });

  it.each(['word '.repeat(15), 'W'.repeat(90), '漢'.repeat(90), 'ש'.repeat(90)])(
    'ends with an ellipsis if it does not fit: %s',
    async (text) => {
      const { size, lines } = await fitted(text, 500);
      expect([size, lines.at(-1)?.at(-1)]).toEqual([50, '…']);
    },
  );
});

describe('ogImage', () => {
  it('contains only shapes, so that it needs no fonts and no markup of a name is interpreted', async () => {
    const { body } = await draw('All systems operational', '<image href="file:///etc/passwd"/>&a;');
    const elements = new Set([...body.matchAll(/<([^/\s>]+)/g)].map(([, element]) => element));
    expect([...elements].toSorted()).toEqual(['clipPath', 'g', 'path', 'rect', 'svg']);
    expect(body).not.toMatch(/href|&/);
  });

  it('begins at the right in a right-to-left language', async () => {
    const headlines = ['All systems operational', 'جميع الأنظمة تعمل بشكل طبيعي'];
    for (const [index, headline] of headlines.entries()) {
      const picture = await decoded((await asPng(await draw(headline))).body);
      const halves = [picture.colorsIn(0, BAND, 600, 630), picture.colorsIn(600, BAND, 1200, 630)];
      expect(halves.map((half) => half.has(SIGN_COLORS.operational))).toEqual([index === 0, index === 1]);
    }
  });

  it('leaves out a headline without glyphs', async () => {
    const { body } = await draw('ระบบทั้งหมด');
    expect(body).toContain('<path fill="#27a268"');
  });
});
