import * as fc from 'fast-check';
import { bodyOf, dropHeader, placesIn, replacedAt, setHeader } from '../drafts.js';
import { nastyJson, nastyText, objectOf, oddJsonTexts } from '../nasty.js';
import type { Change } from './change.js';

const randomBytes = fc.uint8Array({ maxLength: 64 });

/** Changes of the body, or of its headers. */
export const BODY: Change[] = [
  (draft, { choose }) =>
    (draft.json = replacedAt(
      draft.json,
      choose.integer(0, placesIn(draft.json) - 1),
      choose.from(nastyJson),
    )),
  (draft, { choose }) =>
    (draft.json = replacedAt(
      draft.json,
      choose.integer(0, placesIn(draft.json) - 1),
      choose.from(nastyJson),
    )),
  (draft, { choose }) =>
    (draft.json = replacedAt(
      draft.json,
      choose.integer(0, placesIn(draft.json) - 1),
      choose.from(nastyText),
    )),
  (draft, { choose }) => {
    const entries = Object.entries(Object(draft.json));
    const at = choose.integer(0, Math.max(0, entries.length - 1));
    draft.json = objectOf(entries.filter((_, place) => place !== at));
  },
  (draft, { choose }) => {
    const name = choose.chance(50)
      ? choose.one([
          'id',
          'organization_id',
          'project_id',
          'created_at',
          'updated_at',
          'key_hash',
          'scopes',
          'is_public',
          '__proto__',
          'constructor',
          'toString',
        ])
      : choose.from(nastyText);
    draft.json = objectOf([...Object.entries(Object(draft.json)), [name, choose.from(nastyJson)]]);
  },
  (draft, { choose }) => (draft.body = choose.from(oddJsonTexts)(String(bodyOf(draft) ?? '{}'))),
  (draft, { choose }) => (draft.body = choose.from(randomBytes)),
  (draft, { choose }) => {
    const bytes = Buffer.from(bodyOf(draft) ?? '{}');
    if (bytes.length > 0) bytes[choose.integer(0, bytes.length - 1)] = choose.integer(0, 255);
    draft.body = bytes;
  },
  (draft, { choose }) =>
    setHeader(
      draft,
      'Content-Type',
      choose.one([
        'application/json; charset=utf-8',
        'application/json; charset=utf-16',
        'application/json;',
        'application/JSON',
        'application/merge-patch+json',
        'application/json-patch+json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/yaml',
        'text/plain',
        'json',
        '',
        ';',
        'application/json, text/html',
      ]),
    ),
  (draft) => dropHeader(draft, 'Content-Type'),
  (draft, { choose }) =>
    setHeader(draft, 'Content-Encoding', choose.one(['gzip', 'br', 'identity', 'deflate, gzip', 'x'])),
  (draft) => {
    draft.json = undefined;
    draft.body = undefined;
  },
];
