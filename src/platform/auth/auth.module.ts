import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { BearerStrategy } from './bearer.strategy.js';
import { CredentialsRepository } from './credentials.repository.js';
import { KeyLookupQueue } from './key-lookup-queue.js';

@Module({
  imports: [PassportModule],
  providers: [ApiKeyAuthenticator, BearerStrategy, CredentialsRepository, KeyLookupQueue],
  exports: [ApiKeyAuthenticator, KeyLookupQueue],
})
export class AuthModule {}
