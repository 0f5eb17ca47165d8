import { expect, it } from 'vitest';
import { fromLocal, toLocal } from '../../src/manage/zoned-time.js';

it.each(['Europe/Berlin', 'UTC', 'America/New_York', 'Pacific/Kiritimati'])(
  'a time of a form in %s is the same in the form again, from 1900 to 2200',
  (zone) => {
    for (const text of ['1900-01-01T00:00', '2026-11-28T20:15', '2200-12-31T23:59']) {
      const time = fromLocal(text, zone);
      expect(time && toLocal(time, zone)).toBe(text);
    }
  },
);

it.each(['0000-01-01T00:00', '0999-06-01T12:00', '1000-01-01T00:00', '2201-01-01T00:00', '9999-12-31T12:00'])(
  'the time %s of a form is rejected',
  (text) => {
    for (const zone of ['Europe/Berlin', 'UTC', 'Pacific/Kiritimati'])
      expect(fromLocal(text, zone)).toBeUndefined();
  },
);
