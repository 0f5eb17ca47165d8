import { readFileSync } from 'node:fs';

/** Variables whose values are secrets. Each can be in a file instead, as Docker and Kubernetes mount secrets. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'REDIS_URL',
  'SMTP_URL',
  'SECRET_KEY',
  'OIDC_CLIENT_SECRET',
];

/** `DATABASE_URL_FILE=/run/secrets/database_url` is the path of a file with the value of `DATABASE_URL`. */
export const FILE_SUFFIX = '_FILE';

/**
 * Reads the files of secrets, without their trailing line break. An error contains the name and the reason, never the value.
 */
export function readSecretFiles(source: NodeJS.ProcessEnv): {
  values: Record<string, string>;
  errors: string[];
} {
  const values: Record<string, string> = {};
  const errors: string[] = [];
  for (const name of SECRETS) {
    const variable = `${name}${FILE_SUFFIX}`;
    const path = source[variable];
    if (!path) continue;
    if (source[name]) {
      errors.push(`${variable} must not be set if ${name} is set`);
      continue;
    }
    try {
      const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (value === '') errors.push(`${variable} points to an empty file`);
      else values[name] = value;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      errors.push(`${variable} points to a file that cannot be read (${code})`);
    }
  }
  return { values, errors };
}
