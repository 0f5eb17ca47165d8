import { describe, expect, it } from 'vitest';
import { type Dates, datesOf } from '../../src/page-model/dates.js';

const NOW = new Date('2026-11-25T22:30:00.000Z');
const at = (time: string) => new Date(`${time}Z`);
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ');
const dates = (language: string, zone = 'UTC', now = NOW) => datesOf(language, zone, now);

/** Texts of each language: a time, a period of a day, a period over midnight, durations, distances, days, a month. */
const TEXTS: Record<string, string[]> = {
  en: [
    '25 Nov, 15:20 EST',
    '25 Nov, 15:20–17:20 EST',
    '25 Nov, 15:20 – 26 Nov, 01:10 EST',
    '31 Dec 2025, 02:00 EST',
    '40 s | 1 min | 19 min | 1 h | 1 h 30 min | 2 d 2 h',
    'now | 1 minute ago | 12 minutes ago | 2 hours ago | 1 day ago | in 3 hours',
    '25 November | 20 – 24 November',
    'November 2026',
  ],
  de: [
    '25. Nov., 15:20 GMT-5',
    '25. Nov., 15:20–17:20 GMT-5',
    '25. Nov., 15:20 – 26. Nov., 01:10 GMT-5',
    '31. Dez. 2025, 02:00 GMT-5',
    '40 Sek. | 1 Min. | 19 Min. | 1 Std. | 1 Std. 30 Min. | 2 Tg. 2 Std.',
    'jetzt | vor 1 Minute | vor 12 Minuten | vor 2 Stunden | vor 1 Tag | in 3 Stunden',
    '25. November | 20.–24. November',
    'November 2026',
  ],
  fr: [
    '25 nov., 15:20 UTC−5',
    '25 nov., 15:20–17:20 UTC−5',
    '25 nov., 15:20 – 26 nov., 01:10 UTC−5',
    '31 déc. 2025, 02:00 UTC−5',
    '40 s | 1 min | 19 min | 1 h | 1 h 30 min | 2 j 2 h',
    'maintenant | il y a 1 minute | il y a 12 minutes | il y a 2 heures | il y a 1 jour | dans 3 heures',
    '25 novembre | 20–24 novembre',
    'novembre 2026',
  ],
  es: [
    '25 nov, 15:20 GMT-5',
    '25 nov, 15:20–17:20 GMT-5',
    '25 nov, 15:20 – 26 nov, 01:10 GMT-5',
    '31 dic 2025, 02:00 GMT-5',
    '40 s | 1 min | 19 min | 1 h | 1 h 30 min | 2 d 2 h',
    'ahora | hace 1 minuto | hace 12 minutos | hace 2 horas | hace 1 día | dentro de 3 horas',
    '25 de noviembre | 20–24 de noviembre',
    'noviembre de 2026',
  ],
  pt: [
    '25 de nov., 15:20 GMT-5',
    '25 de nov., 15:20–17:20 GMT-5',
    '25 de nov., 15:20 – 26 de nov., 01:10 GMT-5',
    '31 de dez. de 2025, 02:00 GMT-5',
    '40 s | 1 min | 19 min | 1 h | 1 h 30 min | 2 dias 2 h',
    'agora | há 1 minuto | há 12 minutos | há 2 horas | há 1 dia | em 3 horas',
    '25 de novembro | 20 – 24 de novembro',
    'novembro de 2026',
  ],
  it: [
    '25 nov, 15:20 GMT-5',
    '25 nov, 15:20–17:20 GMT-5',
    '25 nov, 15:20 – 26 nov, 01:10 GMT-5',
    '31 dic 2025, 02:00 GMT-5',
    '40 s | 1 min | 19 min | 1 h | 1 h 30 min | 2 giorni 2 h',
    'ora | 1 minuto fa | 12 minuti fa | 2 ore fa | 1 giorno fa | tra 3 ore',
    '25 novembre | 20–24 novembre',
    'novembre 2026',
  ],
  nl: [
    '25 nov, 15:20 EST',
    '25 nov, 15:20–17:20 EST',
    '25 nov, 15:20 – 26 nov, 01:10 EST',
    '31 dec 2025, 02:00 EST',
    '40 sec | 1 min | 19 min | 1 uur | 1 uur 30 min | 2 dagen 2 uur',
    'nu | 1 minuut geleden | 12 minuten geleden | 2 uur geleden | 1 dag geleden | over 3 uur',
    '25 november | 20–24 november',
    'november 2026',
  ],
  pl: [
    '25 lis, 15:20 GMT-5',
    '25 lis, 15:20–17:20 GMT-5',
    '25 lis, 15:20 – 26 lis, 01:10 GMT-5',
    '31 gru 2025, 02:00 GMT-5',
    '40 sek. | 1 min | 19 min | 1 godz. | 1 godz. 30 min | 2 dni 2 godz.',
    'teraz | 1 minutę temu | 12 minut temu | 2 godziny temu | 1 dzień temu | za 3 godziny',
    '25 listopada | 20–24 listopada',
    'listopad 2026',
  ],
  ja: [
    '11月25日 15:20 GMT-5',
    '11月25日 15:20–17:20 GMT-5',
    '11月25日 15:20 – 11月26日 01:10 GMT-5',
    '2025年12月31日 02:00 GMT-5',
    '40 秒 | 1 分 | 19 分 | 1 時間 | 1 時間 30 分 | 2 日 2 時間',
    '今 | 1 分前 | 12 分前 | 2 時間前 | 1 日前 | 3 時間後',
    '11月25日 | 11/20～11/24',
    '2026年11月',
  ],
  zh: [
    '11月25日 15:20 GMT-5',
    '11月25日 15:20–17:20 GMT-5',
    '11月25日 15:20 – 11月26日 01:10 GMT-5',
    '2025年12月31日 02:00 GMT-5',
    '40秒 | 1分钟 | 19分钟 | 1小时 | 1小时 30分钟 | 2天 2小时',
    '现在 | 1分钟前 | 12分钟前 | 2小时前 | 1天前 | 3小时后',
    '11月25日 | 11/20 – 11/24',
    '2026年11月',
  ],
};

