import { Injectable } from '@nestjs/common';
import { TemplateInUse } from '../../monitors/draft-rules.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import type { Actor } from '../../platform/auth/actor.js';
import { Problem } from '../../platform/problems/problem.js';
import { plain } from '../project-contents.js';
import { WORDS } from '../words.js';

/** Names the monitors that make drafts from a template. */
@Injectable()
export class TemplateUsers {
  constructor(private readonly monitors: MonitorsService) {}

  /**
   * Runs the deletion of a template.
   * @throws Problem 409 `conflict` with the name of a monitor that uses the template, instead of its ID
   */
  async named(actor: Actor, remove: () => Promise<unknown>): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (!(error instanceof TemplateInUse)) throw error;
      const { name } = plain(await this.monitors.get(actor, error.monitor_id));
      throw new Problem('conflict', { detail: WORDS.templates.in_use(name) });
    }
  }
}
