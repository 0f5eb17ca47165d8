import { Module } from '@nestjs/common';
import { ServerModule } from '../../platform/server/server.module.js';
import { PublicPageModule } from '../../public-page/public-page.module.js';
import { AccessModule } from '../access.module.js';
import { EntryPages } from './entry-pages.js';

/** Pages between the gate of a private page and the page itself. */
@Module({
  imports: [AccessModule, PublicPageModule, ServerModule],
  providers: [EntryPages],
  exports: [EntryPages],
})
export class EntryModule {}
