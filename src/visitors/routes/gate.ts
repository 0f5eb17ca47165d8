import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type AccessRules, AccessRulesService, type GatedPage } from '../../access/access-rules.service.js';
import { PageSessions } from '../../access/page-sessions.js';
import { Env } from '../../platform/config/env.js';
import { canSendMail } from '../../platform/config/mail-env.js';
import { parseNetworks } from '../../platform/config/networks.js';
import { PublicUrl } from '../../platform/config/public-url.js';
import { ClientAddress, withoutMapping } from '../../platform/server/client-address.js';
import type { Place } from '../../platform/server/fair-queue.js';
import { normalizedHost } from '../../platform/server/host.js';
import { DocumentCache } from '../cache/document-cache.js';
import { SharedReadings, VisitorTurns } from '../cache/visitor-turns.js';
import { type GateShell, type GateWay, renderGate } from '../../page-documents/components/gate-page.js';
import { isHtml, type Part } from '../../page-model/parts.js';
import type { PrivateReply } from './private-reply.js';
import { UncachedPages, visitOf } from './uncached-pages.js';
import { placeOf, VisitorPlaces } from './visitor-places.js';

/** Status of the gate. Not 401, which needs a scheme of HTTP authentication. */
export const FORBIDDEN = 403;

/** An IP address in a header `Host`: IPv6 in brackets, or IPv4. */
const IP_HOST = /^(?:\[([\da-f:.]{2,45})\]|([\d.]{7,15}))(?::\d{0,5})?$/i;

/** Response instead of feeds and other documents for programs. */
const FOR_PROGRAMS = {
  type: 'text/plain; charset=utf-8',
  body: 'This status page is private. Add the token of an access link to the URL: ?token=al_…\n',
};

/** The rules that let in visitors without a form. */
type Passable = Pick<AccessRules, 'id' | 'version' | 'networks'>;

/** Decides who may see a private page, and shows the ways in to all others. */
@Injectable()
export class Gate {
  private readonly readings: SharedReadings<GatedPage | undefined>;

  constructor(
    private readonly env: Env,
    private readonly rules: AccessRulesService,
    private readonly sessions: PageSessions,
    private readonly clientAddress: ClientAddress,
    private readonly cache: DocumentCache,
    private readonly pages: UncachedPages,
    private readonly places: VisitorPlaces,
    private readonly publicUrl: PublicUrl,
    turns: VisitorTurns,
  ) {
    this.readings = new SharedReadings(turns);
  }

  /** Returns whether a visitor may see a page, by a session or the client's network. */
  admits(request: Request, rules: Passable): boolean {
    return this.sessions.has(request, rules) || this.isInNetwork(request, rules);
  }

  /**
   * Returns the private page with this slug, if it has rules. Visitors whom the rules in memory let in go first, and all others share
   * their readings.
   * @throws Problem 503 `unavailable` while too many visitors of the page wait, or the database is unavailable
   */
  async find(request: Request, slug: string): Promise<GatedPage | undefined> {
    const place = await this.placeOf(request, slug);
    return this.readings.run(`${place.rank} ${slug}`, place, () => this.rules.findBySlug(slug));
  }

  private async placeOf(request: Request, slug: string): Promise<Place> {
    const stranger = await this.places.stranger(request, slug);
    const gate = this.cache.directory.gateOf(slug);
    if (!gate || !this.admits(request, gate)) return stranger;
    return placeOf({ id: gate.id, organization_id: gate.owner });
  }

  /**
   * Returns the response to visitors who may not see a page: the ways in, or a text for programs.
   * @param part the part that they want to see
   * @throws Problem 503 `unavailable` as {@link find}
   */
  async reply(request: Request, page: GatedPage, part: Part): Promise<PrivateReply | undefined> {
    if (!isHtml(part)) return { status: FORBIDDEN, document: FOR_PROGRAMS };
    const shell = await this.shellOf(request, page);
    return shell && { status: FORBIDDEN, document: renderGate(shell, part) };
  }

  /** Returns the gate of a page in the language that the visitor requests. */
  async shellOf(request: Request, gated: GatedPage): Promise<GateShell | undefined> {
    const { id, rules } = gated;
    const visit = visitOf(request);
    if (!this.pages.serves(id, visit)) return undefined;
    const page = await this.pages.readForAll({ ...placeOf(gated), rank: 'last' }, id, visit);
    if (!page || page.part.page.is_public) return undefined;
    const { path, url, view } = page;
    return { page: page.part.page, view, path, url, ways: this.waysOf(rules) };
  }

  private waysOf({ password_hash, emails, email_domains, oidc }: AccessRules): GateWay[] {
    const ways: GateWay[] = [];
    if (password_hash !== null) ways.push('password');
    if (emails.length + email_domains.length > 0 && canSendMail(this.env)) ways.push('email');
    if (oidc !== null) ways.push('oidc');
    return ways;
  }

  private isInNetwork(request: Request, { networks }: Passable): boolean {
    if (networks.length === 0 || !this.isOwnHost(request)) return false;
    // A proxy that is not configured: the connection has its address, regardless of the visitor.
    const isUnknown = this.env.TRUST_PROXY === undefined && request.headers['x-forwarded-for'] !== undefined;
    if (isUnknown) return false;
    const [address = ''] = withoutMapping(this.clientAddress.of(request)).split('%', 1);
    if (address === '') return false;
    return parseNetworks(networks)?.check(address, address.includes(':') ? 'ipv6' : 'ipv4') === true;
  }

  /**
   * Returns whether a request names a host of this instance. Another site can give its own name the address of this server (DNS
   * rebinding), and then read in the browser of a visitor what the visitor's network may see.
   */
  private isOwnHost({ domain, headers }: Request): boolean {
    if (domain) return true;
    const name = normalizedHost(headers.host);
    if (name !== undefined) return name === 'localhost' || name === normalizedHost(this.publicUrl.host);
    const [, ipv6, ipv4] = IP_HOST.exec(headers.host ?? '') ?? [];
    return isIP(ipv6 ?? ipv4 ?? '') !== 0;
  }
}
