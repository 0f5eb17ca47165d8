import { expect, it } from 'vitest';
import { plainName } from '../../src/page-model/plain-text.js';
import { Author, FINE } from '../public-page/html-examples.js';
import { HOSTILE_TEXTS } from '../public-page/html-hostile.js';
import { useSite } from './use-site.js';

const site = useSite();

/** Returns the names on a page, and everything else that only a hostile text can add. */
function found() {
  const elements = [...document.querySelectorAll('*')];
  const forbidden =
    'script:not([src]), iframe, object, embed, form, input, img, base, [rel=stylesheet], [http-equiv], plaintext';
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')];
  return {
    elements: [...document.querySelectorAll(forbidden)].map(({ outerHTML }) => outerHTML),
    attributes: elements.flatMap((element) =>
      element
        .getAttributeNames()
        .filter((name) => name.startsWith('on') || name === 'style' || name === 'autofocus'),
    ),
    schemes: [...new Set(links.map(({ protocol }) => protocol))].filter(
      (protocol) => !['http:', 'https:', 'mailto:'].includes(protocol),
    ),
    styles: document.querySelectorAll('style').length,
    scripts: document.scripts.length,
    names: [...document.querySelectorAll('bdi')].map(({ textContent }) => textContent),
  };
}

it('a hostile name, description or text is shown as text and runs nothing', async () => {
  const { page, faults, requests } = await site.open();
  const author = new Author(site.server, site.tenant);
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    const slug = `hostile-${index}`;
    const monitor = await author.monitor(text, FINE, text);
    const sections = [{ id: 'one', title: text, monitor_ids: [monitor] }];
    const page_id = await author.page(slug, { name: text, description: text, sections });
    const status_page_ids = [page_id];
    const updates = [{ ago: 9, status: 'investigating', body: text }];
    const incident = await author.incident({ title: text, updates, postmortem: text, status_page_ids });
    await author.maintenance(text, [60, 120], { body: text, status_page_ids });
    const paths = index % 8 === 0 ? ['', `/monitors/${monitor}`, `/incidents/${incident}`] : [''];
    for (const path of paths) {
      faults.length = 0;
      requests.length = 0;
      await page.goto(`/status/${slug}${path}`);
      const { names, ...others } = await page.evaluate(found);
      const nothing = { elements: [], attributes: [], schemes: [], styles: 1, scripts: 1 };
      expect({ text, path, faults, ...others }).toEqual({ text, path, faults: [], ...nothing });
      // HTML contains no other line feeds.
      expect(new Set(names)).toEqual(new Set([plainName(text).replaceAll(/\r\n?/g, '\n')]));
      const own = [`${site.server.url}/status/`, 'data:'];
      expect(requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
    }
  }
}, 600_000);
