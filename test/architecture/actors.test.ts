import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Files that know API keys: their management, authentication, idempotency and rate limits. Everything else takes any actor, so that
 * a member can do the same.
 */
const KEY_SPECIFIC = ['api-keys/', 'platform/auth/', 'platform/idempotency/', 'platform/server/'];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.tsx?$/.test(path),
);
const others = files.filter((path) => !KEY_SPECIFIC.some((prefix) => path.startsWith(prefix)));

const codeOf = (path: string): string =>
  readFileSync(join('src', path), 'utf8').replaceAll(/^ *(?:\*|\/\/|\/\*\*).*$/gm, '');

/** The files whose code matches a pattern. */
const matching = (paths: string[], pattern: RegExp): string[] =>
  paths.filter((path) => pattern.test(codeOf(path)));

describe('code that does not manage API keys', () => {
  it('uses no type of API keys', () => {
    expect(matching(files, /\bCurrentApiKey\b/).length).toBeGreaterThan(3);
    expect(matching(others, /\bCurrentApiKey\b/)).toEqual([]);
  });

  it('distinguishes no kinds of actors', () => {
    const comparison =
      /\.type [!=]== '(?:api_key|member|command_line|system)'|case '(?:api_key|member|command_line)'/;
    expect(matching(files, comparison).length).toBeGreaterThan(2);
    expect(matching(others, comparison)).toEqual([]);
  });

  it('reads the actor of a request only by the decorator', () => {
    // The guard of the console sets it. A dry run surrounds the handler, so it reads the actor after it.
    expect(matching(others, /request\??\.(?:actor|user)\b/)).toEqual([
      'manage/console.guard.ts',
      'platform/dry-run/dry-runs.ts',
    ]);
  });
});
