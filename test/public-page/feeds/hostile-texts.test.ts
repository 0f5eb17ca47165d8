import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import type { StatuspageSummary } from '../../../src/page-documents/feeds/statuspage-types.js';
import { FEED_FORMATS } from '../../../src/page-model/parts.js';
import { isThorough } from '../../support/thorough.js';
import { namesIn, textsIn } from './xml.js';
import { titleIn, useFeeds } from './use-feeds.js';

const { server, tenant, monitor, incident, maintenance, pageOf, textOf, feedOf } = useFeeds();

/** Texts, with the result if it differs from the text. */
const TEXTS: [sent: string, arrives?: string][] = [
  ['<script>alert(1)</script>'],
  [']]><script>alert(1)</script><![CDATA['],
  ['"><img src=x onerror=alert(1)>\'/><svg onload=alert(1)>'],
  ['javascript:alert(1) [x](javascript:alert(1)) <javascript:alert(1)>'],
  ['![x](https://tracker.example/x.png) [y](data:text/html,<script>)'],
  ['[x](https://safe.example "onmouseover=alert(1)") [y](//other.example) [z](vbscript:x)'],
  ['a & b &amp; &lt;b&gt; &nbsp; &bogus; &xxe;'],
  ['<!DOCTYPE x [<!ENTITY xxe SYSTEM "file:///etc/passwd">]> <?xml version="1.0"?> <!--'],
  ['a\u0001b\u0007c\u001b[31md\u007fe\u0085f\u009fg', 'abc[31mdefg'],
  ['user\u202egnp.exe\u202c \u2066x\u2069 \u200e\u200f\u061c', 'usergnp.exe x '],
  ['a\ufffeb\uffffc\ufeffd\u{1ffff}e', 'abcde'],
  ['a&#x202e;b&#1;c&#xfffe;d'],
  ['👩‍👩‍👧‍👦 🏴‍☠️ 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 é ﷽'],
  ['مرحبا بالعالم 12 שלום'],
  ['x\r\nBEGIN:VEVENT\r\nUID:evil\r\nEND:VEVENT', 'x\nBEGIN:VEVENT\nUID:evil\nEND:VEVENT'],
  ['a;b,c:d\\e\\nf\\;g"h=\ti'],
  ['{{7*7}} ${7*7} <%= 7 %> #{7}'],
  ['ü'.repeat(200)],
  ['𝔘'.repeat(200)],
];

/** Elements and attributes that Markdown can produce. */
const HTML = {
  elements: ['div', 'p', 'a', 'time', 'code', 'pre', 'strong', 'em', 'ul', 'ol', 'li', 'blockquote'],
  attributes: ['href', 'rel', 'title', 'datetime', 'start'],
};

const SVG_ELEMENTS = [
  'svg', 'title', 'g', 'text', 'rect', 'linearGradient', 'stop', 'clipPath', 'filter', 'feGaussianBlur',
]; // prettier-ignore

/** Returns the HTML of an entry as XML. The two differ only in `]]>`, which HTML text can contain. */
const asXml = (html: string): string => `<div>${html.replaceAll(']]>', ']]&gt;')}</div>`;

/** Expects only the elements, attributes and links that Markdown produces. */
function expectHarmless(html: string): void {
  const document = asXml(html);
  const { elements, attributes } = namesIn(document);
  expect(HTML.elements).toEqual(expect.arrayContaining([...elements]));
  expect(HTML.attributes).toEqual(expect.arrayContaining([...attributes]));
  for (const link of textsIn(document, '//@href')) expect(link).toMatch(/^(https?|mailto):/);
  expect(textsIn(document, '//a[not(@rel = "nofollow noopener")]')).toEqual([]);
  expect(html).not.toMatch(/(?![\t\n])\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}|\ufeff/u);
}

