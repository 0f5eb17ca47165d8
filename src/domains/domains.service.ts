import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../platform/auth/actor.js';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import { notFound } from '../platform/problems/problem.js';
import { RequestCounts } from '../platform/server/request-counts.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import { UniqueValues } from '../status-pages/unique-values.js';
import { PublicUrl } from '../platform/config/public-url.js';
import { type Claim, ClaimsRepository } from './claims.repository.js';
import { DomainChecks } from './domain-checks.js';
import { recordOf } from './domain-record.js';
import type { StatusPageDomainDto } from './dto/status-page-domain.dto.js';

const CHECKS_PER_HOUR = 10;
const HOUR_SECONDS = 3_600;

/** Shows and checks the custom domains of status pages. */
@Injectable()
export class DomainsService implements OnModuleInit {
  constructor(
    private readonly repository: ClaimsRepository,
    private readonly checks: DomainChecks,
    private readonly pageLookup: PageLookupService,
    private readonly unique: UniqueValues,
    private readonly publicUrl: PublicUrl,
    private readonly counts: RequestCounts,
    private readonly joined: JoinedTransaction,
  ) {}

  onModuleInit(): void {
    this.unique.onDomain(
      async (domain, pageId, manager) =>
        domain === this.publicUrl.host || (await this.repository.isHeldByOthers(domain, pageId, manager)),
    );
  }

  /** @throws Problem 404 `not_found`, also if the page has no custom domain */
  async get(actor: Actor, id: string): Promise<StatusPageDomainDto> {
    const { organization_id } = await this.pageLookup.head(actor, id);
    const claim = await this.repository.find(organization_id, id);
    if (!claim) throw notFound('custom domain');
    return toDto(claim);
  }

  /**
   * Checks the domain of a page now, and returns the result.
   * @param wait runs the part of the check that waits for others, which takes up to 25 seconds and uses no database
   * @throws Problem 404 `not_found`, also if the page has no custom domain; 429 `rate_limited`
   */
  async verify(
    actor: Actor,
    id: string,
    wait: <Result>(work: () => Promise<Result>) => Promise<Result>,
  ): Promise<StatusPageDomainDto> {
    const { organization_id } = await this.pageLookup.head(actor, id);
    const claim = await this.repository.begin(organization_id, id);
    if (!claim) throw notFound('custom domain');
    const subject = { name: `domain-check:${id}`, limit: CHECKS_PER_HOUR, seconds: HOUR_SECONDS };
    await this.counts.require(subject, 'checks of a domain');
    await this.checks.checkNow(claim, (work) => this.joined.outside(() => wait(work)));
    return this.get(actor, id);
  }
}

function toDto(claim: Claim): StatusPageDomainDto {
  const { domain, status, found, error, routing, checked_at, verified_at, missing_since, next_check_at } =
    claim;
  return {
    domain,
    status,
    record: recordOf(claim),
    found,
    error,
    routing,
    checked_at,
    verified_at,
    missing_since,
    next_check_at,
  };
}
