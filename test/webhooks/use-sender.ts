import { afterEach } from 'vitest';
import { loadEnv } from '../../src/platform/config/env.js';
import { Dns } from '../../src/platform/network/dns.js';
import { NetworkGuard } from '../../src/platform/network/network-guard.js';
import { WebhookSender } from '../../src/webhooks/outbound/webhook-sender.js';
import { Receiver } from './http-receiver.js';

/** A guard with these variables. */
export function guardWith(env: NodeJS.ProcessEnv = {}): NetworkGuard {
  const loaded = loadEnv({ EMBEDDED: 'true', ...env });
  return new NetworkGuard(loaded, new Dns(loaded));
}

/** Senders and receivers that are stopped after the tests of a file. */
export function useSenders() {
  const senders: WebhookSender[] = [];
  const receivers: Receiver[] = [];
  afterEach(async () => {
    for (const sender of senders.splice(0)) sender.onApplicationShutdown();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  });
  return {
    /** A sender with these variables. It trusts the issuer `ca`. */
    sender: (env: NodeJS.ProcessEnv, ca?: string): WebhookSender => {
      const sender = new WebhookSender(guardWith(env), ca);
      senders.push(sender);
      return sender;
    },
    receiver: async (...options: Parameters<typeof Receiver.start>): Promise<Receiver> => {
      const receiver = await Receiver.start(...options);
      receivers.push(receiver);
      return receiver;
    },
  };
}
