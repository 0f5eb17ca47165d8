import * as fc from 'fast-check';
import { DAY_MS, REPORTED, type Reported } from './model.js';

// Random sequences of operations. They refer to monitors, incidents, updates and maintenance windows by any number.
// The driver takes it modulo their count and skips the operation if the count is zero.

/** Number of monitors of a sequence. */
export const MONITORS = 2;

/** Number of days before today in a sequence, which also includes today. */
export const DAYS_BACK = 4;

/** A time that the driver resolves. `time` is in milliseconds after the first midnight. */
export type When =
  | { at: 'any'; time: number }
  /** A time that the sequence has used before, plus an offset, so that times are equal or adjacent. */
  | { at: 'again'; which: number; offset: number }
  | { at: 'now'; offset: number };

export type Affected = [monitor: number, status: Reported][];

export type Operation =
  | { do: 'report'; monitor: number; from: When; every: number; statuses: Reported[]; reversed: boolean }
  | { do: 'stale'; monitor: number; seconds: number | null }
  /** Changes when the monitor was created, to any time until now. */
  | { do: 'create'; monitor: number; at: When }
  | { do: 'delete monitor'; monitor: number }
  | { do: 'open'; from: When; status: string; monitors: Affected }
  | { do: 'post'; incident: number; at: When; status: string; monitors: Affected | null }
  | { do: 'move incident'; incident: number; to: When }
  | { do: 'move update'; incident: number; update: number; to: When }
  | { do: 'delete update'; incident: number; update: number }
  | { do: 'delete incident'; incident: number }
  | { do: 'plan'; from: When; length: number; monitors: number[] }
  | { do: 'move window'; maintenance: number; from: When; length: number }
  | { do: 'move end'; maintenance: number; length: number }
  | { do: 'change monitors'; maintenance: number; monitors: number[] }
  | { do: 'close'; maintenance: number; as: 'completed' | 'cancelled' | null }
  | { do: 'delete maintenance'; maintenance: number }
  | { do: 'read'; monitor: number; from: number; days: number }
  | { do: 'read all' }
  | { do: 'forget'; what: Forgotten };

/** Part of the stored days to delete: the rows, the time until which they are valid, or both. */
export const FORGOTTEN = ['rows', 'validity', 'both'] as const;
export type Forgotten = (typeof FORGOTTEN)[number];

const SECOND = 1_000;
const HOUR = 3_600_000;

const which = fc.nat({ max: 7 });
const monitor = fc.nat({ max: MONITORS - 1 });
const status = fc.constantFrom(...REPORTED);
/** Offsets for equal times, adjacent times and times in between. */
const nearby = fc.constantFrom(
  0,
  0,
  0,
  -1,
  1,
  499,
  999,
  SECOND,
  -SECOND,
  30 * SECOND,
  300 * SECOND,
  HOUR / 2,
);
const fullSecond = fc.nat((DAYS_BACK * DAY_MS) / SECOND).map((seconds) => seconds * SECOND);

const when: fc.Arbitrary<When> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ at: fc.constant('any'), time: fc.nat(DAYS_BACK * DAY_MS) }) },
  { weight: 2, arbitrary: fc.record({ at: fc.constant('any'), time: fullSecond }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: DAYS_BACK }), fc.integer({ min: -2_000, max: 2_000 }))
      .map(([day, offset]) => ({ at: 'any' as const, time: Math.max(day * DAY_MS + offset, 0) })),
  },
  { weight: 3, arbitrary: fc.record({ at: fc.constant('again'), which, offset: nearby }) },
  {
    weight: 1,
    arbitrary: fc.record({
      at: fc.constant('now'),
      offset: fc.oneof(fc.integer({ min: -2 * HOUR, max: 0 }), fc.integer({ min: 0, max: 240_000 })),
    }),
  },
);

const affected: fc.Arbitrary<Affected> = fc.uniqueArray(fc.tuple(monitor, status), {
  minLength: 0,
  maxLength: MONITORS,
  selector: ([one]) => one,
});

const named = fc.uniqueArray(monitor, { minLength: 0, maxLength: MONITORS });
const incidentStatus = fc.constantFrom('investigating', 'identified', 'monitoring', 'resolved', 'resolved');
const length = fc.oneof(
  fc.constantFrom(1, 1_000, HOUR, DAY_MS, 3 * DAY_MS),
  fc.integer({ min: 1, max: 30 * HOUR }),
);

