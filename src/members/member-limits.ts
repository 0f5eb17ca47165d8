import { Injectable } from '@nestjs/common';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import type { Subject } from '../platform/server/request-counts.js';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;

/** Maximum number of links that an address can request from one client network in 15 minutes. */
export const MAX_LINKS = 5;
/** Maximum number of links that an address can request in an hour, from all client networks. */
export const MAX_LINKS_OF_ADDRESS = 30;
/** Maximum number of links that a client network can request in an hour. A company can have one address. */
export const MAX_LINKS_OF_NETWORK = 100;
/** Maximum number of wrong passwords for an address from one client network in 15 minutes. */
export const MAX_PASSWORDS = 10;
/** Maximum number of wrong passwords for an address in an hour, from all client networks. A link still signs the member in. */
export const MAX_PASSWORDS_OF_ADDRESS = 100;
/** Maximum number of wrong passwords of a client network in 15 minutes. */
export const MAX_PASSWORDS_OF_NETWORK = 20;
/** Maximum number of sign-ins with OpenID Connect that begin, and that end, in a client network in 15 minutes. */
export const MAX_OIDC_SIGN_INS = 300;
/** Maximum number of unknown links of a client network in 15 minutes. */
export const MAX_UNKNOWN_LINKS = 20;
/** Maximum number of failed sign-ins by passkey of a client network in 15 minutes. */
export const MAX_PASSKEYS = 20;

/**
 * Limits of sign-ins. Limits of an address apply mainly to one client network, because anybody who knows the address
 * could keep its member out otherwise. The counts do not reveal addresses.
 */
@Injectable()
export class MemberLimits {
  constructor(private readonly secrets: SecretsService) {}

  /** Limits of requests for a link. */
  links(email: string, network: string): Subject[] {
    const address = `member-mail:${this.hashOf(email)}`;
    return [
      { name: `member-mail:${network}`, limit: MAX_LINKS_OF_NETWORK, seconds: HOUR_SECONDS },
      { name: `${address}:${network}`, limit: MAX_LINKS, seconds: QUARTER_HOUR_SECONDS },
      { name: address, limit: MAX_LINKS_OF_ADDRESS, seconds: HOUR_SECONDS },
    ];
  }

  /** Limits of wrong passwords. */
  passwords(email: string, network: string): Subject[] {
    const address = `member-password:${this.hashOf(email)}`;
    return [
      {
        name: `member-password:${network}`,
        limit: MAX_PASSWORDS_OF_NETWORK,
        seconds: QUARTER_HOUR_SECONDS,
      },
      { name: `${address}:${network}`, limit: MAX_PASSWORDS, seconds: QUARTER_HOUR_SECONDS },
      { name: address, limit: MAX_PASSWORDS_OF_ADDRESS, seconds: HOUR_SECONDS },
    ];
  }

  /** Limit of unknown links. */
  unknownLinks(network: string): Subject {
    return { name: `member-links:${network}`, limit: MAX_UNKNOWN_LINKS, seconds: QUARTER_HOUR_SECONDS };
  }

  /** Limit of sign-ins with OpenID Connect that begin or end. */
  oidc(step: 'begin' | 'end', network: string): Subject {
    return {
      name: `member-oidc:${step}:${network}`,
      limit: MAX_OIDC_SIGN_INS,
      seconds: QUARTER_HOUR_SECONDS,
    };
  }

  /** Limit of failed sign-ins by passkey. */
  passkeys(network: string): Subject {
    return { name: `member-passkeys:${network}`, limit: MAX_PASSKEYS, seconds: QUARTER_HOUR_SECONDS };
  }

  /** Returns a name of an address for its counts. */
  private hashOf(email: string): string {
    return this.secrets.sign('member sign-in', email).toString('base64url');
  }
}
