import { datesOf } from '../page-model/dates.js';

/** Returns a time in UTC as a date. @param at also as text, because `plain` parses only fields that end with `_at` */
export function dateOf(at: Date | string): string {
  return datesOf('en', 'UTC', new Date()).time(new Date(at));
}

/** Returns a time in UTC, relative to now if it is near. @param at also as text, because `plain` parses only fields that end with `_at` */
export function timeOf(at: Date | string): string {
  return datesOf('en', 'UTC', new Date()).relative(new Date(at)) ?? dateOf(at);
}
