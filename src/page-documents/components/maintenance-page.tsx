import type { PageDocument } from '../../page-model/page-document.js';
import type { MaintenancePart } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import { Alert, BackLink, LastUpdated } from './headline.js';
import { renderPage } from './html-page.js';
import { Updates } from './incident.js';
import { MaintenanceFacts } from './maintenance.js';
import { STATUS_CLASS } from './status-shapes.js';
import { Markdown, Name } from './text.js';

/** Renders one maintenance window, with all updates. */
export function renderMaintenance({ page, maintenance }: MaintenancePart, view: View): PageDocument {
  const part = { kind: 'maintenance', id: maintenance.id } as const;
  const isActive = maintenance.status === 'in_progress';
  const sign = isActive ? 'under_maintenance' : 'operational';
  return renderPage({
    page,
    view,
    part,
    title: maintenance.title,
    status: sign,
    children: (
      <>
        <BackLink view={view} />
        <Alert sign={sign}>
          <h1 class="title">
            <Name>{maintenance.title}</Name>
          </h1>
          <MaintenanceFacts view={view} maintenance={maintenance} />
        </Alert>
        <Markdown text={maintenance.body} level={2} />
        {maintenance.updates.length > 0 && (
          <section class={isActive ? STATUS_CLASS[sign] : undefined} aria-labelledby="updates">
            <h2 id="updates">{view.words.updates}</h2>
            <Updates view={view} updates={maintenance.updates} level={3} />
          </section>
        )}
        <LastUpdated view={view} page={page} href={view.links.to(part)} />
      </>
    ),
  });
}
