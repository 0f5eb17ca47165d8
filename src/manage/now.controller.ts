import { Controller } from '@nestjs/common';
import { renderNow } from './now-page.js';
import { NowService } from './now.service.js';
import type { Reply } from './reply.js';
import { Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';

/** The first screen: what happens now. */
@Controller('manage')
export class NowController {
  constructor(private readonly now: NowService) {}

  @Screen('', 'projects:read')
  async show(@Visiting() visit: Visit): Promise<Reply> {
    return renderNow(visit, await this.now.read(visit.actor));
  }
}
