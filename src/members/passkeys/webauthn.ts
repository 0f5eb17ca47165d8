import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FoundPasskey, NewPasskey } from '../member-passkeys.repository.js';

/** Algorithms of signatures that passkeys use: ES256, which all support, and RS256 of Windows. Numbers of COSE. */
export const ALGORITHMS = [-7, -257];

/** Values that a response of an authenticator must belong to. */
export interface Expected {
  challenge: string;
  origin: string;
  /** Host name of the console, to which browsers bind passkeys. */
  rp_id: string;
}

/** Loaded on first use, because loading its parsers of certificates takes longer than the rest of a start. */
const load = () => Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')]);

/**
 * Verifies a new passkey. The member was verified by the device, such as by a fingerprint. Certificates of manufacturers are rejected:
 * the console does not ask for them, and their check would request URLs in them.
 * @returns undefined if it is not for what is expected, or malformed
 */
export async function verifyNew(
  response: RegistrationResponseJSON,
  { challenge, origin, rp_id }: Expected,
): Promise<Pick<NewPasskey, 'credential' | 'public_key' | 'counter'> | undefined> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await load();
  try {
    const sent = decodeAttestationObject(
      new Uint8Array(Buffer.from(response.response.attestationObject, 'base64url')),
    );
    const fmt = sent.get('fmt');
    const isPlain = fmt === 'none' || (fmt === 'packed' && sent.get('attStmt').get('x5c') === undefined);
    if (!isPlain) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!registrationInfo) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credential: Buffer.from(id, 'base64url'), public_key: Buffer.from(publicKey), counter };
  } catch {
    return undefined; // the package throws a different error for each fault of a client
  }
}

/**
 * Verifies a sign-in. The member was verified by the device.
 * @returns the number of signatures as counted by the authenticator, or undefined if the sign-in is not for what is expected, if its
 * signature is wrong, or if the number is not above the stored one
 */
export async function verifyUse(
  response: AuthenticationResponseJSON,
  { credential, public_key, counter }: FoundPasskey,
  { challenge, origin, rp_id }: Expected,
): Promise<number | undefined> {
  const [{ verifyAuthenticationResponse }] = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      credential: {
        id: credential.toString('base64url'),
        publicKey: new Uint8Array(public_key),
        counter: Number(counter),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
