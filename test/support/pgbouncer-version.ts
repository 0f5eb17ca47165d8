import { execFileSync } from 'node:child_process';

const version = (() => {
  try {
    return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  } catch {
    return '';
  }
})();

/** Whether `pgbouncer` is installed. */
export const hasPgBouncer = version !== '';

/** Whether it supports prepared statements in transaction mode, as since 1.21. */
export const preparesStatements = hasPgBouncer && !/ 1\.(1?\d|20)\./.test(version);
