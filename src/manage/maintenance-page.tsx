import { MaintenanceFacts } from '../page-documents/components/maintenance.js';
import { Updates } from '../page-documents/components/incident.js';
import { Markdown, Name } from '../page-documents/components/text.js';
import type { MaintenanceData } from '../page-model/page-data.js';
import type { View } from '../page-model/view.js';
import type { Errors } from './errors-of-fields.js';
import { Summary, TextArea, Token } from './fields.js';
import { screen } from './frame.js';
import { FirstButton, ReviewButton } from './incident-form.js';
import { type ReadMaintenance, toMaintenanceData } from './maintenance-reader.js';
import type { Reply } from './reply.js';
import { Draft } from './scripted.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

const { maintenance: words } = WORDS;

/** Actions of single buttons. */
export const ACTIONS = ['start', 'extend', 'end', 'cancel'] as const;

export type Action = (typeof ACTIONS)[number];

/** Returns the actions that are possible in the status of a window. */
export function actionsOf({ status }: Pick<ReadMaintenance['maintenance'], 'status'>): Action[] {
  if (status === 'scheduled') return ['start', 'cancel'];
  return status === 'in_progress' ? ['extend', 'end', 'cancel'] : [];
}

/** Renders a maintenance window as the public page shows it, without links. */
export function MaintenancePicture({
  data,
  view,
  isWhole = false,
}: {
  data: MaintenanceData;
  view: View;
  isWhole?: boolean;
}) {
  const updates = isWhole ? data.updates : data.updates.slice(0, 3);
  const level = isWhole ? 2 : 4;
  return (
    <article class="card maintenance">
      {!isWhole && (
        <h3>
          <Name>{data.title}</Name>
        </h3>
      )}
      <MaintenanceFacts view={view} maintenance={data} />
      <Markdown text={data.body} level={level} />
      {data.updates.length > 0 && <Updates view={view} updates={updates} level={level} />}
    </article>
  );
}

interface Page {
  body?: string;
  errors?: Errors | undefined;
  /** Member who has changed it since the form was opened; null: not recorded. */
  changedBy?: string | null;
}

/** Renders a maintenance window with its buttons and the form of an update. */
export function renderMaintenance(
  visit: Visit,
  read: ReadMaintenance,
  { body = '', errors, changedBy }: Page = {},
): Reply {
  const { maintenance, updates, monitors, view } = read;
  const path = `/manage/maintenances/${maintenance.id}`;
  const version = <input type="hidden" name="updated_at" value={maintenance.updated_at.toISOString()} />;
  return screen({
    title: maintenance.title,
    visit,
    sign: 'under_maintenance',
    status: errors ? 400 : changedBy === undefined ? 200 : 409,
    children: (
      <>
        <p class="crumb">
          <a href="/manage">{WORDS.nav.now}</a>
        </p>
        <h1>
          <bdi>{maintenance.title}</bdi>
        </h1>
        {changedBy !== undefined && <Summary text={WORDS.incident.changed(changedBy ?? undefined)} />}
        <MaintenancePicture data={toMaintenanceData(read, updates, monitors)} view={view} isWhole />
        {may(visit, 'maintenances:write') && (
          <>
            <div class="actions">
              {actionsOf(maintenance).map((action) => (
                <form method="post" action={`${path}/actions`}>
                  <Token visit={visit} />
                  {version}
                  <input type="hidden" name="back" value={path} />
                  <input type="hidden" name="notify" value="on" />
                  <button
                    class={action === 'cancel' ? 'button danger' : 'button plain'}
                    name="action"
                    value={action}
                    type="submit"
                  >
                    {words.actions[action]}
                  </button>
                </form>
              ))}
              <a class="button" href={`${path}/edit`}>
                {words.edit}
              </a>
            </div>
            <section>
              <h2>{words.update_title}</h2>
              <form class="form" method="post" action={`${path}/updates`}>
                <Token visit={visit} />
                <FirstButton />
                {version}
                <Draft />
                <Summary text={errors?.['form']} />
                <TextArea
                  name="body"
                  label={words.update}
                  value={body}
                  errors={errors}
                  hint={words.update_hint}
                  isPublished
                />
                <ReviewButton />
              </form>
            </section>
          </>
        )}
      </>
    ),
  });
}
