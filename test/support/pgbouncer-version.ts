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

/** Whether it has prepared statements in transaction mode: from 1.21 on. */
export const preparesStatements = hasPgBouncer && !/ 1\.(1?\d|20)\./.test(version);
