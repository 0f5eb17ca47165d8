import type { Translation } from '../en/page.js';
import { countDaysIn, countIn, percentIn } from '../numbers.js';
import { GATE_PL } from './gate.js';
import { SUBSCRIPTION_PL } from './subscription.js';

const count = countIn('pl');
const percent = percentIn('pl');
const inLastDays = (days: number) =>
  count(days, {
    one: ' w ciągu ostatniego dnia',
    few: ' w ciągu ostatnich # dni',
    many: ' w ciągu ostatnich # dni',
    other: ' w ciągu ostatnich # dnia',
  });
const countDays = countDaysIn(', ', {
  problems: (days) =>
    count(days, {
      one: '# dzień z problemami',
      few: '# dni z problemami',
      many: '# dni z problemami',
      other: '# dnia z problemami',
    }),
  maintenance: (days) =>
    count(days, {
      one: '# dzień z pracami serwisowymi',
      few: '# dni z pracami serwisowymi',
      many: '# dni z pracami serwisowymi',
      other: '# dnia z pracami serwisowymi',
    }),
});

/** Polish words. */
export const PL: Translation = {
  language: 'pl',
  direction: 'ltr',
  comma: ', ',
  space: ' ',
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
    some_degraded: 'Niektóre systemy mają obniżoną wydajność',
    all_degraded: 'Wszystkie systemy mają obniżoną wydajność',
    partial_outage: 'Częściowa awaria',
    major_outage: 'Poważna awaria',
    maintenance: 'Trwają prace serwisowe',
    some_unknown: 'Niektóre systemy nie przesyłają danych',
    all_unknown: 'Żaden system nie przesyła danych',
    no_monitors: 'Brak systemów na tej stronie',
    open_incidents: (number) =>
      count(number, {
        one: '# otwarty incydent',
        few: '# otwarte incydenty',
        many: '# otwartych incydentów',
        other: '# otwartego incydentu',
      }),
  },
  wrong: {
    major_outage: '{names}: awaria.',
    partial_outage: '{names}: częściowa awaria.',
    degraded_performance: '{names}: obniżona wydajność.',
    unknown: '{names}: brak danych.',
    under_maintenance: '{names}: prace serwisowe.',
  },
  others: (number) => `jeszcze ${number}`,
  systems: (number) =>
    count(number, { one: '# system', few: '# systemy', many: '# systemów', other: '# systemu' }),
  others_operational: (number) =>
    count(number, {
      one: 'Pozostały # system działa prawidłowo.',
      few: 'Pozostałe # systemy działają prawidłowo.',
      many: 'Pozostałych # systemów działa prawidłowo.',
      other: 'Pozostałe # systemu działa prawidłowo.',
    }),
  all_operational: 'Wszystkie systemy działają prawidłowo.',
  no_monitors_text:
    'Na tej stronie nie ma jeszcze żadnych systemów. Incydenty i prace serwisowe są tu mimo to ogłaszane.',
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
  last_updated: (time) => `Ostatnia aktualizacja: ${time}`,
  reload: 'Odśwież',
  out_of_date: 'Ta strona może być nieaktualna.',
  overview: 'Wszystkie systemy',
  details: 'Szczegóły',

  open_incidents: 'Otwarte incydenty',
  maintenance_now: 'Trwające prace serwisowe',
  planned: 'Planowane prace serwisowe',
  past: 'Wcześniejsze incydenty i prace serwisowe',
  nothing_past: 'Brak incydentów i prac serwisowych w ciągu ostatnich 14 dni.',
  nothing_else_past: 'Brak innych incydentów i prac serwisowych w ciągu ostatnich 14 dni.',
  history: 'Historia',
  full_history: 'Historia incydentów i prac serwisowych',
  no_incidents_on: (days) => `${days}: brak zgłoszonych incydentów`,
  days_in_zone: (zone) => `Strefa czasowa: ${zone}`,
  more_updates: 'Wszystkie aktualizacje',
  affects: 'Dotyczy:',
  affected: 'Dotyczyło:',
  since: (time) => `Od ${time}`,
  updates: 'Aktualizacje',
  earlier_updates: (number) =>
    count(number, {
      one: '# wcześniejsza aktualizacja',
      few: '# wcześniejsze aktualizacje',
      many: '# wcześniejszych aktualizacji',
      other: '# wcześniejszej aktualizacji',
    }),
  all_updates: (number) => `Wszystkie aktualizacje (${number})`,
  postmortem: 'Raport po incydencie',

  not_operational: (number, total) => `${number} z ${total} nie działa prawidłowo`,
  no_systems: 'Brak systemów w tej sekcji.',
  percent,
  uptime: (value) => `${percent(value)} dostępności`,
  uptime_in: (uptime, days) => `${uptime}${inLastDays(days)}`,
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
  status_for: (status, duration, isFirst) =>
    `${isFirst ? PL.status[status] : PL.status_in_text[status]} ${duration}`,
  day_counts: (problems, maintenance) => countDays(problems, maintenance) || 'Dni bez danych',
  bars: (days, uptime, problems, maintenance) =>
    uptime === PL.status.unknown
      ? `${PL.last_days(days)}: brak danych`
      : `${PL.last_days(days)}: ${uptime}, ${countDays(problems, maintenance, 'bez problemów')}`,
  not_monitored: 'Jeszcze niemonitorowane',
  days_of: (name) => `${name}: dni z problemami`,
  day: 'Dzień (UTC)',
  what: 'Stan',
  all_day: 'cały dzień',
  every_day: (days) => `Wszystkie dni (${days})`,
  total: 'Razem',
  share: 'Czas trwania',
  response_times: 'Czasy odpowiedzi',
  median: 'Mediana',
  p95: '95. percentyl',
  status_column: 'Stan',
  uptime_counts:
    'Dostępność: częściowe awarie liczą się w 30%, obniżona wydajność i prace serwisowe się nie liczą.',
  always_operational: (days) =>
    count(days, {
      one: 'Brak problemów w ciągu ostatniego dnia.',
      few: 'Brak problemów w ciągu ostatnich # dni.',
      many: 'Brak problemów w ciągu ostatnich # dni.',
      other: 'Brak problemów w ciągu ostatnich # dnia.',
    }),

  nothing_in_month: 'Brak incydentów i prac serwisowych w tym miesiącu.',
  months_navigation: 'Miesiące',
  previous: (month) => `Wcześniej: ${month}`,
  next: (month) => `Później: ${month}`,

  header_navigation: 'Odnośniki w nagłówku',
  footer_navigation: 'Odnośniki w stopce',
  website: 'Przejdź do witryny',
  support: 'Pomoc techniczna',
  subscribe: 'Subskrybuj',
  languages_navigation: 'Język',
  subscribe_title: 'Subskrybuj aktualizacje',
  feeds: { rss: 'RSS', atom: 'Atom', json: 'JSON Feed' },
  feeds_text: 'Każda aktualizacja incydentu lub prac serwisowych – w czytniku kanałów albo w komunikatorze.',
  calendar: 'Kalendarz prac serwisowych',
  calendar_text: 'Prace serwisowe w aplikacji kalendarza.',
  powered_by: 'Działa na Status Pages',
  subscription: SUBSCRIPTION_PL,
  gate: GATE_PL,
};
