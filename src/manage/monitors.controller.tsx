import { Controller } from '@nestjs/common';
import { CreateMonitorDto } from '../monitors/dto/create-monitor.dto.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { check, type Errors } from './errors-of-fields.js';
import { MONITOR_LABELS, type MonitorValues, renderMonitors } from './monitors-page.js';
import { ProjectChoice } from './project-choice.js';
import { ProjectContents } from './project-contents.js';
import type { Reply } from './reply.js';
import { Form, Screen } from './routes.js';
import { Saving } from './saving.js';
import { type Visit, Visiting } from './visit.js';

/** Lists monitors, and creates them. */
@Controller('manage/monitors')
export class MonitorScreensController {
  constructor(
    private readonly contents: ProjectContents,
    private readonly choice: ProjectChoice,
    private readonly monitors: MonitorsService,
    private readonly saving: Saving,
  ) {}

  @Screen('', 'monitors:read')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    return this.choice.of(visit, '/manage/monitors', (id) =>
      this.list(visit, id, { name: '', description: '' }),
    );
  }

  @Form('', 'monitors:write')
  async create(@Visiting() visit: Visit): Promise<Reply> {
    const { actor, sent } = visit;
    const { id } = await this.contents.project(actor, sent.get('project_id') ?? '');
    const values = { name: sent.get('name') ?? '', description: sent.get('description') ?? '' };
    const { name, description } = values;
    const fields = {
      project_id: id,
      ...(name !== '' && { name }),
      ...(description !== '' && { description }),
    };
    return this.saving.run(visit, {
      labels: MONITOR_LABELS,
      checked: check(CreateMonitorDto, fields, MONITOR_LABELS),
      write: async (monitor) => {
        await this.monitors.create(actor, monitor);
        return `/manage/monitors?project=${id}`;
      },
      form: ({ errors }) => this.list(visit, id, values, errors),
    });
  }

  private async list(visit: Visit, id: string, values: MonitorValues, errors?: Errors): Promise<Reply> {
    const { actor, query } = visit;
    const project = await this.contents.project(actor, id);
    const monitors = await this.contents.monitors(actor, id);
    const find = (query.get('find') ?? '').trim().slice(0, 200);
    return renderMonitors(visit, {
      project,
      monitors,
      find,
      page: Number(query.get('page')),
      values,
      errors,
    });
  }
}
