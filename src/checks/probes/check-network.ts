import { Injectable } from '@nestjs/common';
import { Env } from '../../platform/config/env.js';
import { Dns } from '../../platform/network/dns.js';
import { GuardedNetwork } from '../../platform/network/network-guard.js';

/** Guards the connections of checks, with the networks of CHECK_ALLOWED_NETWORKS. `http:` also works for public addresses. */
@Injectable()
export class CheckNetwork extends GuardedNetwork {
  constructor({ CHECK_ALLOWED_NETWORKS }: Env, dns: Dns) {
    super(CHECK_ALLOWED_NETWORKS, dns);
  }
}
