import type { Language } from '../branding/languages.js';
import { IMAGE_EXTENSIONS } from './branding.js';
import { isMonth, monthOf } from './months.js';

/** Documents of Statuspage's `api/v2`. */
export const API_DOCUMENTS = [
  'summary',
  'status',
  'components',
  'incidents',
  'incidents/unresolved',
  'scheduled-maintenances',
  'scheduled-maintenances/upcoming',
  'scheduled-maintenances/active',
] as const;

export type ApiDocument = (typeof API_DOCUMENTS)[number];

export const FEED_FORMATS = ['rss', 'atom', 'json'] as const;

export type FeedFormat = (typeof FEED_FORMATS)[number];

/** Pictures of a company, as their paths name them. */
export const IMAGE_NAMES = ['logo', 'logo-dark', 'favicon'] as const;

export type ImageName = (typeof IMAGE_NAMES)[number];

/** Size of the picture for link previews, in pixels. */
export const OG_IMAGE_SIZE = { width: 1200, height: 630 };

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A kind of parts. */
interface PartEntry {
  /** Path below `/status/{slug}`, with its query. */
  path: string;
  /** Values of the fields in the path: a list, or a rule for values that visitors can guess any number of. */
  fields?: Readonly<Record<string, readonly string[] | ((text: string) => boolean)>>;
  /** Routes below `/status/{slug}`: one for all paths, or one for each path. Default: `path` without its query. */
  routes?: readonly string[];
  /** Whether it is an HTML document, which a person reads. */
  isHtml?: boolean;
  /** Whether it is a form, which an export does not contain. */
  isForm?: boolean;
  /** Whether other sites show it, so that an export does not contain it. */
  isEmbedded?: boolean;
  /** Whether it contains no words, so that it has one copy for all languages. It ignores `?lang=`. */
  isWordless?: boolean;
}

/** All parts of a status page that visitors can request. Routes, paths, links and copies in memory follow from this table. */
const PARTS = {
  overview: { path: '', isHtml: true },
  monitor: { path: '/monitors/{id}', fields: { id: isId }, isHtml: true },
  /** `month`: `YYYY-MM`. */
  history: {
    path: '/history?month={month}',
    fields: { month: (text) => isMonth(text, new Date()) },
    isHtml: true,
  },
  incident: { path: '/incidents/{id}', fields: { id: isId }, isHtml: true },
  maintenance: { path: '/maintenances/{id}', fields: { id: isId }, isHtml: true },
  subscribe: { path: '/subscribe', isHtml: true, isForm: true },
  feed: { path: '/feed.{format}', fields: { format: FEED_FORMATS } },
  calendar: { path: '/maintenance.ics' },
  api: {
    path: '/api/v2/{document}.json',
    fields: { document: API_DOCUMENTS },
    routes: ['/api/v2/{document}'],
    isWordless: true,
  },
  /** `json`: for Shields. */
  badge: {
    path: '/badge.{format}',
    fields: { format: ['svg', 'json'] },
    routes: ['/badge.svg', '/badge.json'],
  },
  'og-image': { path: '/og-image.png' },
  /** Headline for a frame on other sites. */
  embed: { path: '/embed', isEmbedded: true },
  /** Script that shows the headline on other sites. */
  banner: { path: '/banner.js', isWordless: true, isEmbedded: true },
  /** A picture of the page's branding. `hash`: 16 hexadecimal digits, so that another picture has another path. */
  image: {
    path: '/{name}-{hash}.{extension}',
    fields: { name: IMAGE_NAMES, hash: (text) => /^[0-9a-f]{16}$/.test(text), extension: IMAGE_EXTENSIONS },
    isWordless: true,
  },
} as const satisfies Record<string, PartEntry>;

type ValueOf<Values> = Values extends readonly (infer Value)[] ? Value : string;

type FieldsOf<Entry> = Entry extends { fields: infer Fields }
  ? { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }
  : unknown;

type PartKind = {
  [Kind in keyof typeof PARTS]: { kind: Kind } & FieldsOf<(typeof PARTS)[Kind]>;
}[keyof typeof PARTS];

/** A part of a status page that visitors can request. Each part is a path. */
export type Part = PartKind & {
  /** Language that a visitor has requested; undefined: the language of the page. */
  lang?: Language | undefined;
};

