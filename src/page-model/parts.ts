import type { Language } from '../branding/languages.js';
import { IMAGE_EXTENSIONS, type ImageData } from './branding.js';

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

const IMAGE_FILE = /^(logo|logo-dark|favicon)-([0-9a-f]{16})\.(png|jpg|webp|svg)$/;

/** Parts of a status page that visitors can request. Each part is a path (`routes/`). */
export type Part = PartKind & {
  /** Language that a visitor has requested; undefined: the language of the page. */
  lang?: Language | undefined;
};

type PartKind =
  | { kind: 'overview' }
  | { kind: 'monitor'; id: string }
  /** `month`: `YYYY-MM`. */
  | { kind: 'history'; month: string }
  | { kind: 'incident'; id: string }
  | { kind: 'maintenance'; id: string }
  | { kind: 'subscribe' }
  | { kind: 'feed'; format: FeedFormat }
  | { kind: 'calendar' }
  | { kind: 'api'; document: ApiDocument }
  | { kind: 'badge'; format: 'svg' | 'json' }
  | { kind: 'og-image' }
  | ImagePart;

/** Size of the picture for link previews, in pixels. */
export const OG_IMAGE_SIZE = { width: 1200, height: 630 };

/** A picture of a page's branding. */
export interface ImagePart {
  kind: 'image';
  name: ImageName;
  /** 16 hexadecimal digits, so that another picture has another path. */
  hash: string;
  extension: ImageData['extension'];
}

/** Returns whether a part contains words, so that it has a copy for each language. Other parts ignore `?lang=`. */
export function hasWords({ kind }: Part): boolean {
  return kind !== 'api' && kind !== 'image';
}

/** Returns whether a part is an HTML document, which a person reads. */
export function isHtml({ kind }: Part): boolean {
  return HTML.has(kind);
}

const HTML = new Set<Part['kind']>([
  'overview',
  'monitor',
  'history',
  'incident',
  'maintenance',
  'subscribe',
]);

/** Paths of parts without words, see {@link hasWords}. */
const WORDLESS = /\/(?:api\/v2\/|(?:logo|logo-dark|favicon)-[0-9a-f]{16}\.)/;

/** Returns the same as {@link hasWords} for the path of a part. */
export function isWordless(path: string): boolean {
  return WORDLESS.test(path);
}

/** Returns the part with this file name, such as `logo-3fa9c1d2e4b5a687.png`, or undefined. */
export function imagePartOf(file: string): ImagePart | undefined {
  const [, found, hash = '', end] = IMAGE_FILE.exec(file) ?? [];
  const name = IMAGE_NAMES.find((one) => one === found);
  const extension = IMAGE_EXTENSIONS.find((one) => one === end);
  return name && extension && { kind: 'image', name, hash, extension };
}

/** Returns whether visitors can guess any number of paths of such parts, by an ID, a month or a hash. */
export function isGuessable(part: Part): boolean {
  return 'id' in part || 'month' in part || 'hash' in part;
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
  switch (part.kind) {
    case 'overview':
      return '';
    case 'monitor':
      return `/monitors/${part.id}`;
    case 'history':
      return `/history?month=${part.month}`;
    case 'incident':
      return `/incidents/${part.id}`;
    case 'maintenance':
      return `/maintenances/${part.id}`;
    case 'subscribe':
      return '/subscribe';
    case 'feed':
      return `/feed.${part.format}`;
    case 'calendar':
      return '/maintenance.ics';
    case 'api':
      return `/api/v2/${part.document}.json`;
    case 'badge':
      return `/badge.${part.format}`;
    case 'og-image':
      return '/og-image.png';
    case 'image':
      return `/${part.name}-${part.hash}.${part.extension}`;
  }
}

/** Returns the path pattern of a part, as in `routes/`. */
export function routeOf(part: Part): string {
  return part.kind === 'badge' ? `/status/{slug}/badge.${part.format}` : ROUTES[part.kind];
}

const ROUTES: Readonly<Record<Exclude<Part['kind'], 'badge'>, string>> = {
  overview: '/status/{slug}',
  monitor: '/status/{slug}/monitors/{id}',
  history: '/status/{slug}/history',
  incident: '/status/{slug}/incidents/{id}',
  maintenance: '/status/{slug}/maintenances/{id}',
  subscribe: '/status/{slug}/subscribe',
  feed: '/status/{slug}/feed.{format}',
  calendar: '/status/{slug}/maintenance.ics',
  api: '/status/{slug}/api/v2/{document}',
  'og-image': '/status/{slug}/og-image.png',
  image: '/status/{slug}/{name}-{hash}.{extension}',
};

/** Patterns of the names in {@link ROUTES}. */
const FORMS: Record<string, string> = {
  slug: '[a-z0-9-]{1,63}',
  id: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  format: FEED_FORMATS.join('|'),
  name: IMAGE_NAMES.join('|'),
  hash: '[0-9a-f]{16}',
  extension: IMAGE_EXTENSIONS.join('|'),
  document: `(?:${API_DOCUMENTS.join('|')})\\.json`,
};

const PATHS = new RegExp(
  `^(?:${[...Object.values(ROUTES), '/status/{slug}/badge.svg', '/status/{slug}/badge.json']
    .map((route) =>
      route.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_name, name: string) => `(?:${FORMS[name]})`),
    )
    .join('|')})$`,
);

/** Returns whether a path is a part's path. Checks only the spelling, not that the page exists. */
export function isPartPath(path: string): boolean {
  return PATHS.test(path);
}
