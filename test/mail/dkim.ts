import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { authenticate } from 'mailauth';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Writes a new private key to a file, and returns the variables that sign mail with it. */
export function signWith(file: string) {
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return { DKIM_DOMAIN: 'example.com', DKIM_SELECTOR: 's1', DKIM_KEY_FILE: file };
}

/** Verifies the signatures of a message with mailauth, an implementation of DKIM of its own. */
export async function verifyDkim(message: Buffer): Promise<string[]> {
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const { dkim } = await authenticate(message, {
    ip: '127.0.0.1',
    helo: 'example.com',
    sender: 'status@example.com',
    disableArc: true,
    disableDmarc: true,
    disableBimi: true,
    resolver: async (name: string, type: string) => {
      if (name === 's1._domainkey.example.com' && type === 'TXT') return [[`v=DKIM1; k=rsa; p=${key}`]];
      throw Object.assign(new Error('no record'), { code: 'ENOTFOUND' });
    },
  });
  return dkim.results.map(({ status }) => status.result);
}
