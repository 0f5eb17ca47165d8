import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretsService } from '../platform/secrets/secrets.service.js';

const PREFIX = 'whsec_';
const BYTES = 32;
const PURPOSE = 'webhook secret';

/** Generates secrets of webhook endpoints, in the form of Standard Webhooks, and encrypts them for the database. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly secrets: SecretsService) {}

  /** Returns a new secret, as the client gets it and as it is stored. */
  generate(): { text: string; encrypted: Buffer } {
    const text = PREFIX + randomBytes(BYTES).toString('base64');
    return { text, encrypted: this.secrets.encrypt(PURPOSE, text) };
  }

  /** Returns a stored secret, or undefined if the instance does not have the key any more. */
  read(encrypted: Buffer): string | undefined {
    try {
      return this.secrets.decrypt(PURPOSE, encrypted);
    } catch {
      return undefined;
    }
  }
}
