const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Maximum distance of a time from now for which it is also given in relative form, in milliseconds. */
const RELATIVE_MS = 2 * DAY_MS;

/** Maximum number of pairs of a language and a time zone whose formatters are kept. One pair takes about 300 kB. */
const MAX_FORMATTERS = 30;

/** Locales of English. Each has short names only of the time zones of its countries. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN'] as const;

/** Symbols of the SI. The short units of `Intl` are longer in English: `2 hrs`. */
const ENGLISH_UNITS: Readonly<Record<string, string>> = { day: 'd', hour: 'h', minute: 'min', second: 's' };

/** Dates, times and durations in the language and the time zone of a page. The script of the page has the same formats. */
export interface Dates {
  /** Current time: the time of the page's snapshot. */
  now: Date;
  /** Formats a day in UTC, `2026-11-18`, as `18 Nov 2026`, or the days until another one as `18–20 Nov 2026`. */
  day(day: string, last?: string): string;
  /**
   * Formats a day in UTC, or the days until another one, in the time zone of the page: as {@link day} in UTC, and as the period
   * `24 Nov, 11:00 – 25 Nov, 11:00 AEDT` in another zone.
   */
  daysInUtc(day: string, last: string): string;
  /** Formats the first and last of several days, `2026-11-20` and `2026-11-24`, as `20 – 24 November`. */
  days(from: string, to: string): string;
  /** Formats a month, `2026-11`, as `November 2026`. */
  month(month: string): string;
  /** Formats a time as `25 Nov, 15:20 EST`, with the year if it is not the current year. */
  time(time: Date): string;
  /** Formats a time as `25 Nov 2026, 15:20 EST`. Independent of the current time, for feeds. */
  fullTime(time: Date): string;
  /**
   * Formats a period as `25 Nov, 15:20–17:20 EST` or `25 Nov, 23:40 – 26 Nov, 01:10 EST`. If the clock changes in between, both
   * times name the zone. Its only spaces at which a line can end are around the dash.
   */
  period(from: Date, to: Date): string;
  /** Formats a time less than 48 hours from now as `12 minutes ago` or `in 3 hours`, rounded down; otherwise returns null. */
  relative(time: Date): string | null;
  /** Formats a number of seconds: `40 s`, `19 min`, `1 h 6 min`, `3 d 2 h`. The smaller part is rounded down. */
  duration(seconds: number): string;
  /** Returns the day of a time in the time zone of the page, as `2026-11-18`. */
  dayOf(time: Date): string;
  /** Returns the month of a time in the time zone of the page, as `2026-11`. */
  monthOf(time: Date): string;
  /** Name of the time zone: `Eastern Time`, `UTC`. */
  zone: string;
  /** IANA name of the time zone; `UTC` for all of its names. */
  timeZone: string;
}

/** Formatters of a language and a time zone. */
type Formatters = ReturnType<typeof createFormatters>;

/** Formatters by language and time zone, least recently created first. Creating them takes several milliseconds. */
const cached = new Map<string, Formatters>();

/**
 * Returns the dates of a page.
 * @param language BCP 47
 * @param timeZone IANA name
 */
export function datesOf(language: string, timeZone: string, now: Date): Dates {
  const formats = formattersOf(language, timeZone);
  const { iso, clock } = formats;
  const days = new Map<string, string>(); // tables name each day many times
  const year = iso.format(now).slice(0, 4);
  const isThisYear = (time: Date) => iso.format(time).startsWith(year);
  const withoutZone = (time: Date) => (isThisYear(time) ? formats.time : formats.timeOfYear).format(time);
  const time = (at: Date) => `${withoutZone(at)} ${zoneAt(at, formats)}`;
  const period = (from: Date, to: Date) => {
    const [zone, endZone] = [zoneAt(from, formats), zoneAt(to, formats)];
    const end = unbroken(`${withoutZone(to)} ${endZone}`);
    if (zone !== endZone) return `${unbroken(`${withoutZone(from)} ${zone}`)} – ${end}`;
    if (iso.format(from) !== iso.format(to)) return `${unbroken(withoutZone(from))} – ${end}`;
    return unbroken(`${withoutZone(from)}–${clock.format(to)} ${endZone}`);
  };
  const day = (from: string, to = from) =>
    from === to
      ? formats.day.format(midnightOf(from))
      : formats.day.formatRange(midnightOf(from), midnightOf(to));
  const isUtc = formats.zoneName === 'UTC';
  return {
    now,
    day,
    daysInUtc: (from, to) => {
      const key = `${from} ${to}`;
      const found = days.get(key);
      if (found !== undefined) return found;
      const end = new Date(midnightOf(to).getTime() + DAY_MS);
      const text = isUtc ? day(from, to) : period(midnightOf(from), end);
      days.set(key, text);
      return text;
    },
    days: (from, to) => {
      const format = from.startsWith(year) && to.startsWith(year) ? formats.days : formats.daysOfYear;
      return from === to
        ? format.format(midnightOf(from))
        : format.formatRange(midnightOf(from), midnightOf(to));
    },
    month: (month) => formats.month.format(midnightOf(`${month}-01`)),
    time,
    fullTime: (at) => `${formats.timeOfYear.format(at)} ${zoneAt(at, formats)}`,
    period,
    relative: (at) => relativeTo(now, at, formats),
    duration: (seconds) => durationOf(seconds, formats),
    dayOf: (at) => iso.format(at),
    monthOf: (at) => iso.format(at).slice(0, 7),
    zone: formats.zoneName,
    timeZone: isUtc ? 'UTC' : timeZone,
  };
}

