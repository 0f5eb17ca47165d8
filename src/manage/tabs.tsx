interface Tab {
  path: string;
  text: string;
  isCurrent: boolean;
}

/** Renders links between screens of the same kind. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ path, text, isCurrent }) => (
          <li>
            <a href={path} aria-current={isCurrent ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
