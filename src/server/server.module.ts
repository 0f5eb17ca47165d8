import { Module } from '@nestjs/common';
import { Admission } from './admission.js';
import { ClientAddress } from './client-address.js';
import { GracefulShutdown } from './graceful-shutdown.js';
import { RateLimit } from './rate-limit.js';
import { RequestCounts } from './request-counts.js';

@Module({
  providers: [Admission, ClientAddress, GracefulShutdown, RateLimit, RequestCounts],
  exports: [Admission, ClientAddress, GracefulShutdown, RateLimit],
})
export class ServerModule {}
