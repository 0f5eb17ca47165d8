import { Module } from '@nestjs/common';
import { ServerModule } from '../../platform/server/server.module.js';
import { AccessModule } from '../../access/access.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { PasswordEntry } from './password-entry.js';

/** Passwords of private pages. */
@Module({
  imports: [AccessModule, EntryModule, ServerModule],
  providers: [PasswordEntry],
  exports: [PasswordEntry],
})
export class PasswordModule {}