type Kind = 'creation' | 'reports' | 'incidents' | 'maintenances' | 'reads';

/** Operations by weight. */
const operations: [kind: Kind, weight: number, fc.Arbitrary<Operation>][] = [
  [
    'reports',
    100,
    fc.record({
      do: fc.constant('report'),
      monitor,
      from: when,
      // Shorter and longer than the times after which a monitor is stale. With 0, the last report applies.
      every: fc.constantFrom(0, SECOND, 59.5 * SECOND, 61 * SECOND, 500 * SECOND, HOUR, 7 * HOUR, 30 * HOUR),
      statuses: fc.oneof(
        fc.array(status, { minLength: 1, maxLength: 6 }),
        fc
          .tuple(status, fc.integer({ min: 2, max: 6 }))
          .map(([one, count]) => Array<Reported>(count).fill(one)),
      ),
      reversed: fc.boolean(),
    }),
  ],
  [
    'reports',
    30,
    fc.record({
      do: fc.constant('stale'),
      monitor,
      seconds: fc.constantFrom(null, 60, 600, 7_200, 90_000),
    }),
  ],
  ['creation', 40, fc.record({ do: fc.constant('create'), monitor, at: when })],
  ['reports', 3, fc.record({ do: fc.constant('delete monitor'), monitor })],
  [
    'incidents',
    40,
    fc.record({ do: fc.constant('open'), from: when, status: incidentStatus, monitors: affected }),
  ],
  [
    'incidents',
    60,
    fc.record({
      do: fc.constant('post'),
      incident: which,
      at: when,
      status: incidentStatus,
      monitors: fc.option(affected, { nil: null }),
    }),
  ],
  ['incidents', 20, fc.record({ do: fc.constant('move incident'), incident: which, to: when })],
  ['incidents', 30, fc.record({ do: fc.constant('move update'), incident: which, update: which, to: when })],
  ['incidents', 20, fc.record({ do: fc.constant('delete update'), incident: which, update: which })],
  ['incidents', 15, fc.record({ do: fc.constant('delete incident'), incident: which })],
  ['maintenances', 30, fc.record({ do: fc.constant('plan'), from: when, length, monitors: named })],
  ['maintenances', 15, fc.record({ do: fc.constant('move window'), maintenance: which, from: when, length })],
  ['maintenances', 10, fc.record({ do: fc.constant('move end'), maintenance: which, length })],
  [
    'maintenances',
    10,
    fc.record({ do: fc.constant('change monitors'), maintenance: which, monitors: named }),
  ],
  [
    'maintenances',
    15,
    fc.record({
      do: fc.constant('close'),
      maintenance: which,
      as: fc.constantFrom('completed', 'cancelled', null),
    }),
  ],
  ['maintenances', 25, fc.record({ do: fc.constant('delete maintenance'), maintenance: which })],
  [
    'reads',
    40,
    fc.record({
      do: fc.constant('read'),
      monitor,
      from: fc.integer({ min: -1, max: DAYS_BACK }),
      days: fc.integer({ min: 1, max: 5 }),
    }),
  ],
  ['reads', 60, fc.constant({ do: 'read all' })],
  ['reads', 20, fc.record({ do: fc.constant('forget'), what: fc.constantFrom(...FORGOTTEN) })],
];

const withKinds = (kinds: Kind[]): fc.Arbitrary<Operation[]> =>
  fc.array(
    fc.oneof(
      ...operations
        .filter(([kind]) => kinds.includes(kind))
        .map(([, weight, arbitrary]) => ({ weight, arbitrary })),
    ),
    { minLength: 6, maxLength: 15 },
  );

/** A sequence of 6 to 15 operations of all kinds, or mostly of one kind. */
export const sequences: fc.Arbitrary<Operation[]> = fc.oneof(
  withKinds(['creation', 'reports', 'incidents', 'maintenances', 'reads']),
  withKinds(['creation', 'reports', 'reads']),
  withKinds(['creation', 'incidents', 'reads']),
  withKinds(['creation', 'maintenances', 'reads']),
);
