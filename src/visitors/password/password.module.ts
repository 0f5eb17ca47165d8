import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { VisitorsModule } from '../visitors.module.js';
import { PasswordEntry } from './password-entry.js';

/** Passwords of private pages. */
@Module({
  imports: [AccessModule, EntryModule, VisitorsModule],
  providers: [PasswordEntry],
  exports: [PasswordEntry],
})
export class PasswordModule {}
