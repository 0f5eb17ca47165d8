import type { Words } from './en.js';
import { countIn, percentIn } from './numbers.js';

const count = countIn('pl');
const percent = percentIn('pl');

/** Polish words. */
export const PL: Words = {
  language: 'pl',
  direction: 'ltr',
  comma: ', ',
  in_parentheses: (text) => ` (${text})`,

  status: {
    operational: 'Działa prawidłowo',
    degraded_performance: 'Obniżona wydajność',
    partial_outage: 'Częściowa awaria',
    major_outage: 'Poważna awaria',
    under_maintenance: 'Prace serwisowe',
    unknown: 'Brak danych',
  },
  status_in_text: {
    operational: 'działa prawidłowo',
    degraded_performance: 'obniżona wydajność',
    partial_outage: 'częściowa awaria',
    major_outage: 'poważna awaria',
    under_maintenance: 'prace serwisowe',
    unknown: 'brak danych',
  },
  headline: {
    operational: 'Wszystkie systemy działają prawidłowo',
    degraded_performance: 'Niektóre systemy mają obniżoną wydajność',
    partial_outage: 'Częściowa awaria',
    major_outage: 'Poważna awaria',
    under_maintenance: 'Trwają prace serwisowe',
    unknown: 'Niektóre systemy nie przesyłają danych',
  },
  open_incident_count: (number) =>
    count(number, {
      one: '# otwarty incydent',
      few: '# otwarte incydenty',
      many: '# otwartych incydentów',
      other: '# otwartego incydentu',
    }),
  no_systems_on_page: 'Brak systemów na tej stronie',
  incident_status: {
    investigating: 'Badamy przyczynę',
    identified: 'Ustalono przyczynę',
    monitoring: 'Obserwujemy',
    resolved: 'Rozwiązano',
  },
  update_text: {
    investigating: 'Badamy przyczynę tego incydentu.',
    identified: 'Przyczyna została ustalona.',
    monitoring: 'Wdrożono poprawkę. Obserwujemy jej działanie.',
    resolved: 'Ten incydent został rozwiązany.',
  },
  impact: {
    minor: 'Niewielki wpływ',
    major: 'Poważny wpływ',
    critical: 'Krytyczny wpływ',
  },
  maintenance_status: {
    scheduled: 'Zaplanowano',
    in_progress: 'W toku',
    completed: 'Zakończono',
    cancelled: 'Odwołano',
  },

  feed: {
    title: (page) => `Stan usług: ${page}`,
    calendar: (page) => `Prace serwisowe: ${page}`,
    update: (status, incident) => `${status}: ${incident}`,
    maintenance: (title) => `Prace serwisowe: ${title}`,
    maintenance_update: (title) => `Aktualizacja prac serwisowych: ${title}`,
    updated_at: (time) => `Aktualizacja z ${time}:`,
    cancelled: (title) => `Odwołano: ${title}`,
    affected: (names) => `Dotyczy: ${names}`,
    planned: 'Planowany termin:',
    called_off: 'Te prace serwisowe zostały odwołane.',
  },

  title: (name, text) => `${text} · ${name}`,
  unnamed: 'Bez nazwy',
  skip: 'Przejdź do treści',
  last_updated: 'Ostatnia aktualizacja:',
  reload: 'Odśwież',
  out_of_date: 'Ta strona może być nieaktualna.',
  overview: 'Wszystkie systemy',
  details: 'Szczegóły',

  open_incidents: 'Otwarte incydenty',
  planned: 'Prace serwisowe',
  past: 'Wcześniejsze incydenty i prace serwisowe',
  nothing_past: 'Brak incydentów i prac serwisowych w ciągu ostatnich 14 dni.',
  nothing_else_past: 'Brak innych incydentów i prac serwisowych w ciągu ostatnich 14 dni.',
  history: 'Historia',
  full_history: 'Historia incydentów i prac serwisowych',
  affects: 'Dotyczy:',
  affected: 'Dotyczyło:',
  since: 'Od',
  updates: 'Aktualizacje',
  all_updates: (number) => `Wszystkie aktualizacje (${number})`,
  postmortem: 'Raport po incydencie',

  not_operational: (number, total) => `${number} z ${total} nie działa prawidłowo`,
  no_systems: 'Brak systemów w tej sekcji.',
  uptime: (value) => `${percent(value)} dostępności`,
  monitored_since: (day) => `Monitorowane od ${day}`,
  days_ago: (days) =>
    count(days, { one: '# dzień temu', few: '# dni temu', many: '# dni temu', other: '# dnia temu' }),
  today: 'Dzisiaj',
  last_days: (days) =>
    count(days, {
      one: 'Ostatni dzień',
      few: 'Ostatnie # dni',
      many: 'Ostatnie # dni',
      other: 'Ostatnie # dnia',
    }),
  in_last_days: (days) =>
    count(days, {
      one: ' w ciągu ostatniego dnia',
      few: ' w ciągu ostatnich # dni',
      many: ' w ciągu ostatnich # dni',
      other: ' w ciągu ostatnich # dnia',
    }),
  status_for: (status, duration, isFirst) =>
    `${isFirst ? PL.status[status] : PL.status_in_text[status]} ${duration}`,
  with_problems: (days) =>
    days === 0
      ? 'bez problemów'
      : count(days, {
          one: '# dzień z problemami',
          few: '# dni z problemami',
          many: '# dni z problemami',
          other: '# dnia z problemami',
        }),
  bars: (days, uptime, problems) =>
    uptime === PL.status.unknown
      ? `${PL.last_days(days)}: brak danych`
      : `${PL.last_days(days)}: ${uptime}, ${PL.with_problems(problems)}`,
  days_of: (name) => `${name}: dni z problemami`,
  day: 'Dzień (UTC)',
  what: 'Stan',
  all_day: 'cały dzień',
  every_day: (days) => `Wszystkie dni (${days})`,
  total: 'Razem',
  share: 'Czas trwania',
  status_column: 'Stan',
  days_in_utc: 'Dni zaczynają się i kończą o północy UTC.',
  always_operational: (days) =>
    count(days, {
      one: 'Brak problemów w ciągu ostatniego dnia.',
      few: 'Brak problemów w ciągu ostatnich # dni.',
      many: 'Brak problemów w ciągu ostatnich # dni.',
      other: 'Brak problemów w ciągu ostatnich # dnia.',
    }),

  nothing_in_month: 'Brak incydentów i prac serwisowych w tym miesiącu.',
  months_navigation: 'Miesiące',
  previous: 'Wcześniej',
  next: 'Później',
  to: '–',

  subscribe: 'Subskrybuj',
  footer_navigation: 'Odnośniki strony',
  languages_navigation: 'Język',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  calendar: 'Kalendarz prac serwisowych',
  powered_by: 'Działa na Status Pages',
};
