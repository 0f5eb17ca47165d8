import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { PrivatePage } from '../status-pages/page-lookup.service.js';
import { StatusPageAccess } from './status-page-access.entity.js';
import { OF_PAGE, type PageRef, parametersOf } from '../status-pages/page-ref.js';

/** Rules of a page with their version. */
export type StoredAccess = Omit<StatusPageAccess, 'status_page'>;

/** Columns that clients can write. */
export type AccessColumns = Omit<StoredAccess, 'organization_id' | 'status_page_id' | 'updated_at'>;

/** A private page with rules, and what shows who may pass its gate without a read. */
export type FoundGate = Pick<PrivatePage, 'id' | 'slug' | 'organization_id'> &
  Pick<StoredAccess, 'networks' | 'updated_at'>;

/** SQL of a condition: the rules let in visitors. */
const LETS_IN = `(password_hash IS NOT NULL OR oidc IS NOT NULL
                OR cardinality(emails) + cardinality(email_domains) + cardinality(networks) > 0)`;

const COLUMNS = `organization_id, status_page_id, password_hash, emails, email_domains, networks, oidc,
              oidc_client_secret, updated_at`;

const COLUMNS_OF_ACCESS = COLUMNS.replaceAll(/\w+/g, 'access.$&');

/** Reads and writes the table `status_page_access`. */
@Injectable()
export class AccessRepository {
  private readonly table: ResourceTable<StatusPageAccess, StatusPageAccess>;

  constructor(
    @InjectRepository(StatusPageAccess) repository: Repository<StatusPageAccess>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, ['status_page_id', 'updated_at']);
  }

  /** Returns the rules of a page if they let in visitors. Reads the primary, so that a change ends sessions immediately. */
  async findOfPage(page: PageRef, manager?: EntityManager): Promise<StoredAccess | undefined> {
    const [access] = await this.runner.read<StoredAccess>(
      `SELECT ${COLUMNS}
         FROM status_page_access
        WHERE ${OF_PAGE}`,
      parametersOf(page),
      manager,
    );
    return access;
  }

  /**
   * Returns the private page with this slug, of any organization, and its rules, if they let in visitors. One statement, like
   * {@link findGated}.
   */
  async findBySlug(slug: string): Promise<(PrivatePage & { access: StoredAccess }) | undefined> {
    const [row] = await this.runner.read<StoredAccess & Pick<PrivatePage, 'slug' | 'project_id'>>(
      `SELECT page.slug, page.project_id, ${COLUMNS_OF_ACCESS}
         FROM status_pages AS page
         JOIN status_page_access AS access
           ON access.organization_id = page.organization_id AND access.status_page_id = page.id
        WHERE page.slug = $1 AND NOT page.is_public AND ${LETS_IN}`,
      [slug],
    );
    if (!row) return undefined;
    const { project_id, slug: found, ...access } = row;
    return {
      id: access.status_page_id,
      organization_id: access.organization_id,
      project_id,
      slug: found,
      access,
    };
  }

  /**
   * Returns the private pages of any organization with these slugs, and with rules that let in somebody. For visitors, who belong to
   * no organization. One statement, which is the same for private pages without rules and for unknown slugs.
   */
  async findGated(slugs: string[]): Promise<FoundGate[]> {
    return this.runner.read<FoundGate>(
      `SELECT page.slug, page.id, page.organization_id, access.networks, access.updated_at
         FROM status_pages AS page
         JOIN status_page_access AS access
           ON access.organization_id = page.organization_id AND access.status_page_id = page.id
        WHERE page.slug = ANY($1) AND NOT page.is_public AND ${LETS_IN}`,
      [slugs],
    );
  }

  /** Returns whether rules of any organization contain addresses. Reads all rules; only for the startup. */
  async anyTakesEmail(): Promise<boolean> {
    const [row] = await this.runner.read<{ found: boolean }>(
      `SELECT EXISTS (
         SELECT FROM status_page_access WHERE cardinality(emails) + cardinality(email_domains) > 0) AS found`,
      [],
    );
    return row?.found === true;
  }

  /**
   * Inserts rules that let in nobody, unless the page has rules.
   * @param updated_at the version of these rules
   */
  async insertDefaults(page: PageRef, updated_at: Date, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO status_page_access (organization_id, status_page_id, updated_at)
       VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING`,
      [...parametersOf(page), updated_at],
      manager,
    );
  }

  /** Locks the rules of a page. Returns false if their version is not the expected one. */
  async lock(page: PageRef, expected: ExpectedVersions, manager: EntityManager): Promise<boolean> {
    const values = parametersOf(page);
    const locked = this.table.lock(OF_PAGE, values, expected, 'status_page_id', manager, 'NO KEY UPDATE');
    return (await locked) !== undefined;
  }

  /** Updates the rules of a page, which must exist. */
  async patch(page: PageRef, patch: Partial<AccessColumns>, manager: EntityManager): Promise<void> {
    await this.table.patch(OF_PAGE, parametersOf(page), patch, undefined, manager);
  }
}