/** Expects that a feed reader that treats a text as HTML finds only elements of Markdown. */
function expectHarmlessAsHtml(text: string): void {
  const tags = [...text.matchAll(/<\/?([a-z][a-z0-9]*|[!?])/gi)].map(([, name]) => name);
  expect(HTML.elements).toEqual(expect.arrayContaining(tags));
}

const unescaped = (_: string, one: string): string => (one === 'n' ? '\n' : one);

/** Returns the name of a calendar and its only event. */
function onlyEventOf(text: string): { name: string; event: ICAL.Event } {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const [component, ...others] = calendar.getAllSubcomponents();
  if (!component || others.length > 0) throw new Error('not one event');
  // ical.js does not know this property and leaves it escaped.
  const name: unknown = calendar.getFirstPropertyValue('x-wr-calname');
  return { name: String(name).replaceAll(/\\(.)/g, unescaped), event: new ICAL.Event(component) };
}

/** Creates a page, monitor, incident and maintenance window with the given text in every text field. */
async function pageSaying(text: string): Promise<string> {
  const id = await monitor();
  const named = await server.ask(`/v1/monitors/${id}`, {
    method: 'PATCH',
    key: tenant.key,
    json: { name: text, description: text },
  });
  expect(named.status).toBe(200);
  const sections = [{ id: 'core', title: text, monitor_ids: [id] }];
  const { slug } = await pageOf([], { name: text, description: text, sections });
  await incident({ [id]: 'major_outage' }, { title: text, body: text });
  await maintenance(1, 2, { title: text, body: text, monitor_ids: [id] });
  return slug;
}

describe.each(TEXTS.filter((_, index) => isThorough || index % 4 === 0))(
  'the text %j',
  (sent, arrives = sent) => {
    it('appears in every document without harmful characters and runs nothing', async () => {
      const slug = await pageSaying(sent);

      for (const format of FEED_FORMATS) {
        const { title, entries } = await feedOf(slug, format); // well-formed and valid
        expect(title).toBe(titleIn(format, `${arrives} status`));
        expect(entries.map((entry) => entry.title)).toEqual([
          titleIn(format, `Maintenance: ${arrives}`),
          titleIn(format, `Investigating: ${arrives}`),
        ]);
        for (const { html } of entries) {
          expectHarmless(html);
          const affected = textsIn(asXml(html), '/div/p[last()]');
          expect(affected).toEqual([expect.stringContaining(`Affected: ${arrives}`)]);
        }
      }

      const rss = await textOf(slug, '/feed.rss');
      for (const text of textsIn(rss, '//title | //description')) expectHarmlessAsHtml(text);
      const [description = ''] = textsIn(rss, '/rss/channel/description');
      expect(textsIn(asXml(description), '/div')).toEqual([arrives]);

      const { name, event } = onlyEventOf(await textOf(slug, '/maintenance.ics'));
      expect(name).toBe(`${arrives} maintenance`);
      expect([event.summary, event.description]).toEqual([arrives, `${arrives}\n\nAffected: ${arrives}`]);

      const summary: StatuspageSummary = JSON.parse(await textOf(slug, '/api/v2/summary.json'));
      expect(summary.page.name).toBe(arrives);
      expect(summary.components.map((one) => one.name)).toEqual([arrives, arrives]);
      const [shown] = summary.incidents;
      expect([shown?.name, shown?.incident_updates[0]?.body]).toEqual([arrives, arrives]);

      const svg = await textOf(slug, '/badge.svg');
      expect(SVG_ELEMENTS).toEqual(expect.arrayContaining([...namesIn(svg).elements]));
      expect([...namesIn(svg).attributes].filter((one) => /^on|href|style/i.test(one))).toEqual([]);
      const [title = ''] = textsIn(svg, '/svg:svg/svg:title');
      const badge: { label: string } = JSON.parse(await textOf(slug, '/badge.json'));
      expect(title).toBe(`${badge.label}: major outage`);
      expect(arrives.replaceAll(/\s+/g, ' ')).toContain(badge.label.replace(/…$/, ''));
    });
  },
);
