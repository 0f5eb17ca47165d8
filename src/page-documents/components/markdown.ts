import MarkdownIt from 'markdown-it';
import { plainText } from '../../page-model/plain-text.js';

/** Only absolute links, because the same text is on pages, in feeds and in exports, where relative links do not work. */
const ALLOWED_LINK = /^(https?|mailto):/i;

const HIGHEST_LEVEL = 3;
const LOWEST_LEVEL = 6;

/**
 * Tables that can have more cells are rendered as text, because markdown-it creates 65,000 cells from 10 kB, which takes a
 * second.
 */
const MAX_CELLS = 5_000;

function createParser() {
  // Images would leak visitors' IP addresses to the image host.
  const markdown = new MarkdownIt({ html: false, linkify: true }).disable('image');
  markdown.validateLink = (url) => ALLOWED_LINK.test(url.trim());
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

  markdown.core.ruler.push('page', ({ tokens, env }) => {
    const parents: number[] = [];
    let tag = '';
    for (const token of tokens) {
      if (token.type === 'heading_open') {
        const level = Number(token.tag.slice(1));
        while ((parents.at(-1) ?? 0) >= level) parents.pop();
        parents.push(level);
        const top = typeof env['level'] === 'number' ? env['level'] : HIGHEST_LEVEL;
        tag = `h${Math.min(top + parents.length - 1, LOWEST_LEVEL)}`;
        token.tag = tag;
      } else if (token.type === 'heading_close') token.tag = tag;
      // The alignment of a cell is a `style` attribute, which the Content-Security-Policy of pages forbids.
      else if (token.type === 'th_open') token.attrs = [['scope', 'col']];
      else if (token.type === 'td_open') token.attrs = null;
      for (const child of token.children ?? [])
        if (child.type === 'link_open') child.attrSet('rel', 'nofollow noopener');
    }
  });
  return markdown;
}

const parser = createParser();
const parserWithoutTables = createParser().disable('table');

/** The line below the header of a table, possibly in a quote or a list. */
const DELIMITER_LINE = /^[ \t>|:-]+$/gm;

/**
 * Returns the maximum number of cells in the tables of a text. Short rows are filled with empty cells up to the length of the
 * header.
 */
function maxCellsOf(text: string): number {
  const columns = Math.max(0, ...(text.match(DELIMITER_LINE) ?? []).map((line) => line.split('|').length));
  return columns * text.split('\n').length;
}

/**
 * Renders the Markdown of an update, a maintenance window or a postmortem as HTML. Renders HTML, images, and links other than
 * `http:`, `https:` and `mailto:` as text.
 *
 *     markdownToHtml('# Why\n\nSee **[this](https://example.com)**', 4)
 *     <h4>Why</h4><p>See <strong><a href="https://example.com" rel="nofollow noopener">this</a></strong></p>
 *
 * @param level the level of its highest headings, 1 to 6; lower headings follow without a gap
 */
export function markdownToHtml(text: string, level: number = HIGHEST_LEVEL): string {
  // Entities such as &#x202e; are converted to characters only here.
  const markdown = maxCellsOf(text) > MAX_CELLS ? parserWithoutTables : parser;
  return plainText(markdown.render(text, { level }));
}
