/** Returns a number with its noun: `1 page`, `1,234 pages`. */
export const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
