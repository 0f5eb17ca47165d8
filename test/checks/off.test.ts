import { describe, expect, it } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { useTestServer } from '../support/server.js';

describe('CHECKS', () => {
  const on = useTestServer();
  const off = useTestServer({ CHECKS: 'off' });
  const tasksOf = ({ app }: typeof on): string[] =>
    app.get(PeriodicTasks, { strict: false }).all.map(({ name }) => name);

  it('runs checks by default, and excludes the process if it is off', () => {
    expect([tasksOf(on).includes('checks'), tasksOf(off).includes('checks')]).toEqual([true, false]);
    expect(tasksOf(off)).toContain('response times');
  });
});
