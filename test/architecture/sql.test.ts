import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Directories that open connections, or work with the schema of any version. */
const BELOW = /^platform\/(database|backup)\//;

/** Files of statements: a resource's repository, statements that others contain, and queues of all organizations. */
const STATEMENTS = /\.repository\.ts$|-statements\.ts$|-queue\.ts$/;

/** Files that run SQL otherwise, with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'cli/backup-commands.ts': 'see deliveries/restore-statements.ts',
  'deliveries/restore-statements.ts':
    'a restore works with the schema of any version, before the application starts',
  'platform/health/readiness.ts': 'it has its own connection, so that it also responds if the pool is in use',
};

const SQL = /\bSELECT\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \S+(?: AS \w+)?\s+SET\b/;

/** TypeORM's ways to SQL, which contain no organization or no prepared statement. */
const OTHER_DOORS =
  /(?<!runner)\.query\s*[<(]|\bextends Repository\b|\.(?:createQueryBuilder|getRepository)\b|\bQueryRunner\b|\bmanager\.(?:insert|save|update|upsert|delete|remove|create|count|exists?|find)\w*\(/;

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !BELOW.test(path) && !(path in EXCEPTIONS),
);

/** Returns the files whose code matches, without comments. */
function filesWith(pattern: RegExp): string[] {
  return files.filter((path) =>
    pattern.test(readFileSync(`src/${path}`, 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')),
  );
}

describe('SQL', () => {
  it('appears only in repositories and in files of statements', () => {
    expect(filesWith(SQL).filter((path) => !STATEMENTS.test(path))).toEqual([]);
  });

  it('runs only through StatementRunner', () => {
    expect(filesWith(OTHER_DOORS)).toEqual([]);
  });

  it('ends the cached page when what a resource shows changes with the time', () => {
    const reader = readFileSync('src/page-model/page-reader.service.ts', 'utf8');
    const depending = files.filter((path) => {
      const [, body = ''] =
        /\basync findShown\(([^]*?)\n {2}\}\n/.exec(readFileSync(`src/${path}`, 'utf8')) ?? [];
      return /_timestamp\(\)|\bnow\b|_(at|from|until)\b[^,]*(<|>|BETWEEN)/.test(body);
    });
    expect(depending).toContain('maintenances/shown-maintenances.repository.ts');
    const without = depending.filter((path) => !reader.includes(`this.${path.split('/')[0]}.nextChange(`));
    expect(without).toEqual([]);
  });
});
