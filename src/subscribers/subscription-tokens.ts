import { Injectable } from '@nestjs/common';
import { SecretsService } from '../platform/secrets/secrets.service.js';

/** Permission of a link in mail. `confirm`: confirm the subscription. `manage`: see, change and end it. */
export type TokenPurpose = 'confirm' | 'manage';

const ID_BYTES = 16;
const MAC_BYTES = 24;
/** Prefix, and 40 bytes in base64url. */
const TOKEN = /^st_[A-Za-z0-9_-]{54}$/;

/**
 * Creates and verifies the tokens of links in mail: `st_`, and the ID of the subscriber with its signature in base64url. They
 * are not stored, and valid as long as the subscription exists.
 */
@Injectable()
export class SubscriptionTokens {
  constructor(private readonly secrets: SecretsService) {}

  create(purpose: TokenPurpose, subscriberId: string): string {
    const id = Buffer.from(subscriberId.replaceAll('-', ''), 'hex');
    const mac = this.secrets.sign(`subscription:${purpose}`, subscriberId).subarray(0, MAC_BYTES);
    return `st_${Buffer.concat([id, mac]).toString('base64url')}`;
  }

  /** Returns the ID of the subscriber, or undefined if the token is malformed, forged, or for another purpose. */
  verify(purpose: TokenPurpose, token: string): string | undefined {
    if (!TOKEN.test(token)) return undefined;
    const bytes = Buffer.from(token.slice(3), 'base64url');
    // The last character has unused bits, so several texts have the same bytes.
    if (bytes.toString('base64url') !== token.slice(3)) return undefined;
    const hex = bytes.subarray(0, ID_BYTES).toString('hex');
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    return this.secrets.verify(`subscription:${purpose}`, id, bytes.subarray(ID_BYTES)) ? id : undefined;
  }
}
