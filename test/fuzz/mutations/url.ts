import { nastyText } from '../nasty.js';
import { type Change, parametersOf } from './change.js';

const percent = [
  '%',
  '%0',
  '%00',
  '%C0%AF',
  '%ED%A0%80',
  '%FF',
  '%zz',
  '%2F',
  '%2e%2e',
  '%0d%0a',
  '%5c',
  ';x',
  '%F0%9F%9A%80',
];
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Changes of the query. */
export const QUERY: Change[] = [
  (draft, { choose }) =>
    draft.query.push([
      encoded(choose.from(nastyText).slice(0, 3_000)),
      encoded(choose.from(nastyText).slice(0, 3_000)),
    ]),
  (draft, { choose }) =>
    draft.query.push([
      choose.one([
        '__proto__',
        'constructor',
        'a[b]',
        'limit[]',
        'limit[gt]',
        '',
        'access_token',
        'project_id[]',
        'fields',
        'sort',
        '_method',
        'callback',
      ]),
      '1',
    ]),
  (draft) => draft.query.push(...draft.query),
  (draft, { choose }) => {
    const { parameters } = draft.operation;
    const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    const name = choose.one(names.length > 0 ? names : ['limit']);
    draft.query = [
      ...draft.query.filter(([one]) => one !== name),
      [name, encoded(choose.from(nastyText).slice(0, 3_000))],
    ];
  },
  (draft, { choose }) => draft.query.push(['x', choose.one(percent)]),
  (draft, { choose }) => (draft.query = draft.query.slice(1, choose.integer(1, 3))),
  (draft, { choose, foreign, known }) => {
    const cursors = [...foreign.cursors(), ...known.cursors()];
    const cursor = choose.one([...cursors, 'AA', 'x'.repeat(99), '-_-_']);
    const at = choose.integer(0, cursor.length - 1);
    const mangled = choose.chance(50)
      ? cursor
      : cursor.slice(0, at) + choose.one([...'AZaz09_-']) + cursor.slice(at + 1);
    draft.query = [...draft.query.filter(([name]) => name !== 'cursor'), ['cursor', mangled]];
  },
];

/** Changes of the path. */
export const PATH: Change[] = [
  (draft, { choose }) => {
    const place = choose.one([...parametersOf(draft), draft.segments.length - 1]);
    draft.segments[place] = encoded(choose.from(nastyText).slice(0, 3_000));
  },
  (draft, { choose }) => {
    const place = choose.one([...parametersOf(draft), draft.segments.length - 1]);
    draft.segments[place] += choose.one(percent);
  },
  (draft, { choose }) => {
    const place = choose.integer(1, draft.segments.length - 1);
    draft.segments[place] = choose.chance(50)
      ? (draft.segments[place] ?? '').toUpperCase()
      : `${draft.segments[place]}.json`;
  },
  (draft, { choose }) =>
    draft.segments.splice(
      choose.integer(1, draft.segments.length),
      0,
      choose.one(['', '.', '..', '%2e%2e', '..;', '%2F', '\\']),
    ),
  (draft) => draft.segments.push(''),
  (draft) => (draft.segments[0] = 'http://127.0.0.1:1'),
];
