import type { ComponentChildren } from 'preact';

/** Renders a link whose URL was given by a user. */
export function OutsideLink({ url, children }: { url: string; children: ComponentChildren }) {
  return (
    <a href={url} rel="nofollow noopener">
      {children}
    </a>
  );
}
