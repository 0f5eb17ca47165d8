import { readFileSync } from 'node:fs';
import { usageError } from './errors.js';

/** The environment and the options of a call. */
export interface GlobalOptions {
  url?: string;
  project?: string;
  json?: boolean;
  timeout: number;
  idempotencyKey?: string;
  dryRun?: boolean;
}

/** How to reach the API. */
export interface Settings {
  url: string;
  apiKey: string;
  /** ID or name; undefined: the only project of the key. */
  project: string | undefined;
  /** Seconds until a response must be complete. */
  timeout: number;
  idempotencyKey: string | undefined;
}

/** @throws CommandError if the URL or the key is missing or malformed. Its message never contains the key. */
export function settingsOf(options: GlobalOptions, env: NodeJS.ProcessEnv): Settings {
  return {
    url: urlOf(options.url ?? env['STATUS_PAGES_URL']),
    apiKey: keyOf(env),
    project: (options.project ?? env['STATUS_PAGES_PROJECT']) || undefined,
    timeout: options.timeout,
    idempotencyKey: options.idempotencyKey,
  };
}

function urlOf(text: string | undefined): string {
  if (!text)
    throw usageError(
      'Set STATUS_PAGES_URL to the URL of the service, such as https://status.example.com, or pass --url.',
    );
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw usageError('STATUS_PAGES_URL or --url must be a URL, such as https://status.example.com.');
  if (url.username || url.password || url.search || url.hash)
    throw usageError('STATUS_PAGES_URL or --url must not contain a user, a password, a query or a fragment.');
  const address = url.href.replace(/\/+$/, '');
  if (address.endsWith('/v1')) throw usageError('Omit /v1 from STATUS_PAGES_URL or --url.');
  return address;
}

function keyOf(env: NodeJS.ProcessEnv): string {
  const { STATUS_PAGES_KEY: direct, STATUS_PAGES_KEY_FILE: file } = env;
  if (direct && file) throw usageError('Set either STATUS_PAGES_KEY or STATUS_PAGES_KEY_FILE, not both.');
  const key = (file ? readKey(file) : (direct ?? '')).trim();
  if (key === '')
    throw usageError(
      'Set STATUS_PAGES_KEY to an API key, or STATUS_PAGES_KEY_FILE to the name of a file that contains it.',
    );
  // Otherwise, the error of `fetch` would contain the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw usageError('The API key contains a space or another invalid character.');
  return key;
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Could not read STATUS_PAGES_KEY_FILE: ${error instanceof Error ? error.message : file}.`,
    );
  }
}
