import { Module } from '@nestjs/common';
import { ServerModule } from '../../platform/server/server.module.js';
import { VisitorsModule } from '../visitors.module.js';
import { AccessModule } from '../../access/access.module.js';
import { EntryForms } from './entry-forms.js';

/** Pages between the gate of a private page and the page itself. */
@Module({
  imports: [AccessModule, VisitorsModule, ServerModule],
  providers: [EntryForms],
  exports: [EntryForms],
})
export class EntryModule {}
