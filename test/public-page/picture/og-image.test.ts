import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PageRenderer } from '../../../src/page-documents/rendering/page-renderer.service.js';
import { withinTwoSeconds } from '../../support/server.js';
import { isThorough } from '../../support/thorough.js';
import { newSlug } from '../cache/use-visits.js';
import { PICTURES } from '../../branding/pictures.js';
import { useBranding } from '../../branding/use-branding.js';
import { HOSTILE_TEXTS } from '../html-hostile.js';
import { BAND, decoded, SIGN_COLORS, usePictures } from './use-pictures.js';

const { server, tenant, monitorIn, post, incident, pageOf, visit, pngOf, pictureOf, textOf } = usePictures();

const ACCENT = '#4f46e5';
const GROUND = '#fcfcfa';
const MAX_BYTES = 60_000;
/** Space at the sides of the name, and above and below it. */
const MARGIN = 80;
const EDGE = 8;

describe('GET /status/{slug}/og-image.png', () => {
  it('returns a PNG of 1200 by 630 pixels that other sites can embed, and 304 for its strong ETag', async () => {
    const { slug } = await pageOf([await monitorIn('operational')]);
    const response = await visit(slug, '/og-image.png');
    const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(response.url, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
  });

  it.each(['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'unknown'] as const)(
    'shows the status %s in its color only, and the accent color',
    async (status) => {
      const { slug } = await pageOf([await monitorIn(status)], { accent_color: ACCENT });
      const { colors, band } = await pictureOf(slug);
      for (const [sign, color] of Object.entries(SIGN_COLORS))
        expect([sign, (colors.get(color) ?? 0) > 3_000]).toEqual([sign, sign === status]);
      expect(band.get(ACCENT)).toBeGreaterThan(1200 * BAND * 0.8);
      expect(colors.get(GROUND)).toBeGreaterThan(1200 * (630 - BAND) * 0.8);
    },
  );

  it('shows the names of monitors that are not operational', async () => {
    const quiet = async (statuses: string[]) => {
      const monitors = await Promise.all(statuses.map(monitorIn));
      return (await pictureOf((await pageOf(monitors)).slug)).colors.get('#5c626b') ?? 0;
    };
    const [none, one] = [await quiet(['operational']), await quiet(['major_outage'])];
    expect(none).toBe(0);
    expect(one).toBeGreaterThan(300);
    expect(await quiet(['major_outage', 'partial_outage', 'operational'])).toBeGreaterThan(one);
  });

  it('shows a logo instead of the name, unless it is an SVG', async () => {
    const { slug, id } = await pageOf([await monitorIn('operational')], { accent_color: '#0a7d4f' });
    const { put } = useBranding(server, tenant);
    await put(id, 'logo', PICTURES['image/png']);
    const withLogo = await withinTwoSeconds(async () => {
      const { band } = await pictureOf(slug);
      return band.get(ACCENT) !== undefined && band;
    });
    // 64 × 32 pixels, enlarged twice; the accent color only in a stripe.
    expect(withLogo.get(ACCENT)).toBe(128 * 64);
    expect(withLogo.get('#0a7d4f')).toBe(1200 * 16);
    await put(id, 'logo', PICTURES['image/svg+xml']);
    await withinTwoSeconds(
      async () => ((await pictureOf(slug)).band.get('#0a7d4f') ?? 0) > 1200 * BAND * 0.8,
    );
  });

  it('never looks operational while an incident is open', async () => {
    const { slug, id } = await pageOf([await monitorIn('operational')]);
    await incident({}, { status_page_ids: [id] });
    const { colors } = await pictureOf(slug);
    expect(colors.get(SIGN_COLORS.neutral)).toBeGreaterThan(3_000);
    expect(colors.has(SIGN_COLORS.operational)).toBe(false);
  });

  it('shows a change of the status within two seconds', async () => {
    const monitor_id = await monitorIn('operational');
    const { slug } = await pageOf([monitor_id]);
    const before = await pngOf(slug);
    await post([{ monitor_id, status: 'major_outage' }]);
    const after = await withinTwoSeconds(async () => {
      const png = await pngOf(slug);
      return !png.equals(before) && png;
    });
    expect((await decoded(after)).colors.get(SIGN_COLORS.major_outage)).toBeGreaterThan(3_000);
  });

  it('draws the picture again only if its content has changed', async () => {
    const monitor_id = await monitorIn('operational');
    const { id } = await pageOf([monitor_id]);
    const served = { public_url: 'https://status.example', home_page: undefined };
    const render = () => server.app.get(PageRenderer).serve(id, { kind: 'og-image' }, served);
    const before = await render();
    await post([{ monitor_id, status: 'operational' }]);
    const same = await render();
    expect(before?.body.length).toBeGreaterThan(0);
    expect(same?.body).toBe(before?.body);
    await post([{ monitor_id, status: 'partial_outage' }]);
    expect((await render())?.tag).not.toBe(before?.tag);
  });

  it.each([
    'Acme',
    'Ação Łódź Žluťoučký Straße Đà Nẵng',
    'Съешь ещё этих булок',
    'Ελληνική υπηρεσία',
    'שירות הענן',
    'خدمة السحابة',
    'すべてのシステム',
    '株式会社',
    '所有系统',
    '클라우드 서비스',
  ])('draws the name %s', async (name) => {
    const slug = newSlug();
    await pageOf([], { slug, name, accent_color: ACCENT });
    const picture = await pictureOf(slug);
    expect(picture.band.get('#ffffff')).toBeGreaterThan(1_000);
    const { slug: other } = await pageOf([], { name: slug, accent_color: ACCENT });
    expect(picture.band).not.toEqual((await pictureOf(other)).band);
  });

  it('shows the slug instead of a name that has letters without a glyph', async () => {
    const slug = newSlug();
    await pageOf([], { slug, name: 'สถานะระบบ Acme' });
    const { slug: other } = await pageOf([], { name: slug });
    expect((await pngOf(slug)).equals(await pngOf(other))).toBe(true);
  });

  it('leaves out emoji, and accents without a glyph', async () => {
    const { slug: plain } = await pageOf([], { name: 'Acme Z' });
    for (const name of ['🚀 Acme 👩‍👩‍👧‍👦  Z', 'Acme Z\u0351\u036b\u0343\u036a', 'Acme\nZ ✈️']) {
      const { slug } = await pageOf([], { name });
      expect([name, (await pngOf(slug)).equals(await pngOf(plain))]).toEqual([name, true]);
    }
    const { slug } = await pageOf([], { name: '🚀🚀' });
    expect((await pictureOf(slug)).band.size).toBeGreaterThan(1);
  });

  it.each([
    '<tspan fill="red">Acme</tspan>',
    '&amp;&lt;b&gt;',
    '</g></svg><script>alert(1)</script>',
    '<image href="file:///etc/passwd" width="100%" height="100%"/>',
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>&a;',
  ])('shows %s as text', async (name) => {
    const { slug } = await pageOf([], { name, accent_color: ACCENT });
    const { slug: less } = await pageOf([], { name: `${name.slice(0, 4)}x`, accent_color: ACCENT });
    const [picture, other] = [await pictureOf(slug), await pictureOf(less)];
    // More characters than in the beginning of the name are visible, in black or white on the accent color.
    expect(picture.band.get('#ffffff')).toBeGreaterThan(other.band.get('#ffffff') ?? Infinity);
    const others = [...picture.band.keys()].filter((color) => !/^#[4-9a-f].[4-9a-f].[ef].$/.test(color));
    expect(others).toEqual([]);
  });

  it('never exceeds its space or 60 kB with a hostile name', async () => {
    const names = [
      ...HOSTILE_TEXTS.filter((_text, index) => index % (isThorough ? 2 : 10) === 0).map((text) =>
        text.slice(0, 200),
      ),
      'W'.repeat(200),
      'i'.repeat(200),
      'word '.repeat(40),
      '漢'.repeat(200),
      'ﷺ'.repeat(60),
      '﷽'.repeat(40),
      'ش'.repeat(200),
      `a${'\u0301\u0323'.repeat(99)}`,
      `${'א'.repeat(99)} ${'b'.repeat(99)}`,
    ];
    for (const name of names) {
      const { slug } = await pageOf([], { name, accent_color: ACCENT });
      const png = await pngOf(slug);
      const picture = await decoded(png);
      const edges = [
        picture.colorsIn(0, 0, MARGIN, BAND),
        picture.colorsIn(1200 - MARGIN, 0, 1200, BAND),
        picture.colorsIn(0, 0, 1200, EDGE),
        picture.colorsIn(0, BAND - EDGE, 1200, BAND),
      ];
      expect([name, ...edges.map((edge) => [...edge.keys()])]).toEqual([name, ...edges.map(() => [ACCENT])]);
      expect(png.length).toBeLessThan(MAX_BYTES);
    }
  }, 60_000);

  it.each([
    ['#ffffff', '#000000'],
    ['#ffd166', '#000000'],
    ['#000000', '#ffffff'],
    ['#0f766e', '#ffffff'],
  ])('shows the name on the accent color %s in %s', async (accent_color, text) => {
    const { slug } = await pageOf([], { name: 'Acme', accent_color });
    expect((await pictureOf(slug)).band.get(text)).toBeGreaterThan(1_000);
  });
});

describe('GET /status/{slug}', () => {
  it.each(['', '/history'])('links to the picture by its absolute URL: %s', async (path) => {
    const { slug } = await pageOf([], { name: 'Acme "&" Sons' });
    const html = await textOf(slug, path);
    const base = server.url.replace('127.0.0.1', 'localhost');
    expect(html).toContain(`<meta property="og:image" content="${base}/status/${slug}/og-image.png"/>`);
    expect(html).toContain('<meta property="og:image:width" content="1200"/>');
    expect(html).toContain('<meta property="og:image:height" content="630"/>');
    expect(html).toContain('<meta property="og:image:alt" content="Acme &quot;&amp;&quot; Sons status"/>');
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
  });
});
