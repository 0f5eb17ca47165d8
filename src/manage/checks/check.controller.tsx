import { Controller, Param, Req } from '@nestjs/common';
import { withoutTurn } from '@status-pages/fair-admission';
import type { Request } from 'express';
import { CheckRunsService } from '../../checks/check-runs.service.js';
import { ChecksService } from '../../checks/checks.service.js';
import type { CheckRunDto } from '../../checks/dto/check-run.dto.js';
import type { CheckDto } from '../../checks/dto/check.dto.js';
import { CreateCheckDto } from '../../checks/dto/create-check.dto.js';
import { UpdateCheckDto } from '../../checks/dto/update-check.dto.js';
import type { MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import { notFound, Problem } from '../../platform/problems/problem.js';
import { Deletions } from '../deletions.js';
import { check } from '../errors-of-fields.js';
import { OwnId } from '../own-id.js';
import { plain } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Prevented, Saving } from '../saving.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';
import { renderCheck } from './check-page.js';
import {
  CHECK_LABELS,
  checkIn,
  type CheckValues,
  newValues,
  toPatch,
  typeIn,
  valuesOf,
} from './check-values.js';

const { check: words } = WORDS;

/** A monitor, and its check if it has one. */
interface Watched {
  monitor: MonitorDto;
  found: CheckDto | undefined;
}

/** Shows, creates, changes, runs and deletes the check of a monitor, by the services of the API. */
@Controller('manage/monitors/:id/check')
export class CheckScreenController {
  constructor(
    private readonly monitors: MonitorsService,
    private readonly checks: ChecksService,
    private readonly runs: CheckRunsService,
    private readonly saving: Saving,
    private readonly deletions: Deletions,
  ) {}

  @Screen('', 'monitors:read')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const watched = await this.read(visit, id);
    return this.render(visit, watched, this.initialValues(visit, watched));
  }

  @Form('', 'monitors:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { actor, sent } = visit;
    const watched = await this.read(visit, id);
    const { monitor, found } = watched;
    const type = found?.type ?? typeIn(sent);
    if (!type) return this.render(visit, watched, undefined);
    const values = checkIn(sent, type);
    const path = `/manage/monitors/${id}/check?done=saved`;
    const shared = {
      labels: CHECK_LABELS,
      form: async (prevented: Prevented) =>
        this.render(visit, await this.read(visit, id), values, { prevented }),
    };
    if (found)
      return this.saving.run(visit, {
        ...shared,
        id: found.id,
        checked: check(UpdateCheckDto, toPatch(values), CHECK_LABELS),
        write: async (patch) => {
          await this.checks.update(actor, found.id, patch, versionIn(sent));
          return path;
        },
      });
    const fields = { ...toPatch(values), type, project_id: monitor.project_id, monitor_id: id };
    return this.saving.run(visit, {
      ...shared,
      checked: check(CreateCheckDto, fields, CHECK_LABELS),
      write: async (created) => {
        await this.checks.create(actor, created);
        return path;
      },
    });
  }

  /** Shows the result, which is not kept. */
  @Form('run', 'monitors:write')
  async run(
    @Visiting() visit: Visit,
    @Param('id', OwnId) id: string,
    @Req() request: Request,
  ): Promise<Reply> {
    const watched = await this.read(visit, id);
    const { found } = watched;
    if (!found) throw notFound('check');
    try {
      const run = await this.runs.run(visit.actor, found.id, (work) => withoutTurn(request, work));
      return await this.render(visit, watched, valuesOf(found), { run });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error;
      return this.render(visit, watched, valuesOf(found), { prevented: { errors: { form: error.detail } } });
    }
  }

  @Screen('delete', 'monitors:write')
  async askToDelete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.delete(visit, id);
  }

  @Form('delete', 'monitors:write')
  async delete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const { id: checkId } = await this.required(visit, id);
    const path = `/manage/monitors/${id}/check`;
    const question = async () => ({
      action: `${path}/delete`,
      back: { path, text: words.title },
      title: words.delete_title,
      text: words.delete_text,
      version: (await this.required(visit, id)).updated_at,
    });
    return this.deletions.run(visit, checkId, question, async () => {
      await this.checks.delete(visit.actor, checkId, versionIn(visit.sent));
      return `/manage/monitors/${id}`;
    });
  }

  private async required(visit: Visit, id: string): Promise<CheckDto> {
    const { found } = await this.read(visit, id);
    if (!found) throw notFound('check');
    return found;
  }

  private initialValues({ query }: Visit, { found }: Watched): CheckValues | undefined {
    if (found) return valuesOf(found);
    const type = typeIn(query);
    return type && newValues(type);
  }

  private async read({ actor }: Visit, id: string): Promise<Watched> {
    const monitor = plain(await this.monitors.get(actor, id));
    const query = { project_id: monitor.project_id, monitor_id: id, limit: 1 };
    const [found] = plain((await this.checks.list(actor, query)).data);
    return { monitor, found };
  }

  private async render(
    visit: Visit,
    { monitor, found }: Watched,
    values: CheckValues | undefined,
    more: { prevented?: Prevented; run?: CheckRunDto } = {},
  ): Promise<Reply> {
    const state = found && (await this.checks.stateOf(visit.actor, found.id));
    return renderCheck(visit, { monitor, check: found, state, values, ...more });
  }
}
