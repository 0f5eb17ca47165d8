import { Module } from '@nestjs/common';
import { VisitorsModule } from '../visitors.module.js';
import { AccessModule } from '../../access/access.module.js';
import { EntryForms } from './entry-forms.js';

/** Pages between the gate of a private page and the page itself. */
@Module({
  imports: [AccessModule, VisitorsModule],
  providers: [EntryForms],
  exports: [EntryForms],
})
export class EntryModule {}
