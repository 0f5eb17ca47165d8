import { check, type Errors, type Labels } from '../errors-of-fields.js';
import { WORDS } from '../words.js';

/** Returns the items of a list, which lines, spaces or commas separate. */
export function itemsIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((item) => item !== ''))];
}

/** Adds the first wrong item to the error of each list. `lists`: what was written, by the name of the field. */
export function withItems<Dto extends object>(
  errors: Errors,
  lists: Readonly<Record<string, string>>,
  dto: new () => Dto,
  labels: Labels,
): Errors {
  const isWrong = (name: string) => (item: string) =>
    check(dto, { [name]: [item] }, labels).errors?.[name] !== undefined;
  const named = Object.entries(lists).flatMap(([name, text]) => {
    const [error, item] = [errors[name], itemsIn(text).find(isWrong(name))];
    return error === undefined || item === undefined
      ? []
      : [[name, WORDS.page.access.at_item(error, item)] as const];
  });
  return { ...errors, ...Object.fromEntries(named) };
}
