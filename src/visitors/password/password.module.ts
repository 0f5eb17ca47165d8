import { Module } from '@nestjs/common';
import { PasswordsModule } from '../../platform/auth/passwords.module.js';
import { EntryModule } from '../entry/entry.module.js';
import { VisitorsModule } from '../visitors.module.js';
import { PasswordEntry } from './password-entry.js';

/** Passwords of private pages. */
@Module({
  imports: [EntryModule, PasswordsModule, VisitorsModule],
  providers: [PasswordEntry],
  exports: [PasswordEntry],
})
export class PasswordModule {}
