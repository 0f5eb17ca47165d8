import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Files that put markup into a page as text, with the reason why it contains no text of users that is not escaped. */
const WITH_MARKUP: Record<string, string> = {
  'mail/components/mail-layout.tsx': 'styles of the service',
  'manage/frame.tsx': 'drawings of the service',
  'page-documents/components/embed-page.tsx': 'shapes of the service',
  'page-documents/components/html-page.tsx': 'styles and drawings of the service',
  'page-documents/components/monitor-page.tsx': 'bars and days by `html.ts`, which escapes',
  'page-documents/components/section.tsx': 'rows of monitors by `html.ts`, which escapes',
  'page-documents/components/status.tsx': 'status words by `html.ts`, which escapes',
  'page-documents/components/text.tsx': 'Markdown, which `markdown.ts` renders without HTML',
};

describe('text of users', () => {
  it('becomes markup only in the listed files', () => {
    const found = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        /\.tsx?$/.test(path) && readFileSync(join('src', path), 'utf8').includes('dangerouslySetInnerHTML'),
    );
    expect(found.toSorted()).toEqual(Object.keys(WITH_MARKUP));
  });
});
