import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** Flags of authenticator data: user present, user verified, and a new credential. */
const [PRESENT, VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40];

/** Differences from what a device and a browser would send. */
export interface Lie {
  origin?: string;
  rp_id?: string;
  challenge?: string;
  type?: string;
  isVerified?: boolean;
  /** Number of signatures. */
  counter?: number;
  userHandle?: string;
  credentialId?: Buffer;
  /** Whether the signature is by another key. */
  isForged?: boolean;
  /** Format and statement of the attestation. */
  attestation?: { fmt: string; attStmt: Map<Item, Item> };
}

/** A challenge of the server, as the script gets it. */
export interface Options {
  challenge: string;
  user?: { id: string };
}

/** A device with one passkey (ES256), and the browser that it is in. */
export class Authenticator {
  readonly credentialId = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';

  constructor(
    private readonly origin: string,
    private readonly rp_id: string,
  ) {}

  /** Returns a new passkey, as the script sends it. */
  create({ challenge, user }: Options, lie: Lie = {}): string {
    this.userHandle = user?.id ?? '';
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const key = new Map<Item, Item>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const id = lie.credentialId ?? this.credentialId;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.data(HAS_CREDENTIAL, { counter: 0, ...lie }),
      Buffer.alloc(16),
      length,
      id,
      cbor(key),
    ]);
    const { fmt, attStmt } = lie.attestation ?? { fmt: 'none', attStmt: new Map() };
    const attestationObject = cbor(
      new Map<Item, Item>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return this.sent(id, {
      clientDataJSON: this.client('webauthn.create', challenge, lie),
      attestationObject,
      transports: ['internal', 'hybrid', 'unknown'],
    });
  }

  /** Returns the signature of a challenge, as the script sends it. */
  get({ challenge }: Options, lie: Lie = {}): string {
    this.counter += 1;
    const authenticatorData = this.data(0, { counter: this.counter, ...lie });
    const clientDataJSON = this.client('webauthn.get', challenge, lie);
    const hash = createHash('sha256').update(clientDataJSON).digest();
    const key: KeyObject = lie.isForged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.keys.privateKey;
    return this.sent(lie.credentialId ?? this.credentialId, {
      clientDataJSON,
      authenticatorData,
      signature: createSign('sha256').update(authenticatorData).update(hash).sign(key),
      userHandle: Buffer.from(lie.userHandle ?? this.userHandle, 'base64url'),
    });
  }

  private client(type: string, challenge: string, lie: Lie): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false, ...onlyOf(lie) }),
    );
  }

  private data(flags: number, { rp_id = this.rp_id, isVerified = true, counter = 0 }: Lie): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | PRESENT | (isVerified ? VERIFIED : 0);
    return Buffer.concat([createHash('sha256').update(rp_id).digest(), Buffer.of(all), count]);
  }

  private sent(id: Buffer, response: Record<string, Buffer | string[]>): string {
    const texts = Object.entries(response).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString('base64url') : value,
    ]);
    return JSON.stringify({ id: id.toString('base64url'), response: Object.fromEntries(texts) });
  }
}

/** Returns the lies about the browser. */
function onlyOf({ origin, challenge, type }: Lie): object {
  return {
    ...(origin !== undefined && { origin }),
    ...(challenge !== undefined && { challenge }),
    ...(type !== undefined && { type }),
  };
}

/** A value that {@link cbor} encodes. */
export type Item = number | string | Buffer | Item[] | Map<Item, Item>;

/** Encodes a value as CBOR (RFC 8949). */
function cbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item);
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item]);
  if (Array.isArray(item)) return Buffer.concat([head(4, item.length), ...item.map((one) => cbor(one))]);
  return Buffer.concat([
    head(5, item.size),
    ...[...item].flatMap(([key, value]) => [cbor(key), cbor(value)]),
  ]);
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.of((type << 5) | size);
  if (size < 256) return Buffer.of((type << 5) | 24, size);
  return Buffer.of((type << 5) | 25, size >> 8, size & 0xff);
}
