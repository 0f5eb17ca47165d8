import { type ComponentChildren, toChildArray } from 'preact';
import { markdownToHtml } from './markdown.js';

/** Renders a user-defined name in its own direction (`bdi` implies `dir="auto"`). */
export function Name({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}

/**
 * Renders user-defined Markdown, if there is any.
 * @param level the level of its highest headings
 */
export function Markdown({ text, level }: { text: string; level: number }) {
  if (text === '') return null;
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: markdownToHtml(text, level) }} />;
}

/** Renders elements with spaces between them, for text browsers and copied text. The stylesheet ignores the spaces. */
export function Spaced({ children }: { children: ComponentChildren }) {
  return (
    <>
      {toChildArray(children).map((child, index) => (
        <>
          {index > 0 && ' '}
          {child}
        </>
      ))}
    </>
  );
}
