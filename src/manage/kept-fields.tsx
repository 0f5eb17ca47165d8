const NONE: ReadonlySet<string> = new Set();

/** Renders fields of a form that the next form sends again, unchanged. */
export function Kept({ sent, without = NONE }: { sent: URLSearchParams; without?: ReadonlySet<string> }) {
  return (
    <>
      {[...sent]
        .filter(([name]) => name !== 'token' && !without.has(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
    </>
  );
}
