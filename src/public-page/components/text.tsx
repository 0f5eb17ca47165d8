import { markdownToHtml } from './markdown.js';

/** A name that somebody has given, in its own direction (`bdi` has `dir="auto"` by itself). */
export function Name({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}

/**
 * Markdown that somebody has written.
 * @param level the level of its highest headings
 */
export function Markdown({ text, level }: { text: string; level: number }) {
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: markdownToHtml(text, level) }} />;
}
