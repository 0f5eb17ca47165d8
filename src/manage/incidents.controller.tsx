import { Controller, Param } from '@nestjs/common';
import { IncidentUpdatesService } from '../incidents/incident-updates.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import type { MailedType } from '../events/event-types.js';
import type { Errors } from './errors-of-fields.js';
import { INCIDENT_LABELS, textIn } from './incident-form.js';
import {
  type EditedField,
  newUpdate,
  renderEdit,
  renderIncident,
  toEdit,
  toUpdate,
  updateIn,
} from './incident-page.js';
import { toIncidentData } from './incident-picture.js';
import { type IncidentOutcome, IncidentReader, type ReadIncident } from './incident-reader.js';
import { renderIncidentReview } from './incident-review.js';
import { OwnId } from './own-id.js';
import { confirmedPath } from './published.js';
import { Publishing, versionIn } from './publishing.js';
import type { Reply } from './reply.js';
import { Form, Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';

/** Shows incidents, and publishes their updates, edits and postmortems. */
@Controller('manage/incidents')
export class IncidentScreensController {
  constructor(
    private readonly reader: IncidentReader,
    private readonly incidents: IncidentsService,
    private readonly updates: IncidentUpdatesService,
    private readonly publishing: Publishing,
  ) {}

  @Screen(':id', 'incidents:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    return renderIncident(visit, read, newUpdate(read));
  }

  @Form(':id/updates', 'incidents:write')
  async update(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const values = updateIn(visit.sent);
    const form = async (errors?: Errors) => renderIncident(visit, read, values, { errors });
    const path = `/manage/incidents/${id}`;
    let { incident } = read;
    let outcome: IncidentOutcome | undefined;
    return this.publishing.run(visit, {
      labels: INCIDENT_LABELS,
      checked: toUpdate(read, values),
      form,
      conflict: async () => renderIncident(visit, read, values, { theirs: await this.theirs(visit, id) }),
      write: (value) => this.updates.create(visit.actor, id, value, versionIn(visit.sent)),
      look: async () => {
        incident = await this.reader.incident(visit.actor, id);
        const named = [...read.incident.monitors, ...incident.monitors];
        const ids = new Set(named.map(({ monitor_id }) => monitor_id));
        const affected = read.monitors.filter((one) => ids.has(one.id));
        outcome = await this.reader.outcome(visit.actor, incident, read.pages, affected);
      },
      done: () => confirmedPath(path, visit.sent),
      review: async (update, reach, key) => {
        const data = toIncidentData(incident, [update, ...read.updates], read.monitors);
        return renderIncidentReview(visit, {
          action: `${path}/updates`,
          reach,
          key,
          outcome,
          data,
          type: typeOf(read, data.status),
        });
      },
    });
  }

  @Screen(':id/edit', 'incidents:write')
  async showEdit(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.showField(visit, id, 'title');
  }

  @Form(':id/edit', 'incidents:write')
  async edit(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.editField(visit, id, 'title');
  }

  @Screen(':id/postmortem', 'incidents:write')
  async showPostmortem(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.showField(visit, id, 'postmortem');
  }

  @Form(':id/postmortem', 'incidents:write')
  async writePostmortem(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.editField(visit, id, 'postmortem');
  }

  private async showField(visit: Visit, id: string, field: EditedField): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const { status_page_ids } = read.incident;
    const value = read.incident[field] ?? '';
    return renderEdit(visit, read, { field, value, status_page_ids: status_page_ids ?? [], notify: true });
  }

  private async editField(visit: Visit, id: string, field: EditedField): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const { sent } = visit;
    const [value, notify] = [textIn(sent, field), sent.get('notify') === 'on'];
    const status_page_ids = sent.getAll('status_page_ids');
    const page = { field, value, status_page_ids, notify };
    const form = async (errors?: Errors) => renderEdit(visit, read, { ...page, errors });
    const path = `/manage/incidents/${id}`;
    let outcome: IncidentOutcome | undefined;
    return this.publishing.run(visit, {
      labels: INCIDENT_LABELS,
      checked: toEdit(field, value, status_page_ids, notify),
      form,
      conflict: async () => renderEdit(visit, read, { ...page, theirs: await this.theirs(visit, id) }),
      write: (patch) => this.incidents.update(visit.actor, id, patch, versionIn(sent)),
      look: async () => {
        outcome = await this.reader.outcome(visit.actor, read.incident, read.pages, []);
      },
      done: () => confirmedPath(path, visit.sent),
      review: async (_changed, reach, key, patch) => {
        const { incident, updates, monitors } = read;
        const changed = { ...incident, [field]: patch[field] ?? null, title: patch.title ?? incident.title };
        const isPostmortem = field === 'postmortem' && patch.postmortem;
        return renderIncidentReview(visit, {
          action: `${path}/${field === 'title' ? 'edit' : 'postmortem'}`,
          reach,
          key,
          outcome,
          data: toIncidentData(changed, updates, monitors),
          ...(isPostmortem && { type: 'incident.postmortem_published' as const }),
        });
      },
    });
  }

  private async theirs({ actor, sent }: Visit, id: string) {
    return { author: await this.reader.lastAuthor(actor, id), since: versionIn(sent)[0] };
  }
}

/** Returns the type of the mail about an update. */
function typeOf({ incident }: ReadIncident, status: string): MailedType<'incident'> {
  if (status === incident.status) return 'incident.updated';
  if (status === 'resolved') return 'incident.resolved';
  return incident.status === 'resolved' ? 'incident.reopened' : 'incident.updated';
}
