import { Flag } from '../../platform/validation/fields.js';

const HOUR_MS = 3_600_000;

/** Whether subscribers and webhooks are notified of something new. */
export const NotifyOfNew = () =>
  Flag({
    optional: true,
    description:
      'Whether subscribers and webhooks are notified. Default: true, but false if it has been over for more than an hour. It is also the default of each later change.',
    example: true,
  });

/** Whether subscribers and webhooks are notified of a change. */
export const NotifyOfChange = () =>
  Flag({
    optional: true,
    description:
      'Whether subscribers and webhooks are notified of this change. Default: whether they have been notified before.',
    example: true,
  });

/**
 * Returns whether subscribers and webhooks are notified of something new.
 * @param sent the value in the request
 * @param end when it was over; undefined: it is not over
 */
export function isNotified(sent: boolean | undefined, end: Date | undefined): boolean {
  return sent ?? (end === undefined || end.getTime() >= Date.now() - HOUR_MS);
}
