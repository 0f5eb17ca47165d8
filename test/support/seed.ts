import { randomInt } from 'node:crypto';
import { configureGlobal } from 'fast-check';

/**
 * The seed of generated input. It is constant by default, so that every run uses the same input.
 * `SEED=random` or a number tests other input.
 */
export const SEED = process.env['SEED'] === 'random' ? randomInt(2 ** 31) : Number(process.env['SEED'] ?? 1);

configureGlobal({ seed: SEED });
