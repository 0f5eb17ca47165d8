import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';

/** One pool of password hashing for all modules. */
@Module({ providers: [Passwords], exports: [Passwords] })
export class PasswordsModule {}
