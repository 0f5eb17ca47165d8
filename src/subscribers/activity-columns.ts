/**
 * Meaning of a column for its rows. `status`: its value is the status, such as `unsubscribed`. `required`: a value such as `true` or
 * a time means that the row is active. `excluding`: such a value means that it is not.
 */
type Meaning = 'status' | 'required' | 'excluding';

/** A column that describes whether its row is active. */
export interface ActivityColumn {
  index: number;
  meaning: Meaning;
}

const words = (text: string) => new Set(text.split(', '));

const STATUS = words('status, state, consent');
const REQUIRED = words('active, enabled, subscribed, confirmed, verified, activated');
const EXCLUDING = words(
  'unsubscribed, unsub, unsubscribe, inactive, disabled, deactivated, paused, unconfirmed, unverified, pending, bounced, bounce, hard bounced, complained, complaint, suppressed, blocklisted, blacklisted, blocked, banned, opted out, opt out, optout, cleaned, clean, deleted, removed, quarantined',
);

/** Values of a status that allow mail. All others do not. */
const ACTIVE = words(
  'active, enabled, subscribed, confirmed, verified, activated, valid, ok, opted in, opt in, optin, granted, true, t, yes, y, 1, on',
);
/** Values of a flag or a time that mean no. */
const NO = words(', false, f, no, n, off, never, none, null, nil, n a');
/** `0`, and times of MySQL such as `0000-00-00`. */
const ZERO = /^[0 ]+$/;
const NOT_ZERO = /[1-9]/;

/** Words that tools put before and after the name: `subscriber_status`, `is_active`, `unsubscribed_at`, `UNSUB_TIME`. */
const AROUND =
  /^(?:(?:is|has|subscriber|subscription|contact|member|user|email|e mail) )+| (?:at|on|date|time)$/g;

/** Returns a name or a value in lower case, with single spaces instead of other characters. */
const plain = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the meaning of a column with this name, or null if it does not describe their activity. */
export function activityColumn(name: string): Meaning | null {
  const word = plain(name).replace(AROUND, '');
  if (STATUS.has(word)) return 'status';
  if (REQUIRED.has(word)) return 'required';
  return EXCLUDING.has(word) ? 'excluding' : null;
}

/** Returns whether no column excludes the row. An empty status has no meaning. */
export function isActive(cells: string[], columns: ActivityColumn[]): boolean {
  return columns.every(({ index, meaning }) => {
    const value = plain(cells[index] ?? '');
    if (meaning === 'status') return value === '' || ACTIVE.has(value);
    if (meaning === 'excluding') return NO.has(value) || ZERO.test(value);
    return ACTIVE.has(value) || NOT_ZERO.test(value); // a time
  });
}
