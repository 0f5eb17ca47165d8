import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** The rooms of `src/`, from above. A room imports only rooms of lower lines. The files of `src/` itself import all. */
const FLOORS = [
  ['cli'],
  ['demo', 'manage'],
  ['mcp', 'members', 'visitors'],
  ['imports', 'mail', 'webhooks'],
  ['page-documents'],
  ['page-model'],
  ['access', 'branding', 'receivers', 'summaries'],
  ['checks', 'domains', 'incidents', 'maintenances', 'subscribers'],
  ['reports'],
  ['deliveries', 'status-pages'],
  ['events', 'monitors'],
  ['api-keys'],
  ['projects'],
  ['organizations'],
  ['platform'],
];

/**
 * Statements that name a table of another room, as `file: table`. Most of them read a column that a write or a page needs in the
 * same statement. Offer a function of the owner before you add a line.
 */
const FOREIGN_TABLES = [
  'access/access.repository.ts: status_pages',
  'deliveries/audiences.repository.ts: incident_impacts',
  'deliveries/audiences.repository.ts: incidents',
  'deliveries/audiences.repository.ts: maintenances',
  'deliveries/audiences.repository.ts: monitors',
  'deliveries/audiences.repository.ts: status_pages',
  'deliveries/audiences.repository.ts: subscribers',
  'deliveries/endpoint-deliveries.repository.ts: events',
  'deliveries/restore-statements.ts: events',
  'domains/domains.repository.ts: status_pages',
  'events/event-statements.ts: webhook_endpoints',
  'platform/auth/credentials.repository.ts: api_keys',
  'platform/backup/restore-backup.ts: organizations',
  'platform/database/log-statements.ts: events',
  'platform/database/write-log.repository.ts: events',
  'reports/deferred-status-changes.repository.ts: monitors',
  'reports/history-locks.repository.ts: monitor_days',
  'reports/history-locks.repository.ts: monitors',
  'reports/history.repository.ts: incident_impacts',
  'reports/history.repository.ts: monitors',
  'reports/reports.repository.ts: monitors',
  'reports/response-times/response-times.repository.ts: monitors',
  'status-pages/deleted/deleted-pages.repository.ts: projects',
  'subscribers/subscribers.repository.ts: status_pages',
  'subscribers/subscriptions.repository.ts: status_pages',
  'summaries/days/days.repository.ts: monitor_states',
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.tsx?$/.test(path),
);
const textOf = (path: string): string => readFileSync(join('src', path), 'utf8');

const withoutComments = (text: string): string => text.replaceAll(/^ *(?:\*|\/\/|\/\*\*).*$/gm, '');

/** The directory of `src/` that contains a file; undefined: `src/` itself. */
const roomOf = (path: string): string | undefined => /^([^/]+)\//.exec(path)?.[1];

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));

const isInRoom = (path: string): boolean => roomOf(path) !== undefined;

describe('rooms of src/', () => {
  it('appear on a floor', () => {
    const rooms = new Set(files.flatMap((path) => roomOf(path) ?? []));
    expect([...rooms].toSorted()).toEqual(FLOORS.flat().toSorted());
  });

  it('import only rooms on lower floors', () => {
    const upward = files.filter(isInRoom).flatMap((path) =>
      ts
        .preProcessFile(textOf(path))
        .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
        .map(({ fileName }) => ({
          from: roomOf(path) ?? '',
          to: roomOf(join(dirname(path), fileName)) ?? '',
        }))
        .filter(({ from, to }) => from !== to && floorOf(from) >= floorOf(to))
        .map(({ from, to }) => `${from} → ${to} (${path})`),
    );
    expect(upward).toEqual([]);
  });
});

/** The room of each table: the directory of its entity. */
const owners = new Map(
  files.flatMap((path) =>
    [...textOf(path).matchAll(/^@Entity\((?:'(\w+)'|\{[^}]*name: '(\w+)')/gm)].map(
      ([, plain, named]): [string, string] => [plain ?? named ?? '', roomOf(path) ?? ''],
    ),
  ),
);

describe('tables', () => {
  it('belong to the room of their entity', () => {
    expect(owners.get('status_pages')).toBe('status-pages');
    expect(owners.get('events')).toBe('events');
    expect(owners.size).toBeGreaterThan(30);
  });

  it('appear only in statements of their room, except for the listed ones', () => {
    const found = files
      .filter((path) => isInRoom(path) && !path.includes('/migrations/'))
      .flatMap((path) =>
        [
          ...withoutComments(textOf(path)).matchAll(
            /\b(?:FROM|JOIN|UPDATE|INTO|USING) (?:ONLY )?([a-z_]+)\b/g,
          ),
        ]
          .map(([, table = '']) => ({ path, table, owner: owners.get(table) }))
          .filter(({ owner }) => owner !== undefined && owner !== roomOf(path))
          .map(({ table }) => `${path}: ${table}`),
      );
    expect([...new Set(found)].toSorted()).toEqual(FOREIGN_TABLES);
  });
});
