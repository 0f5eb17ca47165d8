import { Controller, Param } from '@nestjs/common';
import type { IncidentDraftDto } from '../../incidents/drafts/dto/incident-draft.dto.js';
import { IncidentDraftsService } from '../../incidents/drafts/incident-drafts.service.js';
import { Deletions } from '../deletions.js';
import { OwnId } from '../own-id.js';
import { plain } from '../project-contents.js';
import { versionIn } from '../publishing.js';
import type { Reply } from '../reply.js';
import { Form, Screen } from '../routes.js';
import { type Visit, Visiting } from '../visit.js';
import { WORDS } from '../words.js';

const { drafts: words } = WORDS;

/** Discards incident drafts. The form for a new incident publishes them. */
@Controller('manage/drafts')
export class DraftScreensController {
  constructor(
    private readonly drafts: IncidentDraftsService,
    private readonly deletions: Deletions,
  ) {}

  @Screen(':id/delete', 'incidents:write')
  async askToDelete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.delete(visit, id);
  }

  @Form(':id/delete', 'incidents:write')
  async delete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const question = async () => {
      const { title, updated_at }: IncidentDraftDto = plain(await this.drafts.get(visit.actor, id));
      return {
        action: `/manage/drafts/${id}/delete`,
        back: { path: '/manage', text: WORDS.nav.now },
        title: words.discard_title(title),
        text: words.discard_text,
        version: updated_at,
        button: words.discard,
      };
    };
    return this.deletions.run(visit, id, question, async () => {
      await this.drafts.delete(visit.actor, id, versionIn(visit.sent));
      return '/manage';
    });
  }
}
