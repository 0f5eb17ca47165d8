import { relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { driveWaits, installClock, takeWaits } from './clock.js';
import { onPostgres } from './database.js';
import { isThorough } from './thorough.js';
import { WAITS } from './waits.js';

/*
 * Installs the clock of `clock.ts`, and counts the waits of a test file in real time. A file fails if it waits more often
 * than `waits.ts` lists. The number does not depend on the speed of the machine: a timer counts if the process was idle
 * for half of its time, so a slower machine can only have fewer.
 */
installClock();

const testPath = (): string => expect.getState().testPath ?? '';

beforeAll(() => {
  driveWaits(testPath().endsWith('.test.ts'));
  takeWaits();
});

afterAll(() => {
  const waits = takeWaits();
  // A process is also idle while PostgreSQL works.
  if (onPostgres || isThorough) return;
  const file = relative(process.cwd(), testPath());
  const { times } = WAITS[file] ?? { times: 0 };
  if (waits.length <= times) return;
  const found = waits.map((wait) => `${wait.ms} ms in ${wait.file}`);
  throw new Error(
    `${file} waited ${waits.length} times in real time, not at most ${times}. Drive time with passTime of ` +
      `test/support/clock.ts: ${found.join(', ')}`,
  );
});
