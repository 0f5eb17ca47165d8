import type { SectionData } from '../../page-model/page-data.js';
import { cardData, monitorRow, type RowContext } from './monitor-row.js';
import { Status } from './status.js';
import { Name } from './text.js';
import { commonSince } from './uptime-text.js';

interface Props {
  section: SectionData;
  context: RowContext;
  /** Whether it is open even if all its monitors are operational. */
  isOpen: boolean;
  /** Whether the axis repeats the one of an earlier section. */
  isAgain: boolean;
}

/** Renders sections. Only the first open one has an axis, unless monitors of another one were added on another day. */
export function Sections({
  sections,
  context,
  isOpen,
}: Omit<Props, 'section' | 'isAgain'> & { sections: SectionData[] }) {
  const { view, scale } = context;
  const sinces = new Set<string | undefined>();
  return (
    <>
      {sections.map((section) => {
        const isFirst = sinces.size === 0;
        if (scale && section.monitors.length > 0) sinces.add(commonSince(view, section.monitors, scale));
        return (
          <Section
            section={section}
            context={context}
            isOpen={isOpen}
            isAgain={!isFirst && sinces.size === 1}
          />
        );
      })}
    </>
  );
}

/** Renders a collapsible section with its monitors. It is open if a monitor is not operational. */
function Section({ section, context, isOpen, isAgain }: Props) {
  const { view, scale } = context;
  const { title, status, counts, monitors } = section;
  const affected = counts.total - counts.operational;
  return (
    <details class="section" open={isOpen || affected > 0}>
      <summary>
        <h2>
          <Name>{title}</Name>
        </h2>
        {affected > 0 && affected < counts.total && (
          <small>{view.words.not_operational(affected, counts.total)}</small>
        )}
        {counts.total > 0 && <Status status={status} view={view} />}
      </summary>
      {monitors.length === 0 ? (
        <p>{view.words.no_systems}</p>
      ) : (
        <>
          <ul
            {...(scale && cardData(view, scale))}
            dangerouslySetInnerHTML={{ __html: monitors.map((one) => monitorRow(one, context)).join('') }}
          />
          {scale && <Axis since={commonSince(view, monitors, scale)} isAgain={isAgain} />}
        </>
      )}
    </details>
  );
}

/** Renders the line below the bars. The stylesheet adds both ends, and hides an axis like the one of an open section before. */
function Axis({ since, isAgain }: { since: string | undefined; isAgain: boolean }) {
  return <p class={isAgain ? 'axis again' : 'axis'}>{since !== undefined && <span>{since}</span>}</p>;
}
