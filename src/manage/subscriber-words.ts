import type { SubscriberStatus } from '../subscribers/subscriber.entity.js';
import { count } from './texts.js';

const STATUS: Record<SubscriberStatus, string> = {
  pending: 'Not confirmed yet',
  active: 'Gets mail',
  suppressed: 'Gets no mail',
};

/** Words of the screens of subscribers. */
export const SUBSCRIBER_WORDS = {
  title: 'Subscribers',
  which: 'Subscribers belong to one page. Which one?',
  no_pages: 'There is no status page that you can see.',
  statuses: STATUS,
  none: 'No subscribers yet.',
  none_found: 'The page has no subscriber with exactly this address.',
  find: 'Find an address',
  find_hint: 'The whole address.',
  find_button: 'Find',
  all: 'Show all',
  since: (time: string) => `since ${time}`,
  add: 'Add a subscriber',
  email: 'Email address',
  confirmed: 'The owner of the address has agreed to get mail',
  confirmed_hint: 'Otherwise, the address gets a mail to confirm the subscription.',
  added: 'The subscriber is added.',
  removed: 'The subscriber is removed.',
  remove: 'Remove',
  remove_label: (email: string) => `Remove ${email}`,
  remove_title: (email: string) => `Remove ${email}?`,
  remove_text:
    'The address gets no more mail, and is erased. An import does not add it again. Its owner can subscribe again.',
  import: 'Import',
  import_title: 'Import subscribers',
  csv: 'Addresses',
  csv_hint:
    'Paste a CSV file. Its first line contains the names of the columns, at least “email”. Nothing is imported before you have seen the report. For more than about 20,000 addresses, use the command line.',
  csv_missing: 'Addresses is missing.',
  check: 'Check',
  check_hint: 'Nothing is imported yet.',
  all_confirmed: 'The owners of all addresses have agreed to get mail',
  report: 'Report',
  report_text: 'Nothing has been imported. This happens when you import.',
  faults: (number: number) =>
    `${count(number, 'line is wrong', 'lines are wrong')}. Nothing has been imported.`,
  fault: (line: number, detail: string) => `Line ${line} ${detail}`,
  more_faults: (number: number) => `${count(number, 'further line', 'further lines')}`,
  created: (number: number) => count(number, 'new subscriber', 'new subscribers'),
  existing: (number: number) => `${count(number, 'address', 'addresses')} that the page already has`,
  erased: (number: number) => `${count(number, 'address', 'addresses')} that were removed, and stay so`,
  repeated: (number: number) => `${count(number, 'repeated line', 'repeated lines')}`,
  not_active: (number: number) =>
    `${count(number, 'line', 'lines')} that the file describes as unsubscribed, unconfirmed or bounced`,
  other_types: (number: number) => `${count(number, 'line', 'lines')} of other kinds, such as SMS`,
  ignored: (names: string) => `Columns that are not read: ${names}`,
  get_mail: 'Each new one gets a mail to confirm the subscription.',
  no_mail: 'No mail is sent now.',
  imported: (number: string) => `Imported: ${number}.`,
  export: 'Export as CSV',
} as const;