describe('dates', () => {
  it.each(Object.entries(TEXTS))('use the formats of the language %s', (language, expected) => {
    const { time, period, duration, relative, days, month } = dates(language, 'America/New_York');
    const start = at('2026-11-25T20:20');
    const durations = [40, 60, 1_199, 3_600, 5_400, 180_000].map(duration);
    const distances = [0, -1, -12, -125, -1_500, 180].map((minutes) =>
      relative(new Date(NOW.getTime() + minutes * 60_000)),
    );
    const texts = [
      time(start),
      period(start, at('2026-11-25T22:20')),
      period(start, at('2026-11-26T06:10')),
      time(at('2025-12-31T07:00')),
      durations.join(' | '),
      distances.join(' | '),
      `${days('2026-11-25', '2026-11-25')} | ${days('2026-11-20', '2026-11-24')}`,
      month('2026-11'),
    ];
    expect(texts.map(plain)).toEqual(expected);
  });

  const period = (zone: string, from: string, to: string, now = NOW) =>
    plain(dates('en', zone, now).period(at(from), at(to)));

  it('name both zones of a period in which the clock changes', () => {
    expect(period('Europe/Berlin', '2026-03-29T00:30', '2026-03-29T01:30')).toBe(
      '29 Mar, 01:30 CET – 29 Mar, 03:30 CEST',
    );
    expect(period('Europe/Berlin', '2026-10-25T00:30', '2026-10-25T01:30')).toBe(
      '25 Oct, 02:30 CEST – 25 Oct, 02:30 CET',
    );
    expect(period('America/New_York', '2026-03-08T06:30', '2026-03-08T07:30')).toBe(
      '8 Mar, 01:30 EST – 8 Mar, 03:30 EDT',
    );
    expect(period('America/New_York', '2026-11-01T05:30', '2026-11-01T06:30')).toBe(
      '1 Nov, 01:30 EDT – 1 Nov, 01:30 EST',
    );
  });

  it('use the days of the time zone', () => {
    const { dayOf, time } = dates('en', 'Asia/Kolkata');
    expect(dayOf(at('2026-11-25T18:29:59'))).toBe('2026-11-25');
    expect(dayOf(at('2026-11-25T18:30'))).toBe('2026-11-26');
    expect(plain(time(at('2026-11-25T18:30')))).toBe('26 Nov, 00:00 IST');
    expect(dates('en', 'America/New_York').dayOf(at('2026-11-25T04:59'))).toBe('2026-11-24');
    expect(period('Asia/Kolkata', '2026-11-25T18:00', '2026-11-25T18:45')).toBe(
      '25 Nov, 23:30 – 26 Nov, 00:15 IST',
    );
  });

  it('contain the year only if it is not the current year in the time zone', () => {
    const newYear = at('2027-01-01T04:59');
    const time = (zone: string, of: string, now: Date) => plain(dates('en', zone, now).time(at(of)));
    expect(time('America/New_York', '2026-12-31T12:00', newYear)).toBe('31 Dec, 07:00 EST');
    expect(time('UTC', '2026-12-31T12:00', newYear)).toBe('31 Dec 2026, 12:00 UTC');
    expect(period('UTC', '2026-12-31T23:40', '2027-01-01T01:10', newYear)).toBe(
      '31 Dec 2026, 23:40 – 1 Jan, 01:10 UTC',
    );
    expect(plain(dates('en').days('2025-12-30', '2026-01-02'))).toBe('30 December 2025 – 2 January 2026');
  });

  it('do not depend on the current time in feeds', () => {
    for (const now of [NOW, at('2031-01-01T00:00')])
      expect(plain(dates('en', 'UTC', now).fullTime(at('2026-11-25T15:20')))).toBe('25 Nov 2026, 15:20 UTC');
  });

  it('contain no relative form for 48 hours and more', () => {
    const { relative } = dates('en');
    const after = (ms: number) => relative(new Date(NOW.getTime() + ms));
    expect([after(172_799_999), after(-172_799_999)]).toEqual(['in 1 day', '1 day ago']);
    expect([after(172_800_000), after(-172_800_000)]).toEqual([null, null]);
    expect([after(59_999), after(-59_999)]).toEqual(['now', 'now']);
  });

  it('can end a line only at the dash of a period', () => {
    for (const language of Object.keys(TEXTS))
      expect(dates(language).period(at('2026-11-25T20:20'), at('2026-11-26T20:20'))).toMatch(
        /^[^ ]+ – [^ ]+$/,
      );
  });

  it('describe days in UTC as periods of the time zone of the page', () => {
    const daysIn = (zone: string, from: string, to = from) => plain(dates('en', zone).daysInUtc(from, to));
    for (const zone of ['UTC', 'Etc/UTC']) expect(daysIn(zone, '2026-11-24')).toBe('24 Nov 2026');
    expect(daysIn('UTC', '2026-11-20', '2026-11-24')).toBe('20 – 24 Nov 2026');
    expect(daysIn('Australia/Sydney', '2026-11-24')).toBe('24 Nov, 11:00 – 25 Nov, 11:00 AEDT');
    expect(daysIn('Australia/Sydney', '2026-10-03')).toBe('3 Oct, 10:00 AEST – 4 Oct, 11:00 AEDT');
    expect(daysIn('America/New_York', '2026-11-20', '2026-11-24')).toBe('19 Nov, 19:00 – 24 Nov, 19:00 EST');
    expect(daysIn('Europe/London', '2025-11-24')).toBe('24 Nov 2025, 00:00 – 25 Nov 2025, 00:00 GMT');
  });

  it('name the month of a time in the time zone of the page', () => {
    const end = at('2026-11-30T14:00:00');
    expect(dates('en').monthOf(end)).toBe('2026-11');
    expect(dates('en', 'Australia/Sydney').monthOf(end)).toBe('2026-12');
  });

  it('name the time zone', () => {
    expect(dates('en').zone).toBe('UTC');
    expect(dates('en', 'America/New_York').zone).toBe('Eastern Time');
    expect(dates('de', 'Europe/Berlin').zone).toBe('Mitteleuropäische Zeit');
  });

  it('reuse their formatters', () => {
    const create = () => {
      const begin = performance.now();
      const made: Dates[] = [];
      for (let number = 0; number < 1_000; number++) made.push(dates('en', 'Asia/Tokyo'));
      return (performance.now() - begin) / made.length;
    };
    create();
    expect(create()).toBeLessThan(0.1); // milliseconds; creating formatters takes several
  });
});
