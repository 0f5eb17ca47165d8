import { randomInt } from 'node:crypto';
import { withSuffix } from '../platform/validation/slug.js';

const NUMBERED_CANDIDATES = 100;

/** Slugs that pages cannot use, because the service or its operator may need them in a URL or as a subdomain. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  `about account admin api app assets auth billing blog cdn dashboard demo dev docs feed feeds ftp
   health help imap incidents internal localhost login logout mail metrics monitors mx ns openapi
   pages pop problems projects public register root rss settings signup smtp staging static status
   status-pages support system test v1 v2 webhooks webmail www`.split(/\s+/),
);

/** Returns slugs for a page name, best first: `acme`, `acme-2` to `acme-101`, and `acme-` with a random number. */
export async function slugCandidates(name: string): Promise<string[]> {
  const { default: slugify } = await import('@sindresorhus/slugify'); // loading its tables would add 30 ms to the startup
  const base = withSuffix(slugify(name, { decamelize: false }), '') || 'page';
  const numbers = Array.from({ length: NUMBERED_CANDIDATES }, (_, index) => String(index + 2));
  const candidates = [...numbers, String(randomInt(1e6, 1e9))].map((number) =>
    withSuffix(base, `-${number}`),
  );
  return RESERVED_SLUGS.has(base) ? candidates : [base, ...candidates];
}
