import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { MAX_TRIES } from '../platform/database/unique-writes.js';
import { taken } from '../platform/problems/taken.js';
import { slugCandidates } from './slug.js';
import type { StatusPagePatch } from './status-pages.repository.js';
import { UniqueValuesRepository } from './unique-values.repository.js';

/** Returns whether a domain cannot be set for a page; null: a new page. */
export type DomainCheck = (domain: string, pageId: string | null, manager: EntityManager) => Promise<boolean>;

/** Checks the values of a page that are unique: the slug in the instance, the domain in the organization. */
@Injectable()
export class UniqueValues {
  private readonly checks: DomainCheck[] = [];

  constructor(private readonly repository: UniqueValuesRepository) {}

  /**
   * Returns an unused slug for a new page, or undefined if all candidates are taken.
   * @param tries how many times the page has lost a race for its slug
   */
  async freeSlug(name: string, tries: number, manager: EntityManager): Promise<string | undefined> {
    const candidates = await slugCandidates(name);
    const used = await this.repository.findTaken(candidates, manager);
    // The first is the most readable. After several lost races, take the last, which is random.
    return candidates.filter((candidate) => !used.has(candidate)).at(tries < MAX_TRIES / 2 ? 0 : -1);
  }

  /** Registers a rule of another module for domains. */
  onDomain(check: DomainCheck): void {
    this.checks.push(check);
  }

  /**
   * @param organizationId the organization of the page, which can use its former slugs again
   * @throws Problem 409 `conflict` with an error for each value that a page other than `id` uses, or that is a former slug of another
   * organization, or a domain that a rule of {@link onDomain} excludes
   */
  async throwIfTaken(
    id: string | null,
    organizationId: string,
    page: StatusPagePatch,
    manager: EntityManager,
  ): Promise<void> {
    if (page.slug === undefined && page.custom_domain === undefined) return;
    const used = await this.repository.findTakenByOthers(id, organizationId, page, manager);
    for (const isExcluded of this.checks)
      if (!used.custom_domain && page.custom_domain)
        used.custom_domain = await isExcluded(page.custom_domain, id, manager);
    const fields = (['slug', 'custom_domain'] as const).filter((field) => used[field]);
    if (fields.length > 0)
      throw taken(
        fields,
        'Another status page, or the service itself, already uses a value that must be unique',
      );
  }
}
