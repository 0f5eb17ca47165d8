import { Module } from '@nestjs/common';
import { Admission } from './admission.js';
import { AttemptLimits } from './attempt-limits.js';
import { ClientAddress } from './client-address.js';
import { GracefulShutdown } from './graceful-shutdown.js';
import { RateLimit } from './rate-limit.js';
import { RequestCounts } from './request-counts.js';
import { RequestEnds } from './request-end.js';
import { RequestLog } from './request-log.js';
import { RequiredAdapter } from './required-adapter.js';
import { UnreadBytes } from './unread-bytes.js';

const PROVIDERS = [
  Admission,
  AttemptLimits,
  ClientAddress,
  GracefulShutdown,
  RateLimit,
  RequestCounts,
  RequestEnds,
  RequestLog,
  RequiredAdapter,
  UnreadBytes,
];

@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class ServerModule {}
