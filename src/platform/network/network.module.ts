import { Module } from '@nestjs/common';
import { Dns } from './dns.js';
import { NetworkGuard } from './network-guard.js';

/** DNS, and the check of the addresses of requests to names that users have entered. */
@Module({ providers: [Dns, NetworkGuard], exports: [Dns, NetworkGuard] })
export class NetworkModule {}
