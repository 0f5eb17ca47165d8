import { randomInt } from 'node:crypto';
import { configureGlobal } from 'fast-check';

/**
 * The seed of generated input: the same in every run, so that a change is judged by the same input as the one before it.
 * `SEED=random` or a number looks for more.
 */
export const SEED = process.env['SEED'] === 'random' ? randomInt(2 ** 31) : Number(process.env['SEED'] ?? 1);

configureGlobal({ seed: SEED });
