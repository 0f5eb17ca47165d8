import type { ComponentChildren } from 'preact';

/** Drawings of the panels, as paths in a square of 24. */
const ICONS = {
  lock: 'M8 11V8a4 4 0 0 1 8 0v3M6 11h12v9H6zM12 15v1.5',
  mail: 'M3.5 5.5h17v13h-17zM4 6l8 6.5L20 6',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10.5 21.5h3',
  done: 'M5 12.5l5 5L19.5 7',
  problem: 'M12 5v9M12 18.5v.1',
  lost: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4.5 4.5',
} as const;

export type PanelIcon = keyof typeof ICONS;

interface Props {
  icon: PanelIcon;
  title: string;
  children: ComponentChildren;
  /** Whether it contains a long form or a list. */
  isWide?: boolean;
  /** Last lines: who to ask, and the way back. */
  end?: ComponentChildren;
}

/** Renders the content of a page with one purpose, such as the gate of a private page. */
export function Panel({ icon, title, children, isWide = false, end }: Props) {
  return (
    <div class={isWide ? 'panel wide' : 'panel'}>
      <svg class={icon === 'done' ? 'icon ok' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[icon]} />
      </svg>
      <h1 class="title">{title}</h1>
      {children}
      {end && <div class="end">{end}</div>}
    </div>
  );
}
