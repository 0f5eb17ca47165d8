import { bodyOf, type Draft, dropHeader, setHeader } from './drafts.js';
import { BODY } from './mutations/body.js';
import type { Change, Hostile } from './mutations/change.js';
import { ACCESS, HEADERS } from './mutations/headers.js';
import { FOREIGN, unknownId, withId } from './mutations/ids.js';
import { PATH, QUERY } from './mutations/url.js';

const JSON_LIMIT = 256 * 1024;
const FILE_LIMIT = 5 * 1024 * 1024;
const tooLong = Buffer.alloc(FILE_LIMIT + 1, ' ');

/** A change that aims at a status. Another operation can be required for it. */
export const TARGETED: Record<number, Change> = {
  304: (draft) => setHeader(draft, 'If-None-Match', '*'),
  400: (draft) => draft.query.push(['unknown_parameter', '1']),
  401: (draft) => dropHeader(draft, 'Authorization'),
  403: (draft, { keys, choose }) => {
    const needed = draft.operation.scopes ?? [];
    const lacking = keys.narrow.filter(({ scopes }) => needed.some((scope) => !scopes.includes(scope)));
    if (lacking.length > 0) setHeader(draft, 'Authorization', `Bearer ${choose.one(lacking).key}`);
  },
  404: (draft, context) => {
    withId(draft, context, () => unknownId);
    if (!draft.operation.path.startsWith('/v1/')) draft.segments[draft.segments.length - 1] = 'no-such';
    draft.query = draft.query.map(([name, value]) =>
      name.endsWith('_id') ? [name, unknownId] : [name, value],
    );
    if (typeof draft.json === 'object' && draft.json !== null && 'project_id' in draft.json)
      draft.json = { ...draft.json, project_id: unknownId };
  },
  412: (draft) => setHeader(draft, 'If-Match', '"2000-01-01T00:00:00.000Z"'),
  413: (draft) => {
    if (!draft.operation.body) return;
    const isFile = !Object.keys(draft.operation.body?.schema ?? {}).includes('$ref');
    draft.body = tooLong.subarray(0, (isFile ? FILE_LIMIT : JSON_LIMIT) + 1);
  },
  415: (draft) => {
    if (!draft.operation.body) return;
    setHeader(draft, 'Content-Type', 'application/xml');
    // A picture is recognized by its content.
    const isPicture = draft.operation.body.schema.format === 'binary';
    draft.body = isPicture ? 'x' : (bodyOf(draft) ?? 'x');
  },
};

/** Changes a request in any way. */
export function mutate(draft: Draft, context: Hostile): void {
  const { choose } = context;
  const groups = [
    ...(draft.operation.body ? [BODY, BODY] : []),
    QUERY,
    PATH,
    HEADERS,
    ACCESS,
    FOREIGN,
    Object.values(TARGETED).filter((change) => change !== TARGETED[413] || choose.chance(20)),
  ];
  choose.one(choose.one(groups))(draft, context);
}
