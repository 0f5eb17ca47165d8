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
}

/** Renders a collapsible section with its monitors. It is open if a monitor is not operational. */
export function Section({ section, context, isOpen }: Props) {
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
          {scale && <Axis since={commonSince(view, monitors, scale)} />}
        </>
      )}
    </details>
  );
}

/** Renders the line below the bars. The stylesheet adds both ends. */
function Axis({ since }: { since: string | undefined }) {
  return <p class="axis">{since !== undefined && <span>{since}</span>}</p>;
}
