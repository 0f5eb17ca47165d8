import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type Transport, TRANSPORTS } from '../member-passkey.entity.js';

/** Maximum number of characters of each part. */
const MAX = { id: 1_364, short: 100, client_data: 4_000, long: 20_000 };

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** A response of an authenticator, and the challenge that it claims to have signed. */
export interface Sent<Response> {
  response: Response;
  challenge: string;
}

/** Reads the JSON of a new passkey. Returns undefined if it does not have its form. Does not check signatures. */
export function readNewCredential(text: string): Sent<RegistrationResponseJSON> | undefined {
  const sent = parse(text);
  const attestationObject = textOf(partOf(sent, 'response'), 'attestationObject', MAX.long);
  const common = commonOf(sent);
  if (!common || attestationObject === undefined) return undefined;
  const { id, clientDataJSON, challenge } = common;
  const sentTransports = partOf(partOf(sent, 'response'), 'transports');
  const transports = TRANSPORTS.filter(
    (one) => Array.isArray(sentTransports) && sentTransports.includes(one),
  );
  const response = { clientDataJSON, attestationObject, transports };
  return { challenge, response: { ...FIXED, id, rawId: id, response } };
}

/** Reads the JSON of a sign-in, as {@link readNewCredential}. */
export function readAssertion(text: string): Sent<AuthenticationResponseJSON> | undefined {
  const sent = parse(text);
  const part = partOf(sent, 'response');
  const [authenticatorData, signature, userHandle] = [
    textOf(part, 'authenticatorData', MAX.long),
    textOf(part, 'signature', MAX.client_data),
    textOf(part, 'userHandle', MAX.short),
  ];
  const common = commonOf(sent);
  if (!common || authenticatorData === undefined || signature === undefined || userHandle === undefined)
    return undefined;
  const { id, clientDataJSON, challenge } = common;
  const response = { clientDataJSON, authenticatorData, signature, userHandle };
  return { challenge, response: { ...FIXED, id, rawId: id, response } };
}

/** Returns the transports of a new passkey. */
export function transportsOf({ response }: RegistrationResponseJSON): Transport[] {
  return TRANSPORTS.filter((one) => response.transports?.includes(one));
}

const FIXED = { type: 'public-key', clientExtensionResults: {} } as const;

function commonOf(sent: unknown): { id: string; clientDataJSON: string; challenge: string } | undefined {
  const id = textOf(sent, 'id', MAX.id);
  const clientDataJSON = textOf(partOf(sent, 'response'), 'clientDataJSON', MAX.client_data);
  if (id === undefined || clientDataJSON === undefined) return undefined;
  const challenge = textOf(
    parse(Buffer.from(clientDataJSON, 'base64url').toString()),
    'challenge',
    MAX.short,
  );
  return challenge === undefined ? undefined : { id, clientDataJSON, challenge };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown, name: string, max: number): string | undefined {
  const text = partOf(value, name);
  return typeof text === 'string' && text.length <= max && BASE64URL.test(text) ? text : undefined;
}
