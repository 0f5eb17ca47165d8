import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Test files that also run on another database: on PostgreSQL (`npm run test:postgres`), and through PgBouncer
 * (`npm run test:pgbouncer`). A test runs where its guarantee can break. Rules of input, texts, documents, components and
 * OpenAPI do not depend on the database. Statements, plans, locks and transactions do: the embedded PostgreSQL has only
 * one session, and another version. test/README.md explains the choice for each directory.
 */

/**
 * Tests of transactions, locks, prepared statements and connections, which a pooler can break. They run on PostgreSQL through
 * PgBouncer only, because what PostgreSQL itself can break breaks there too.
 */
const POOLER = [
  'test/database',
  'test/dry-run',
  'test/health',
  'test/history',
  'test/idempotency',
  'test/imports/imports.test.ts',
  'test/incidents',
  'test/maintenances',
  'test/monitors',
  'test/reports',
  'test/resources',
  'test/server/overload.test.ts',
  'test/status-pages',
];

/** Tests of further statements and locks, and tests of the connections themselves. */
const POSTGRES = [
  'test/database',
  'test/access/email',
  'test/access/attempts.test.ts',
  'test/access/links.test.ts',
  'test/access/rules.test.ts',
  'test/access/sessions.test.ts',
  'test/api-keys',
  'test/architecture/statements.test.ts',
  'test/architecture/tables.test.ts',
  'test/auth',
  'test/branding/kept.test.ts',
  'test/checks',
  'test/days',
  'test/deliveries',
  'test/demo',
  'test/domains',
  'test/events',
  'test/imports',
  'test/incident-drafts',
  'test/incident-templates',
  'test/mail/still-true.test.ts',
  'test/manage',
  'test/members',
  'test/preview-links',
  'test/projects',
  'test/public-page/cache',
  'test/public-page/domains',
  'test/public-page/former-slugs.test.ts',
  'test/public-page/foreign-incidents.test.ts',
  'test/public-page/reader.test.ts',
  'test/public-page/subscribe/links.test.ts',
  'test/public-page/versions.test.ts',
  'test/receivers/bounces.test.ts',
  'test/statuses',
  'test/subscribers',
  'test/summaries',
  'test/webhooks/channel.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/webhooks/endpoints.test.ts',
  'test/webhooks/fairness.test.ts',
  'test/webhooks/replay.test.ts',
  'test/webhooks/sent-again.test.ts',
];

const patternOf = (path: string): string => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`);

/**
 * Test files with a test that requires PostgreSQL or a program, also in directories that do not depend on the database,
 * because `npm test` must not require them.
 */
const withTag = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.test.ts') && /\btags: \[/.test(readFileSync(path, 'utf8')));

/** Whether the command line names files. All of them run then, on each database. */
const isSelected = process.argv.some((parameter) => /^(test|packages)\//.test(parameter));

/**
 * Returns the patterns of the test files of a mode of Vitest.
 * @param mode `test`, `postgres` or `pgbouncer`
 */
export function filesOf(mode: string): string[] {
  if (mode === 'postgres' && !isSelected) return [...POSTGRES.map(patternOf), ...withTag()];
  if (mode === 'pgbouncer' && !isSelected) return POOLER.map(patternOf);
  return ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'];
}
