import { Flag } from '../../platform/validation/fields.js';

const HOUR_MS = 3_600_000;

/**
 * Whether subscribers and webhooks are notified.
 * @param time the field that decides the default
 */
export const Notify = (time: string) =>
  Flag({
    optional: true,
    description: `Whether subscribers and webhooks are notified. Default: true, but false if \`${time}\` is more than an hour ago.`,
    example: true,
  });

/**
 * Returns whether they are notified.
 * @param sent the value in the request
 * @param time the time of what the request records; undefined: now
 */
export function isNotified(sent: boolean | undefined, time: Date | undefined): boolean {
  return sent ?? (time === undefined || time.getTime() >= Date.now() - HOUR_MS);
}
