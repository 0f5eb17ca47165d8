import { Controller, Param } from '@nestjs/common';
import { CreateMaintenanceUpdateDto } from '../maintenances/dto/create-maintenance-update.dto.js';
import { UpdateMaintenanceDto } from '../maintenances/dto/update-maintenance.dto.js';
import { isOver } from '../maintenances/maintenance-events.js';
import { MaintenanceUpdatesService } from '../maintenances/maintenance-updates.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import { validationFailed } from '../platform/problems/problem.js';
import { check, type Checked, type Errors } from './errors-of-fields.js';
import { IncidentReader } from './incident-reader.js';
import { textIn } from './incident-form.js';
import {
  MAINTENANCE_LABELS,
  maintenanceIn,
  newMaintenance,
  renderMaintenanceForm,
  toMaintenancePatch,
  toNewMaintenance,
  valuesOf,
} from './maintenance-form.js';
import { ACTIONS, renderMaintenance } from './maintenance-page.js';
import {
  type MaintenanceOutcome,
  MaintenanceReader,
  type ReadMaintenance,
  toMaintenanceData,
} from './maintenance-reader.js';
import { patchOf, renderMaintenanceReview, TYPE_OF } from './maintenance-review.js';
import { OwnId } from './own-id.js';
import { plain, ProjectContents } from './project-contents.js';
import { ProjectChoice } from './project-choice.js';
import { confirmedPath } from './published.js';
import { Publishing, versionIn } from './publishing.js';
import type { Reply } from './reply.js';
import { Form, Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';
import { WORDS } from './words.js';

const { maintenance: words } = WORDS;

/** Schedules maintenance windows, and changes them. */
@Controller('manage/maintenances')
export class MaintenanceScreensController {
  constructor(
    private readonly reader: MaintenanceReader,
    private readonly incidents: IncidentReader,
    private readonly contents: ProjectContents,
    private readonly choice: ProjectChoice,
    private readonly maintenances: MaintenancesService,
    private readonly updates: MaintenanceUpdatesService,
    private readonly publishing: Publishing,
  ) {}

  @Screen('new', 'maintenances:write')
  async showNew(@Visiting() visit: Visit): Promise<Reply> {
    const show = async (project_id: string) => {
      const around = await this.reader.around(visit.actor, project_id, []);
      const values = newMaintenance(around.view.dates.timeZone);
      return renderMaintenanceForm(visit, { ...around, ...(await this.newForm(visit, project_id)), values });
    };
    return this.choice.of(visit, '/manage/maintenances/new', show, true);
  }

  @Form('', 'maintenances:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const { id } = await this.contents.project(visit.actor, visit.sent.get('project_id') ?? '');
    const around = await this.reader.around(visit.actor, id, visit.sent.getAll('status_page_ids'));
    const values = maintenanceIn(visit.sent, around.view.dates.timeZone);
    const form = async (errors?: Errors) =>
      renderMaintenanceForm(visit, { ...around, ...(await this.newForm(visit, id)), values, errors });
    let outcome: MaintenanceOutcome | undefined;
    return this.publishing.run(visit, {
      labels: MAINTENANCE_LABELS,
      checked: toNewMaintenance(id, values),
      form,
      write: (value) => this.maintenances.create(visit.actor, value),
      look: async (created) => {
        outcome = await this.reader.outcome(visit.actor, created, around.pages);
      },
      done: (created) => confirmedPath(`/manage/maintenances/${created.id}`, visit.sent),
      review: async (created, reach, key) => {
        const { monitor_ids, status_page_ids } = created;
        return renderMaintenanceReview(visit, {
          action: '/manage/maintenances',
          reach,
          key,
          outcome,
          data: toMaintenanceData({ maintenance: created, ended_at: created.ends_at }, [], around.monitors),
          type: 'maintenance.scheduled',
          warns: true,
          isPast: isOver(created.status),
          isOnAll: monitor_ids.length === 0 && status_page_ids === null,
        });
      },
    });
  }

  @Screen(':id', 'maintenances:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return renderMaintenance(visit, await this.reader.read(visit.actor, id));
  }

  @Screen(':id/edit', 'maintenances:write')
  async showEdit(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    return renderMaintenanceForm(visit, { ...read, ...editForm(read), values: valuesOf(read) });
  }

  @Form(':id/edit', 'maintenances:write')
  async edit(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const values = maintenanceIn(visit.sent, read.view.dates.timeZone);
    const page = { ...read, ...editForm(read), values };
    const form = async (errors?: Errors) => renderMaintenanceForm(visit, { ...page, errors });
    const checked = toMaintenancePatch(read, values);
    const conflict = async () => {
      const author = await this.authorOf(visit, id);
      const theirs = { author, values: valuesOf(read, values.time_zone) };
      return renderMaintenanceForm(visit, { ...page, theirs });
    };
    return this.change(visit, read, checked, { action: page.action, form, conflict });
  }

  @Form(':id/actions', 'maintenances:write')
  async act(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const action = ACTIONS.find((one) => one === visit.sent.get('action'));
    if (!action) throw validationFailed([{ code: 'required', detail: 'is required', pointer: '#/action' }]);
    const show = async (errors?: Errors) => renderMaintenance(visit, read, { errors });
    const checked = check(UpdateMaintenanceDto, patchOf(action, read), MAINTENANCE_LABELS);
    return this.change(visit, read, checked, {
      action: `/manage/maintenances/${id}/actions`,
      form: show,
      conflict: async () =>
        renderMaintenance(visit, read, { changedBy: (await this.authorOf(visit, id)) ?? null }),
      button: words.actions[action],
    });
  }

  @Form(':id/updates', 'maintenances:write')
  async update(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const read = await this.reader.read(visit.actor, id);
    const body = textIn(visit.sent, 'body');
    const form = async (errors?: Errors) => renderMaintenance(visit, read, { body, errors });
    const labels = { body: words.update };
    let outcome: MaintenanceOutcome | undefined;
    return this.publishing.run(visit, {
      labels,
      checked: check(CreateMaintenanceUpdateDto, body === '' ? {} : { body }, labels),
      form,
      conflict: async () =>
        renderMaintenance(visit, read, { body, changedBy: (await this.authorOf(visit, id)) ?? null }),
      write: (value) => this.updates.create(visit.actor, id, value, versionIn(visit.sent)),
      look: async () => {
        outcome = await this.reader.outcome(visit.actor, read.maintenance, read.pages);
      },
      done: () => confirmedPath(`/manage/maintenances/${id}`, visit.sent),
      review: async (created, reach, key) => {
        return renderMaintenanceReview(visit, {
          action: `/manage/maintenances/${id}/updates`,
          reach,
          key,
          outcome,
          data: toMaintenanceData(read, [created, ...read.updates], read.monitors),
        });
      },
    });
  }

  private async change(
    visit: Visit,
    read: ReadMaintenance,
    checked: Checked<UpdateMaintenanceDto>,
    steps: {
      action: string;
      form: (errors?: Errors) => Promise<Reply>;
      conflict: () => Promise<Reply>;
      button?: string;
    },
  ): Promise<Reply> {
    const { id, status, starts_at, ends_at } = read.maintenance;
    const { action, form, conflict, button } = steps;
    let outcome: MaintenanceOutcome | undefined;
    return this.publishing.run(visit, {
      labels: MAINTENANCE_LABELS,
      checked,
      form,
      conflict,
      write: async (patch) =>
        plain(await this.maintenances.update(visit.actor, id, patch, versionIn(visit.sent))),
      look: async () => {
        outcome = await this.reader.outcome(visit.actor, read.maintenance, read.pages);
      },
      done: () =>
        confirmedPath(`/manage/maintenances/${id}`, visit.sent, button === undefined ? 'published' : 'done'),
      review: async (changed, reach, key) => {
        const { ended_at } = outcome ?? read;
        const { monitor_ids, status_page_ids } = changed;
        const hasTimes = isSame(changed.starts_at, starts_at) && isSame(changed.ends_at, ends_at);
        const hasNews = changed.status !== status || !hasTimes;
        return renderMaintenanceReview(visit, {
          action,
          reach,
          key,
          outcome,
          data: toMaintenanceData({ maintenance: changed, ended_at }, read.updates, read.monitors),
          ...(hasNews && {
            type: changed.status === status ? ('maintenance.rescheduled' as const) : TYPE_OF[changed.status],
          }),
          ...(button === undefined
            ? {
                warns: true,
                isPast: isOver(status) && isOver(changed.status),
                isOnAll: monitor_ids.length === 0 && status_page_ids === null,
              }
            : { button, canChange: false, isDangerous: changed.status === 'cancelled' }),
        });
      },
    });
  }

  private async newForm(visit: Visit, project_id: string) {
    const fixed = { name: 'project_id' as const, value: project_id };
    const project = await this.contents.project(visit.actor, project_id);
    const chosen = (await this.choice.isOffered(visit)) && { project };
    return { title: words.new_title, action: '/manage/maintenances', back: '/manage', fixed, ...chosen };
  }

  private async authorOf({ actor }: Visit, id: string): Promise<string | undefined> {
    return this.incidents.lastAuthor(actor, id);
  }
}

function isSame(one: Date, other: Date): boolean {
  return one.getTime() === other.getTime();
}

function editForm({ maintenance: { id, updated_at } }: ReadMaintenance) {
  const path = `/manage/maintenances/${id}`;
  const fixed = { name: 'updated_at' as const, value: updated_at.toISOString() };
  return { title: words.edit, action: `${path}/edit`, back: path, fixed };
}