function formattersOf(language: string, timeZone: string): Formatters {
  const key = `${language} ${timeZone}`;
  const found = cached.get(key);
  if (found) return found;
  const [oldest] = cached.keys();
  if (cached.size >= MAX_FORMATTERS && oldest !== undefined) cached.delete(oldest);
  const created = createFormatters(language, timeZone);
  cached.set(key, created);
  return created;
}

function createFormatters(language: string, timeZone: string) {
  const isEnglish = language === 'en';
  const locale = isEnglish ? 'en-GB' : language; // day before month, and 24 hours
  const of = (options: Intl.DateTimeFormatOptions, zone = timeZone, locales = locale) =>
    new Intl.DateTimeFormat(locales, { ...options, timeZone: zone });
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const shortDay = { day: 'numeric', month: 'short' } as const;
  const longDay = { day: 'numeric', month: 'long' } as const;
  const year = { year: 'numeric' } as const;
  const unit = (name: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' });
  const units = isEnglish
    ? undefined
    : { day: unit('day'), hour: unit('hour'), minute: unit('minute'), second: unit('second') };
  return {
    day: of({ ...shortDay, ...year }, 'UTC'),
    days: of(longDay, 'UTC'),
    daysOfYear: of({ ...longDay, ...year }, 'UTC'),
    month: of({ month: 'long', ...year }, 'UTC'),
    time: of({ ...shortDay, ...clock }),
    timeOfYear: of({ ...shortDay, ...year, ...clock }),
    clock: of(clock),
    iso: of({ dateStyle: 'short' }, timeZone, 'sv'), // 2026-11-25
    zone: of({ timeZoneName: 'short' }, timeZone, localeOfZone(isEnglish ? ENGLISH : [locale], timeZone)),
    zoneName: ['UTC', 'Etc/UTC'].includes(timeZone)
      ? 'UTC'
      : nameIn(of({ timeZoneName: 'longGeneric' }), new Date()),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }),
    numberedRelative: new Intl.RelativeTimeFormat(locale),
    unit: (name: 'day' | 'hour' | 'minute' | 'second', number: number) =>
      units ? units[name].format(number) : `${number} ${ENGLISH_UNITS[name] ?? name}`,
  };
}

/** Returns the short name of the time zone at a time: `EST`, or `GMT-3` if the language has no name. */
function zoneAt(time: Date, { zone }: Formatters): string {
  return nameIn(zone, time);
}

/** Returns the first locale that has names for the time zone in winter and in summer. */
function localeOfZone(locales: readonly string[], timeZone: string): string | undefined {
  const hasName = (locale: string) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
    return [0, 6].every((month) => !/\d/.test(nameIn(format, new Date(Date.UTC(2026, month)))));
  };
  return locales.find(hasName) ?? locales[0];
}

function nameIn(format: Intl.DateTimeFormat, time: Date): string {
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function relativeTo(now: Date, time: Date, { relative, numberedRelative }: Formatters): string | null {
  const difference = time.getTime() - now.getTime();
  const distance = Math.abs(difference);
  if (distance >= RELATIVE_MS) return null;
  if (distance < MINUTE_MS) return relative.format(0, 'second');
  const [size, unit] =
    distance < HOUR_MS
      ? ([MINUTE_MS, 'minute'] as const)
      : distance < DAY_MS
        ? ([HOUR_MS, 'hour'] as const)
        : ([DAY_MS, 'day'] as const);
  return numberedRelative.format(Math.trunc(difference / size), unit);
}

function durationOf(seconds: number, { unit }: Formatters): string {
  const [days, hours, minutes] = [
    Math.floor((seconds * SECOND_MS) / DAY_MS),
    Math.floor((seconds * SECOND_MS) / HOUR_MS),
    Math.floor((seconds * SECOND_MS) / MINUTE_MS),
  ];
  if (minutes === 0) return unit('second', Math.floor(seconds));
  if (hours === 0) return unit('minute', minutes);
  const two = (big: string, small: number, name: 'hour' | 'minute') =>
    small === 0 ? big : `${big} ${unit(name, small)}`;
  if (seconds <= 86_400) return two(unit('hour', hours), minutes % 60, 'minute');
  return two(unit('day', days), hours % 24, 'hour');
}

/** Replaces spaces by non-breaking ones. */
function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function midnightOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}
