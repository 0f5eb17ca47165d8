import type { PageDocument } from '../../page-model/page-document.js';
import type { IncidentPart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { Alert, BackLink, LastUpdated } from './headline.js';
import { renderPage } from './html-page.js';
import { AffectedMonitors, IncidentFacts, SIGN_OF_IMPACT, Updates } from './incident.js';
import { Markdown, Name } from './text.js';

/** Renders one incident, with all updates and its postmortem. */
export function renderIncident({ page, incident }: IncidentPart, view: View): PageDocument {
  const part = { kind: 'incident', id: incident.id } as const;
  const { title, status, impact, postmortem, updates } = incident;
  const isOpen = status !== 'resolved';
  const sign = isOpen ? SIGN_OF_IMPACT[impact] : 'operational';
  return renderPage({
    page,
    view,
    part,
    title,
    status: sign,
    children: (
      <>
        <BackLink view={view} />
        <Alert sign={sign}>
          <h1 class="title">
            <Name>{title}</Name>
          </h1>
          <IncidentFacts view={view} incident={incident} hasStatus />
          <AffectedMonitors view={view} incident={incident} />
        </Alert>
        {postmortem !== null && (
          <section aria-labelledby="postmortem">
            <h2 id="postmortem">{view.words.postmortem}</h2>
            <Markdown text={postmortem} level={3} />
          </section>
        )}
        <section aria-labelledby="updates">
          <h2 id="updates">{view.words.updates}</h2>
          <Updates view={view} updates={updates} level={3} sign={SIGN_OF_IMPACT[impact]} />
        </section>
        <LastUpdated view={view} page={page} href={view.links.to(part)} />
      </>
    ),
  });
}
