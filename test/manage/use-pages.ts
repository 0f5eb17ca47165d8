import { randomUUID } from 'node:crypto';
import { type Fields, hiddenIn, type Person, type Shown } from './use-console.js';

/** Returns the error at a field, if there is one. */
export const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

/** Returns what is wrong with a form as a whole. */
export const summaryOf = ({ text }: Shown) => /<p class="notice" role="alert">([^<]*)<\/p>/.exec(text)?.[1];

/** Opens a screen and sends fields with the version of its first form. */
export async function save(by: Person, path: string, fields: Fields, to = path): Promise<Shown> {
  const { updated_at = '' } = hiddenIn(await by.get(path));
  return by.post(to, { updated_at, key: randomUUID(), ...fields });
}

/** Returns where a response leads. */
export const leadsTo = ({ status, headers }: Shown) => [status, headers.get('location')];
