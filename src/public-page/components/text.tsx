import { markdownToHtml } from './markdown.js';

/** Renders a user-defined name in its own direction (`bdi` implies `dir="auto"`). */
export function Name({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}

/**
 * Renders user-defined Markdown.
 * @param level the level of its highest headings
 */
export function Markdown({ text, level }: { text: string; level: number }) {
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: markdownToHtml(text, level) }} />;
}
