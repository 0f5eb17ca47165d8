import type { ComponentChildren } from 'preact';

interface Props {
  name: string;
  /** Label of all values; undefined: the member cannot choose them. */
  all: string | undefined;
  /** Label of the values in `children`. */
  some: string;
  isAll: boolean;
  children: ComponentChildren;
}

/** Renders a choice of all values, or of some in a list of check boxes. */
export function AllOrSome({ name, all, some, isAll, children }: Props) {
  return (
    <>
      {all !== undefined && <Range name={name} value="all" label={all} checked={isAll} />}
      <Range name={name} value="some" label={some} checked={!isAll} />
      <div class="checks below">{children}</div>
    </>
  );
}

function Range({
  label,
  ...input
}: {
  name: string;
  value: 'all' | 'some';
  label: string;
  checked: boolean;
}) {
  return (
    <label class="check">
      <input type="radio" {...input} />
      <span>{label}</span>
    </label>
  );
}
