import { ROUTING_PATH } from '../../domains/routing-token.js';
import type { Env } from '../../platform/config/env.js';
import { normalizedHost } from '../../platform/server/host.js';
import type { AnyRequest } from '../../platform/server/request-end.js';
import { originForm } from '../../platform/server/url.js';
import { SCRIPT_PATH } from '../../page-model/links.js';

/** Paths that are the same for all hosts. */
const SHARED_PATHS = new Set([SCRIPT_PATH, ROUTING_PATH]);

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)/i;

/** A verified domain and its page, see `DomainDirectory`. */
type Located = NonNullable<AnyRequest['domain']>;

type Find = (host: string | undefined) => Located | undefined;

/**
 * Returns the function that finds the domain of a host. It never finds the host of `PUBLIC_URL`, on which the API would otherwise be
 * unreachable, for example if `PUBLIC_URL` has changed after a domain was verified.
 */
export function findDomainIn(domains: { get: Find }, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): Find {
  const own = PUBLIC_URL === undefined ? undefined : normalizedHost(new URL(PUBLIC_URL).host);
  return (host) => {
    const found = domains.get(host);
    return found?.domain === own ? undefined : found;
  };
}

/**
 * Sets the domain of a request whose host is a verified domain, and rewrites its URL to the page of the domain: `/history` becomes
 * `/status/{slug}/history`. Does not change other requests.
 * @param find see {@link findDomainIn}
 */
export function locateDomain(request: AnyRequest, find: Find): void {
  const { url = '/' } = request;
  const domain = find(hostOf(request, url));
  if (!domain) return;
  request.domain = domain;
  const target = url.startsWith('/') ? url : originForm(url);
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  if (SHARED_PATHS.has(path)) return;
  request.url = `/status/${domain.slug}${path === '/' ? '' : path}${end < 0 ? '' : target.slice(end)}`;
}

/** Returns the host of a request. A target in absolute form replaces the header `Host` (RFC 9112, section 3.2.2). */
function hostOf({ headers }: AnyRequest, url: string): string | undefined {
  return url.startsWith('/') ? headers.host : ABSOLUTE_FORM.exec(url)?.[1];
}
