import { describe, expect, it } from 'vitest';
import { markdownToHtml } from '../../src/page-documents/components/markdown.js';

describe('markdownToHtml', () => {
  it('shows HTML as text', () => {
    expect(markdownToHtml('<script>alert(1)</script>')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n',
    );
    expect(markdownToHtml('a <img src=x onerror=alert(1)> b')).not.toContain('<img');
  });

  it('renders no images', () => {
    const html = markdownToHtml('![a cat](https://example.com/cat.png)');
    expect(html).not.toContain('<img');
    expect(html).toContain('a cat');
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'data:image/png;base64,x',
    'vbscript:x',
  ])('renders no link to %s', (url) => {
    expect(markdownToHtml(`[a](${url})`)).not.toContain('<a');
    expect(markdownToHtml(`<${url}>`)).not.toContain('<a');
    expect(markdownToHtml(`[a](&#x6a;avascript:alert(1))`)).not.toContain('<a');
  });

  it('renders no links to relative addresses, which feeds cannot resolve', () => {
    expect(markdownToHtml('[a](/b)')).toBe('<p>[a](/b)</p>\n');
  });

  it('adds nofollow and noopener to links', () => {
    const link = '<a href="https://example.com/a?b=1&amp;c=2" rel="nofollow noopener">';
    expect(markdownToHtml('[x](https://example.com/a?b=1&c=2)')).toContain(link);
    expect(markdownToHtml('See https://example.com/a?b=1&c=2 now')).toContain(link);
  });

  it('starts headings at the given level without gaps', () => {
    const tags = (text: string, level?: number) =>
      [...markdownToHtml(text, level).matchAll(/<(\/?h\d)>/g)].map(([, tag]) => tag);
    expect(tags('# a\n\n## b\n\n# c', 4)).toEqual(['h4', '/h4', 'h5', '/h5', 'h4', '/h4']);
    expect(tags('## a\n\n##### b\n\n### c')).toEqual(['h3', '/h3', 'h4', '/h4', 'h4', '/h4']);
    expect(tags('# a\n\n## b\n\n### c\n\n#### d', 5)).toEqual([
      'h5',
      '/h5',
      'h6',
      '/h6',
      'h6',
      '/h6',
      'h6',
      '/h6',
    ]);
  });

  it('adds no style attributes, not even to tables', () => {
    const html = markdownToHtml('| a | b |\n|:--|--:|\n| 1 | 2 |');
    expect(html).toContain('<th scope="col">a</th>');
    expect(html).not.toContain('style');
  });

  it('removes bidi overrides written as entities', () => {
    expect(markdownToHtml('a&#x202e;b&#x2066;c')).toBe('<p>abc</p>\n');
  });

  it('limits the output length for the empty cells of a table', () => {
    const line = (cell: string) => `|${`${cell}|`.repeat(100)}\n`;
    const text = line('a') + line('-') + '|\n'.repeat(4_000);
    expect(markdownToHtml(text).length).toBeLessThan(3 * text.length);
    expect(markdownToHtml(`> - ${text.replaceAll('\n', '\n>   ')}`)).not.toContain('<td');
    expect(markdownToHtml(`${line('a')}${line('-')}${line('b').repeat(10)}`)).toContain('<td>b</td>');
    expect(markdownToHtml('-'.repeat(50_000) + 'x')).toContain('-x');
  });
});
