import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = new URL('../../src', import.meta.url).pathname;

/** SQL that waits for a lock of others, and SQL of a change. */
const LOCKS = /FOR (NO KEY )?UPDATE\b(?! SKIP LOCKED)/;
const CHANGES = /\bUPDATE [a-z_]+\s+SET\b|\bDELETE FROM\b/;

/** SQL that locks rows. `strength` is a parameter of some. */
const LOCK = /\bFOR ((?:(?:NO KEY |KEY )?(?:UPDATE|SHARE)\b|\$\{strength\})(?: SKIP LOCKED)?)/g;

/** The locks of rows in all sources, by file: the table and the strength. Remove one only together with what it protects. */
const LOCKED_ROWS = [
  'api-keys/api-keys.repository.ts: api_keys UPDATE',
  'api-keys/api-keys.repository.ts: api_keys UPDATE',
  'checks/check-states.repository.ts: check_states NO KEY UPDATE',
  'checks/check-states.repository.ts: check_states NO KEY UPDATE SKIP LOCKED',
  'deliveries/deliveries.repository.ts: deliveries NO KEY UPDATE',
  'deliveries/deliveries.repository.ts: deliveries UPDATE SKIP LOCKED',
  'deliveries/deliveries.repository.ts: deliveries UPDATE SKIP LOCKED',
  'deliveries/delivery-queue.ts: deliveries UPDATE SKIP LOCKED',
  'deliveries/endpoint-deliveries.repository.ts: deliveries NO KEY UPDATE',
  'deliveries/endpoint-deliveries.repository.ts: deliveries NO KEY UPDATE',
  'domains/claims.repository.ts: status_page_domains NO KEY UPDATE',
  'domains/claims.repository.ts: status_page_domains NO KEY UPDATE',
  'domains/claims.repository.ts: status_page_domains NO KEY UPDATE SKIP LOCKED',
  'events/event-queue.ts: events UPDATE SKIP LOCKED',
  'events/event-queue.ts: events UPDATE SKIP LOCKED',
  'events/event-queue.ts: events UPDATE SKIP LOCKED',
  'events/events.repository.ts: events UPDATE SKIP LOCKED',
  'incidents/drafts/incident-drafts.repository.ts: incident_drafts UPDATE SKIP LOCKED',
  'incidents/prepared-incidents.repository.ts: ${this.table.name} NO KEY UPDATE',
  'status-pages/deleted/page-references.repository.ts: ${this.table.name} NO KEY UPDATE',
  'members/members.repository.ts: members NO KEY UPDATE',
  'monitors/monitors.repository.ts: monitors KEY SHARE',
  'monitors/monitors.repository.ts: monitors KEY SHARE SKIP LOCKED',
  'monitors/monitors.repository.ts: monitors NO KEY UPDATE',
  'organizations/organizations.repository.ts: organizations NO KEY UPDATE',
  'platform/auth/credentials.repository.ts: api_keys NO KEY UPDATE',
  'platform/auth/credentials.repository.ts: api_keys SHARE',
  'platform/database/logged-table.ts: ${this.name} ${strength}',
  'platform/database/resource-table.ts: ${this.name} ${strength}',
  'platform/idempotency/idempotency.repository.ts: full_at UPDATE SKIP LOCKED',
  'platform/idempotency/idempotency.repository.ts: idempotency_keys UPDATE SKIP LOCKED',
  'status-pages/preview-links/preview-links.repository.ts: preview_links UPDATE',
  'projects/projects.repository.ts: projects NO KEY UPDATE',
  'reports/response-times/response-times.repository.ts: response_samples UPDATE SKIP LOCKED',
  'reports/response-times/response-times.repository.ts: response_times UPDATE SKIP LOCKED',
  'status-pages/deleted/deleted-pages.repository.ts: deleted_status_pages UPDATE SKIP LOCKED',
  'status-pages/monitor-removal.repository.ts: status_pages NO KEY UPDATE',
  'status-pages/revision-statements.ts: status_pages ${strength}',
  'status-pages/revisions/revisions.repository.ts: status_page_revisions UPDATE SKIP LOCKED',
  'platform/database/tenant-repository.ts: ${this.table.name} KEY SHARE',
  'status-pages/unique-values.repository.ts: former_slugs UPDATE SKIP LOCKED',
  'subscribers/bounces.repository.ts: subscribers NO KEY UPDATE',
  'subscribers/bounces.repository.ts: subscribers NO KEY UPDATE',
  'subscribers/subscription-references.repository.ts: subscribers UPDATE',
  'subscribers/recipients.repository.ts: subscribers NO KEY UPDATE',
  'subscribers/recipients.repository.ts: subscribers NO KEY UPDATE',
  'subscribers/subscribers.repository.ts: status_pages NO KEY UPDATE',
  'subscribers/subscriptions.repository.ts: ${table} UPDATE SKIP LOCKED',
  'subscribers/subscriptions.repository.ts: subscribers NO KEY UPDATE',
  'subscribers/subscriptions.repository.ts: subscription_requests UPDATE SKIP LOCKED',
  'subscribers/subscriptions.repository.ts: subscribers NO KEY UPDATE',
  'webhooks/webhook-endpoints.repository.ts: webhook_endpoints NO KEY UPDATE',
];

it('no statement both locks and changes rows, to prevent deadlocks (docs/decisions/locks.md)', async () => {
  const names = await readdir(SOURCES, { recursive: true });
  const statements = await Promise.all(
    names
      .filter((name) => name.endsWith('.ts'))
      .map(async (name) => {
        const texts = (await readFile(join(SOURCES, name), 'utf8')).match(/`[^`]*`/g) ?? [];
        return texts
          .filter((text) => LOCKS.test(text) && CHANGES.test(text))
          .map((text) => `${name}: ${text}`);
      }),
  );
  expect(statements.flat()).toEqual([]);
});

// The embedded PostgreSQL has one session, so concurrent requests cannot show a missing lock there.
it('rows are locked by these statements', async () => {
  const names = (await readdir(SOURCES, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.includes('/migrations/'),
  );
  const found = await Promise.all(
    names.map(async (name) => {
      const code = (await readFile(join(SOURCES, name), 'utf8')).replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
      return [...code.matchAll(LOCK)].map(({ index, 1: strength }) => {
        const [, table] = [...code.slice(0, index).matchAll(/\bFROM ([\w${}.]+)/g)].at(-1) ?? [];
        return `${name}: ${table} ${strength}`;
      });
    }),
  );
  expect(found.flat().toSorted()).toEqual(LOCKED_ROWS.toSorted());
});
