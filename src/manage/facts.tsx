import type { ComponentChildren } from 'preact';

/** Renders values with their labels. Leaves out those that are null or false. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== false)
        .map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}
