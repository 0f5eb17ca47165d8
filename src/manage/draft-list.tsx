import type { OpenDraft } from '../incidents/drafts/incident-drafts.repository.js';
import { Shape } from '../page-documents/components/status.js';
import { STATUS_CLASS } from '../page-documents/components/status-shapes.js';
import { worstOf } from '../monitors/monitor-status.js';
import { Token } from './fields.js';
import { PREFIX } from './monitor-grades.js';
import type { ProjectNow } from './now.service.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

const { drafts: words } = WORDS;

/** Renders the drafts of a project. The button of each leads to its review, as the button of the form for a new incident does. */
export function Drafts({
  visit,
  now: { drafts, monitors },
  heading: Heading,
  agoOf,
}: {
  visit: Visit;
  now: Pick<ProjectNow, 'drafts' | 'monitors'>;
  heading: 'h2' | 'h3';
  agoOf: (time: Date) => string;
}) {
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return (
    <>
      <Heading>{words.title}</Heading>
      <p class="quiet">{words.text}</p>
      {drafts.map((draft) => (
        <Draft visit={visit} draft={draft} names={names} ago={agoOf(draft.created_at)} />
      ))}
    </>
  );
}

function Draft({
  visit,
  draft: { id, title, status, body, monitors, project_id },
  names,
  ago,
}: {
  visit: Visit;
  draft: OpenDraft;
  names: ReadonlyMap<string, string>;
  ago: string;
}) {
  const worst = worstOf(monitors.map((monitor) => monitor.status)) ?? 'neutral';
  const affected = monitors.flatMap(({ monitor_id, status: set }) => {
    const name = names.get(monitor_id);
    return name === undefined ? [] : [`${name}: ${WORDS.status[set]}`];
  });
  return (
    <article class={`card ${STATUS_CLASS[worst]}`}>
      <p class="what">
        <Shape status={worst} />
        <bdi>{title}</bdi>
      </p>
      <p class="quiet">{capitalized([ago, ...affected].join(' · '))}</p>
      {may(visit, 'incidents:write') && (
        <div class="actions">
          <form method="post" action="/manage/incidents">
            <Token visit={visit} />
            <input type="hidden" name="draft_id" value={id} />
            <input type="hidden" name="project_id" value={project_id} />
            <input type="hidden" name="title" value={title} />
            <input type="hidden" name="body" value={body ?? ''} />
            <input type="hidden" name="status" value={status} />
            <input type="hidden" name="notify" value="on" />
            {monitors.map((monitor) => (
              <input type="hidden" name={PREFIX + monitor.monitor_id} value={monitor.status} />
            ))}
            <button
              class="button plain"
              type="submit"
              name="step"
              value="review"
              aria-label={words.review_label(title)}
            >
              {words.review}
            </button>
          </form>
          <a
            class="button plain"
            href={`/manage/drafts/${id}/delete`}
            aria-label={words.discard_label(title)}
          >
            {words.discard}
          </a>
        </div>
      )}
    </article>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
