import { Controller, Param } from '@nestjs/common';
import { IncidentTemplatesService } from '../../incidents/templates/incident-templates.service.js';
import type { MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { UpdateMonitorDto } from '../../monitors/dto/update-monitor.dto.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { Deletions } from '../deletions.js';
import { check } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { plain, ProjectContents } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Prevented, Saving } from '../saving.js';
import { may, type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import {
  MONITOR_FIELDS,
  type MonitorValues,
  monitorIn,
  renderMonitor,
  toMonitorPatch,
  valuesOf,
} from './monitor-page.js';

const { monitors: words } = WORDS;

/** Number of templates to choose from. */
const MAX_TEMPLATES = 100;

/** Shows, changes and deletes a monitor, by the service of the API. */
@Controller('manage/monitors/:id')
export class MonitorScreenController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly templates: IncidentTemplatesService,
    private readonly contents: ProjectContents,
    private readonly saving: Saving,
    private readonly deletions: Deletions,
  ) {}

  @Screen('', 'monitors:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const monitor = await this.read(visit, id);
    return this.render(visit, monitor, valuesOf(monitor));
  }

  @Form('', 'monitors:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    await this.read(visit, id);
    const values = monitorIn(visit.sent);
    return this.saving.run(visit, {
      id,
      labels: MONITOR_FIELDS,
      checked: check(UpdateMonitorDto, toMonitorPatch(values), MONITOR_FIELDS),
      write: async (patch) => {
        await this.monitors.update(visit.actor, id, patch, versionIn(visit.sent));
        return `/manage/monitors/${id}?done=saved`;
      },
      form: async (prevented) => this.render(visit, await this.read(visit, id), values, prevented),
    });
  }

  @Screen('delete', 'monitors:write')
  async askToDelete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.delete(visit, id);
  }

  @Form('delete', 'monitors:write')
  async delete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { name, project_id } = await this.read(visit, id);
    const path = `/manage/monitors/${id}`;
    const question = async () => ({
      action: `${path}/delete`,
      back: { path, text: name },
      title: words.delete_title(name),
      text: words.delete_text,
      version: (await this.read(visit, id)).updated_at,
    });
    return this.deletions.run(visit, id, question, async () => {
      await this.monitors.delete(visit.actor, id, versionIn(visit.sent));
      return `/manage/monitors?project=${project_id}&done=deleted`;
    });
  }

  private async read({ actor }: Visit, id: string): Promise<MonitorDto> {
    return plain(await this.monitors.get(actor, id));
  }

  private async render(
    visit: Visit,
    monitor: MonitorDto,
    values: MonitorValues,
    prevented?: Prevented,
  ): Promise<Reply> {
    const status = await this.contents.statusOf(visit.actor, monitor.id);
    const { project_id } = monitor;
    const query = { project_id, limit: MAX_TEMPLATES };
    const templates = may(visit, 'monitors:write')
      ? plain((await this.templates.list(visit.actor, query)).data)
      : [];
    return renderMonitor(visit, { monitor, templates, status, values, ...(prevented && { prevented }) });
  }
}