/** A picture of a page's branding. */
export type ImagePart = Extract<PartKind, { kind: 'image' }>;

/** Entries of the table by kind. `pieces`: texts and names of fields, which alternate in the path. */
const ENTRIES = new Map(
  Object.entries<PartEntry>(PARTS).map(([kind, entry]) => {
    const pieces = entry.path.split(/\{(\w+)\}/);
    const [path = ''] = entry.path.split('?', 1);
    const pattern = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
    const { routes = [path], fields = {} } = entry;
    return [kind, { ...entry, fields, routes, pieces, pattern: new RegExp(`^${pattern}$`) }];
  }),
);

/** Returns the routes of all parts below `/status/{slug}`, in OpenAPI notation. */
export const PART_ROUTES = [...ENTRIES.values()].flatMap(({ routes }) => routes);

/** Parts that an export of each page contains: all without IDs, months and hashes, except forms and what other sites show. */
export const FIXED_PARTS = [...ENTRIES].flatMap(([kind, { fields, isForm, isEmbedded }]) => {
  const [[name = '', values = ['']] = []] = Object.entries(fields);
  const isFixed = typeof values !== 'function' && Object.keys(fields).length < 2 && !isForm && !isEmbedded;
  return isFixed ? values.map((value) => ({ kind, ...(name && { [name]: value }) })).filter(isPart) : [];
});

function entryOf({ kind }: Part) {
  const entry = ENTRIES.get(kind);
  if (!entry) throw new Error(`unknown kind of part: ${kind}`);
  return entry;
}

/** Returns whether a part contains words, so that it has a copy for each language. Other parts ignore `?lang=`. */
export function hasWords(part: Part): boolean {
  return entryOf(part).isWordless !== true;
}

/** Returns whether a part is an HTML document, which a person reads. */
export function isHtml(part: Part): boolean {
  return entryOf(part).isHtml === true;
}

/** Returns whether visitors can guess any number of paths of such parts, by an ID, a month or a hash. */
export function isGuessable(part: Part): boolean {
  const { fields = {} } = ENTRIES.get(part.kind) ?? {}; // a later version has saved the copy of an unknown kind
  return Object.values(fields).some((values) => typeof values === 'function');
}

/** Returns the route of a part, in OpenAPI notation. */
export function routeOf(part: Part): string {
  const { routes } = entryOf(part);
  return `/status/{slug}${routes.length === 1 ? routes[0] : ownPathOf(part)}`;
}

/**
 * Returns the part with a path below `/status/{slug}`, without a query. Knows only the canonical spelling of each path.
 * @param month the parameter `month` of the query; default: the current month, in UTC
 */
export function partAt(path: string, month: unknown = monthOf(new Date())): Part | undefined {
  for (const [kind, { fields, pattern }] of ENTRIES) {
    const match = pattern.exec(path);
    if (!match) continue;
    const values: Record<string, unknown> = { month, ...match.groups };
    const part = { kind, ...Object.fromEntries(Object.keys(fields).map((name) => [name, values[name]])) };
    if (isPart(part)) return part;
  }
  return undefined;
}

/** Returns whether an object has a kind of the table, and valid values in its fields. */
function isPart(part: { kind: string }): part is Part {
  const fields = Object.entries(ENTRIES.get(part.kind)?.fields ?? {});
  return fields.every(([name, values]) => {
    const value: unknown = Reflect.get(part, name);
    if (typeof value !== 'string') return false;
    return typeof values === 'function' ? values(value) : values.includes(value);
  });
}

function isId(text: string): boolean {
  return ID.test(text);
}

/** Returns the path of a part below `/status/{slug}`, with its query; empty for the overview. */
export function pathOf(part: Part): string {
  const path = ownPathOf(part);
  return part.lang === undefined ? path : withParameter(path, 'lang', part.lang);
}

/** Adds a parameter to the query of a path. */
export function withParameter(path: string, name: string, value: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`;
}

function ownPathOf(part: Part): string {
  let path = '';
  let isName = false;
  for (const piece of entryOf(part).pieces) {
    path += isName ? String(Reflect.get(part, piece)) : piece;
    isName = !isName;
  }
  return path;
}
