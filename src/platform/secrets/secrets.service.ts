import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Env } from '../config/env.js';
import { parseSecretKeys } from '../config/secret-key.js';
import { decryptText, encryptText } from './encryption.js';
import { SecretsRepository } from './secrets.repository.js';

/** A retired key verifies links in old mail for 90 days. */
const VALID_AFTER_ROTATION_MS = 90 * 86_400_000;

const MAC_BYTES = 32;
const MIN_MAC_BYTES = 16;

/** Time between two reads of the keys. */
const RELOAD_MS = 60_000;

/** A new key is used after this time, when all processes have read it and can verify its signatures. */
const USED_AFTER_MS = 2 * RELOAD_MS;

/** A key, from when it is used, and until when it verifies signatures; null while it has no successor. */
interface Key {
  bytes: Buffer;
  used_from: number;
  valid_until: number | null;
}

/** Result of a rotation. */
export interface Rotation {
  /** Number of the new key. */
  number: number;
  /** When the processes begin to use the new key. */
  used_from: Date;
  /** Until when links that were signed by the former key work. */
  former_valid_until: Date;
}

/**
 * Signs links, hashes erased addresses and encrypts secrets of others with the key of the instance, which is in the database, or
 * in `SECRET_KEY`.
 *
 *     const mac = secrets.sign('unsubscribe', id); // 32 bytes
 *     secrets.verify('unsubscribe', id, mac);
 *
 *     const bytes = secrets.encrypt('webhook secret', text);
 *     secrets.decrypt('webhook secret', bytes); // text
 *
 * A purpose separates uses of the same key. A signature or an encrypted text for one purpose is invalid for others.
 */
@Injectable()
export class SecretsService implements OnModuleInit, OnApplicationShutdown {
  /** Newest first, after the keys of `SECRET_KEY`. */
  private keys: Key[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: SecretsRepository,
    private readonly env: Env,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.reload();
    this.timer = setInterval(() => void this.reload().catch(() => undefined), RELOAD_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Returns the HMAC-SHA256 of a text, by the key in use. 32 bytes. */
  sign(purpose: string, text: string): Buffer {
    return macOf(this.current(), purpose, text);
  }

  /**
   * Returns whether a signature, or its beginning of at least 16 bytes, is by the key in use, or by a key that was retired in the
   * last 90 days. In constant time.
   */
  verify(purpose: string, text: string, mac: Buffer): boolean {
    if (mac.length < MIN_MAC_BYTES || mac.length > MAC_BYTES) return false;
    const now = Date.now();
    return this.keys.some(
      (key) =>
        timingSafeEqual(mac, macOf(key, purpose, text).subarray(0, mac.length)) &&
        (key.valid_until === null || key.valid_until > now),
    );
  }

  /**
   * Returns the keyed hashes of a text, by every key that the instance has had, the key in use first. Store the first; compare
   * with all.
   */
  hashes(purpose: string, text: string): [current: Buffer, ...others: Buffer[]] {
    const current = this.current();
    const others = this.keys.filter((key) => key !== current);
    return [macOf(current, purpose, text), ...others.map((key) => macOf(key, purpose, text))];
  }

  /** Encrypts a text that must be read again, by the key in use. 37 bytes longer than the text in UTF-8, never twice the same. */
  encrypt(purpose: string, text: string): Buffer {
    return encryptText(this.current().bytes, purpose, text);
  }

  /**
   * Decrypts a text of {@link encrypt}, by any key that the instance has had.
   * @throws Error if the instance does not have the key, or if the text was changed or has another purpose
   */
  decrypt(purpose: string, bytes: Buffer): string {
    return decryptText(
      this.keys.map((key) => key.bytes),
      purpose,
      bytes,
    );
  }

  /** Creates a new key, which the processes use after two minutes. The former key verifies links for another 90 days. */
  async rotate(): Promise<Rotation> {
    const stored = await this.repository.insertNext(randomBytes(32));
    if (!stored) throw new Error('no key was stored');
    await this.reload();
    const created = stored.created_at.getTime();
    return {
      number: stored.number,
      used_from: new Date(created + USED_AFTER_MS),
      former_valid_until: new Date(created + VALID_AFTER_ROTATION_MS),
    };
  }

  /** Reads the keys, and creates the first one. Runs every minute, because another process can have rotated the key. */
  async reload(): Promise<void> {
    const configured = parseSecretKeys(this.env.SECRET_KEY ?? '') ?? [];
    let stored = await this.repository.findAll();
    if (stored.length === 0 && configured.length === 0) {
      await this.repository.insertFirst(randomBytes(32));
      stored = await this.repository.findAll();
    }
    if (stored[0] && (stored[0].retired_at !== null) !== configured.length > 0) {
      await this.repository.retireNewest(configured.length > 0);
      stored = await this.repository.findAll();
    }
    this.keys = [
      ...configured.map((bytes) => ({ bytes, used_from: 0, valid_until: null })),
      ...stored.map(({ key, created_at, retired_at }, index) => {
        const successor = (stored[index - 1]?.created_at ?? retired_at)?.getTime();
        return {
          bytes: key,
          used_from: created_at.getTime() + USED_AFTER_MS,
          valid_until: successor === undefined ? null : successor + VALID_AFTER_ROTATION_MS,
        };
      }),
    ];
  }

  /** Returns the key in use: the newest that all processes know, or the only one. */
  private current(): Key {
    const now = Date.now();
    const key = this.keys.find(({ used_from }) => used_from <= now) ?? this.keys.at(-1);
    if (!key) throw new Error('the key of the instance is not loaded');
    return key;
  }
}

function macOf({ bytes }: Key, purpose: string, text: string): Buffer {
  return createHmac('sha256', bytes).update(`${purpose}\0${text}`).digest();
}
