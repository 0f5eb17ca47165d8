import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { NEXT_VERSION } from '../platform/database/statements.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import type { Branding, ImageKind } from './branding-values.js';
import type { ImageInfo } from './images/image-values.js';
import { OF_PAGE, type PageRef, parametersOf } from '../status-pages/page-ref.js';
import { StatusPageBranding } from './status-page-branding.entity.js';

/** Columns of the branding that clients can write. */
export type BrandingFields = Omit<StatusPageBranding, keyof PageRef | 'updated_at' | 'status_page'>;

/** Values of a page without a row: the defaults of the columns. */
const DEFAULTS: BrandingFields = {
  language: 'en',
  time_zone: 'UTC',
  website_url: null,
  support_url: null,
  links: [],
  theme: 'auto',
  show_response_times: false,
};

/** A branding and its version; null: the page has the defaults. */
export type VersionedBranding = Branding & { updated_at: Date | null };

interface FoundBranding {
  branding: (BrandingFields & { updated_at: string }) | null;
  images: Partial<Record<ImageKind, ImageInfo>>;
}

/** Reads and writes the table `status_page_branding`. */
@Injectable()
export class BrandingRepository {
  private readonly table: ResourceTable<StatusPageBranding, StatusPageBranding>;

  constructor(
    @InjectRepository(StatusPageBranding) repository: Repository<StatusPageBranding>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, ['status_page_id', 'updated_at']);
  }

  /** Returns the branding of a page, and its pictures, in one statement. */
  async findOfPage(page: PageRef, manager?: EntityManager): Promise<VersionedBranding> {
    const [row] = await this.runner.readOwn<FoundBranding>(
      `SELECT (SELECT row_to_json(fields)
                 FROM (SELECT language, time_zone, website_url, support_url, links, theme, show_response_times, updated_at
                         FROM status_page_branding
                        WHERE ${OF_PAGE}) AS fields) AS branding,
              (SELECT coalesce(json_object_agg(kind, json_build_object(
                        'hash', hash, 'content_type', content_type, 'width', width, 'height', height, 'size', size)), '{}')
                 FROM status_page_images
                WHERE ${OF_PAGE}) AS images`,
      parametersOf(page),
      manager,
    );
    if (!row) throw new Error('a query without a table returned no row');
    const { branding, images } = row;
    const { logo = null, logo_dark = null, favicon = null } = images;
    const updated_at = branding && new Date(branding.updated_at);
    return { ...(branding ?? DEFAULTS), updated_at, logo, logo_dark, favicon };
  }

  /** Returns the time zones of pages of an organization. */
  async findTimeZones(organizationId: string, pageIds: string[]): Promise<Map<string, string>> {
    const rows = await this.runner.readOwn<{ status_page_id: string; time_zone: string }>(
      `SELECT status_page_id, time_zone
         FROM status_page_branding
        WHERE organization_id = $1 AND status_page_id = ANY($2::uuid[])`,
      [organizationId, pageIds],
    );
    const zones = new Map(rows.map(({ status_page_id, time_zone }) => [status_page_id, time_zone]));
    return new Map(pageIds.map((id) => [id, zones.get(id) ?? DEFAULTS.time_zone]));
  }

  /**
   * Inserts the defaults, unless the page has a branding.
   * @param updated_at the version of the defaults
   */
  async insertDefaults(page: PageRef, updated_at: Date, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `INSERT INTO status_page_branding (organization_id, status_page_id, updated_at)
       VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING`,
      [...parametersOf(page), updated_at],
      manager,
    );
  }

  /** Updates the branding of a page, which must exist. */
  async patch(page: PageRef, patch: Partial<BrandingFields>, manager: EntityManager): Promise<void> {
    await this.table.patch(OF_PAGE, parametersOf(page), patch, undefined, manager);
  }

  /** Locks the branding of a page. Returns false if its version is not the expected one. */
  async lock(page: PageRef, expected: ExpectedVersions, manager: EntityManager): Promise<boolean> {
    const values = parametersOf(page);
    const locked = this.table.lock(OF_PAGE, values, expected, 'status_page_id', manager, 'NO KEY UPDATE');
    return (await locked) !== undefined;
  }

  /** Increases the version of a page's branding. */
  async touch(page: PageRef, manager: EntityManager): Promise<void> {
    await this.runner.query(
      `UPDATE status_page_branding SET updated_at = ${NEXT_VERSION} WHERE ${OF_PAGE}`,
      parametersOf(page),
      manager,
    );
  }
}
