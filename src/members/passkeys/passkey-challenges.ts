import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../../platform/config/public-url.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';

/** Time for which a challenge works. */
export const CHALLENGE_SECONDS = 300;

/** Number of bytes of a challenge. */
export const CHALLENGE_BYTES = 32;

const PURPOSE = 'member passkey challenge';

/** Milliseconds since 1970 in base 36, the challenge, and the signature. */
const VALUE = /^([0-9a-z]{8,9})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** A challenge that a passkey must sign to sign in. */
export interface PasskeyChallenge {
  /** Base64url. */
  value: string;
  made_at: Date;
}

/**
 * Challenges of sign-ins. Only the browser stores them, in a signed cookie, so that no stranger fills a table. Each works once for a
 * passkey, because the passkey notes when the latest one was made: see `MemberPasskeysRepository.use`.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly secrets: SecretsService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Returns a new challenge, and the value of its cookie. */
  create(): { challenge: string; cookie: string } {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    const time = Date.now().toString(36);
    const mac = this.secrets.sign(PURPOSE, this.signed(time, challenge)).toString('base64url');
    return { challenge, cookie: `${time}.${challenge}.${mac}` };
  }

  /** Returns the challenge of a cookie, or undefined if the cookie is forged, has expired, or is of another host. */
  open(cookie = ''): PasskeyChallenge | undefined {
    const [, time = '', value = '', mac = ''] = VALUE.exec(cookie) ?? [];
    const made_at = new Date(Number.parseInt(time, 36));
    const age = Date.now() - made_at.getTime();
    // A process whose clock is behind can open it as well.
    if (!(age < CHALLENGE_SECONDS * 1_000 && age > -60_000)) return undefined;
    const isOwn = this.secrets.verify(PURPOSE, this.signed(time, value), Buffer.from(mac, 'base64url'));
    return isOwn ? { value, made_at } : undefined;
  }

  private signed(time: string, challenge: string): string {
    return [this.publicUrl.host, time, challenge].join('\n');
  }
}
