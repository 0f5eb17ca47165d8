// For `node --import`: a clock that jumps. SIGUSR2 sets it ahead of the real time by the seconds in CLOCK_FILE.
import { readFileSync, writeFileSync } from 'node:fs';

const RealDate = Date;
let ahead = 0;
const now = () => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

process.on('SIGUSR2', () => {
  const { CLOCK_FILE } = process.env;
  const seconds = readFileSync(CLOCK_FILE, 'utf8');
  ahead = Number(seconds) * 1_000;
  writeFileSync(`${CLOCK_FILE}.set`, seconds);
});
