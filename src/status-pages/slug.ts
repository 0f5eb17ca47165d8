import { randomInt } from 'node:crypto';
import slugify from '@sindresorhus/slugify';

/** The form of a slug, but for its length, 1 to 63. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const MAX_LENGTH = 63; // a DNS label, so that a page can be a subdomain
const NUMBERED = 100;

/** Names that no page may have, because the service or its operator may want them in a URL or as a subdomain. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  `about account admin api app assets auth billing blog cdn dashboard demo dev docs feed feeds ftp
   health help imap incidents internal localhost login logout mail metrics monitors mx ns openapi
   pages pop problems projects public register root rss settings signup smtp staging static status
   status-pages support system test v1 v2 webhooks webmail www`.split(/\s+/),
);

/** Slugs for a page of this name, the best first: of the name alone, then numbered, the last at random. */
export function slugCandidates(name: string): string[] {
  const base = withSuffix(slugify(name, { decamelize: false }), '') || 'page';
  const numbers = Array.from({ length: NUMBERED }, (_, index) => String(index + 2));
  const candidates = [...numbers, String(randomInt(1e6, 1e9))].map((number) =>
    withSuffix(base, `-${number}`),
  );
  return RESERVED_SLUGS.has(base) ? candidates : [base, ...candidates];
}

function withSuffix(base: string, suffix: string): string {
  return base.slice(0, MAX_LENGTH - suffix.length).replace(/-+$/, '') + suffix;
}
