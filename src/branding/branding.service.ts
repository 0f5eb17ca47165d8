import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CurrentApiKey } from '../platform/auth/current-key.js';
import { PublicUrl } from '../platform/config/public-url.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { preconditionFailed } from '../platform/problems/problem.js';
import { type PageHead, PageLookupService } from '../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { type BrandingLink, EXTENSIONS, type ImageKind, type StoredImage } from './branding-values.js';
import { type BrandingFields, BrandingRepository, type PageRef } from './branding.repository.js';
import type { BrandingDto, BrandingImageDto, BrandingLinkDto } from './dto/branding.dto.js';
import type { UpdateBrandingDto } from './dto/update-branding.dto.js';

const DEFAULTS: BrandingFields = {
  language: 'en',
  time_zone: 'UTC',
  website_url: null,
  support_url: null,
  links: [],
  theme: 'auto',
};

/** Manages the branding of status pages: language, time zone, links, theme and pictures. Every page has a branding. */
@Injectable()
export class BrandingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: BrandingRepository,
    private readonly statusPages: StatusPagesService,
    private readonly pageLookup: PageLookupService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** @throws Problem 404 `not_found` */
  async get(key: CurrentApiKey, id: string): Promise<BrandingDto> {
    return this.brandingOf(await this.pageLookup.head(key, id));
  }

  /**
   * Updates the branding of a page. Omitted fields keep their values.
   * @param expected the versions of `If-Match`
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    key: CurrentApiKey,
    id: string,
    { links, ...patch }: UpdateBrandingDto,
    expected: ExpectedVersions,
  ): Promise<BrandingDto> {
    const fields = { ...patch, ...(links && { links: links.map(toLink) }) };
    return this.dataSource.transaction(async (manager) => {
      const head = await this.lockPage(key, id, manager);
      if (!(await this.repository.patch(refOf(head), fields, expected, manager))) throw preconditionFailed();
      return this.brandingOf(head, manager);
    });
  }

  /**
   * Locks a page, so that concurrent changes of its branding wait, and creates the row of its branding.
   * @throws Problem 404 `not_found`
   */
  private async lockPage(key: CurrentApiKey, id: string, manager: EntityManager): Promise<PageHead> {
    await this.statusPages.lockOwn(key, id, undefined, manager);
    const head = await this.pageLookup.head(key, id, manager);
    await this.repository.insertDefaults(refOf(head), head.created_at, manager);
    return head;
  }

  private async brandingOf(head: PageHead, manager?: EntityManager): Promise<BrandingDto> {
    const { branding, images } = await this.repository.findOfPage(refOf(head), manager);
    const { updated_at, ...fields } = branding ?? { ...DEFAULTS, updated_at: head.created_at };
    const imageOf = (kind: ImageKind) => this.toImage(head, kind, images[kind]);
    return {
      ...fields,
      logo: imageOf('logo'),
      logo_dark: imageOf('logo_dark'),
      favicon: imageOf('favicon'),
      status_page_id: head.id,
      project_id: head.project_id,
      updated_at,
    };
  }

  private toImage(
    { slug }: PageHead,
    kind: ImageKind,
    image: StoredImage | undefined,
  ): BrandingImageDto | null {
    if (!image) return null;
    const { hash, content_type, width, height, size } = image;
    const file = `${kind.replace('_', '-')}-${hash}.${EXTENSIONS[content_type]}`;
    return { url: `${this.publicUrl.value}/status/${slug}/${file}`, content_type, width, height, size };
  }
}

function refOf({ organization_id, id }: PageHead): PageRef {
  return { organization_id, status_page_id: id };
}

function toLink({ label, url, placement = 'footer' }: BrandingLinkDto): BrandingLink {
  return { label, url, placement };
}
