import type { ComponentChildren } from 'preact';

/** Renders a row of a list that leads to a screen. */
export function LinkRow({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <li class="row">
      <a href={path}>{children}</a>
    </li>
  );
}
