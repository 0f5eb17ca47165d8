import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import { PageUrls } from '../domains/page-urls.js';
import type { ExpectedVersions } from '../platform/database/versions.js';
import { changesOf } from '../platform/log/changes.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { notFound, preconditionFailed } from '../platform/problems/problem.js';
import { type PageHead, PageLookupService } from '../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { type Branding, type BrandingLink, IMAGE_KINDS, type ImageKind } from './branding-values.js';
import { EXTENSIONS, type ImageExtension, type ImageInfo } from './images/image-values.js';
import { type BrandingFields, BrandingRepository } from './branding.repository.js';
import { ImageReader } from './images/image-reader.js';
import { type ImageContent, ImagesRepository } from './images.repository.js';
import type { PageRef } from '../status-pages/page-ref.js';
import type { BrandingDto, BrandingImageDto, BrandingLinkDto } from './dto/branding.dto.js';
import type { UpdateBrandingDto } from './dto/update-branding.dto.js';

const IMAGE_NAMES: Record<ImageKind, string> = {
  logo: 'logo',
  logo_dark: 'logo for dark backgrounds',
  favicon: 'favicon',
};

/** Manages the branding of status pages: language, time zone, links, theme and pictures. Every page has a branding. */
@Injectable()
export class BrandingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: BrandingRepository,
    private readonly images: ImagesRepository,
    private readonly imageReader: ImageReader,
    private readonly statusPages: StatusPagesService,
    private readonly pageLookup: PageLookupService,
    private readonly pageUrls: PageUrls,
    private readonly log: WriteLog,
  ) {}

  /** Returns the branding of a page, for visitors. */
  async shownOn(page: PageRef, manager: EntityManager): Promise<Branding> {
    return this.repository.findOfPage(page, manager);
  }

  /** Returns the time zones of pages of an organization, by their IDs. */
  async timeZonesOf(organizationId: string, pageIds: string[]): Promise<Map<string, string>> {
    return this.repository.findTimeZones(organizationId, pageIds);
  }

  /** Returns the picture of a page that has this file name, for visitors. */
  async imageOf(
    page: PageRef,
    { name, hash, extension }: { name: string; hash: string; extension: ImageExtension },
    manager: EntityManager,
  ): Promise<ImageContent | undefined> {
    const kind = IMAGE_KINDS.find((one) => toName(one) === name);
    const image = kind && (await this.images.find(page, kind, hash, manager));
    return image && EXTENSIONS[image.content_type] === extension ? image : undefined;
  }

  /** Returns a picture of a page, for its members. @throws Problem 404 `not_found`, also if the page has no such picture */
  async picture(actor: Actor, id: string, kind: ImageKind): Promise<ImageContent> {
    const page = refOf(await this.pageLookup.head(actor, id));
    const { [kind]: image } = await this.repository.findOfPage(page);
    const found = image && (await this.images.find(page, kind, image.hash, this.dataSource.manager));
    if (!found) throw notFound(IMAGE_NAMES[kind]);
    return found;
  }

  /** @throws Problem 404 `not_found` */
  async get(actor: Actor, id: string): Promise<BrandingDto> {
    return this.brandingOf(await this.pageLookup.head(actor, id));
  }

  /**
   * Updates the branding of a page. Omitted fields keep their values.
   * @param expected the versions of `If-Match`
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  async update(
    actor: Actor,
    id: string,
    { links, ...patch }: UpdateBrandingDto,
    expected: ExpectedVersions,
  ): Promise<BrandingDto> {
    const fields = { ...patch, ...(links && { links: links.map(toLink) }) };
    return this.change(actor, id, expected, async (page, manager) => {
      await this.repository.patch(page, fields, manager);
    });
  }

  /**
   * Sets the branding of a page that the transaction of `manager` has created.
   * @param images files, each in one of the supported formats
   */
  async createIn(
    { organization_id }: Actor,
    page: Pick<PageHead, 'id' | 'created_at'>,
    fields: Partial<BrandingFields>,
    images: Partial<Record<ImageKind, Buffer>>,
    manager: EntityManager,
  ): Promise<void> {
    const ref = refOf({ ...page, organization_id });
    await this.repository.insertDefaults(ref, page.created_at, manager);
    await this.repository.patch(ref, fields, manager);
    for (const kind of IMAGE_KINDS) {
      const file = images[kind];
      if (!file) continue;
      const image = await this.imageReader.read(organization_id, file);
      await this.images.put(ref, kind, image, file, manager);
    }
  }

  /**
   * Stores a picture of a page.
   * @param bytes a file in any of the supported formats
   * @throws Problem 404 `not_found`; 412 `precondition_failed`; 415, 413 and 400 as `readImage`; 503 `unavailable`
   */
  async putImage(
    actor: Actor,
    id: string,
    kind: ImageKind,
    bytes: Uint8Array,
    expected: ExpectedVersions,
  ): Promise<BrandingDto> {
    const { organization_id } = await this.pageLookup.head(actor, id);
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const image = await this.imageReader.read(organization_id, file);
    return this.change(actor, id, expected, async (page, manager) => {
      if (await this.images.put(page, kind, image, file, manager)) await this.repository.touch(page, manager);
    });
  }

  /**
   * Deletes a picture of a page.
   * @throws Problem 404 `not_found`, also if the page has no such picture; 412 `precondition_failed`
   */
  async deleteImage(actor: Actor, id: string, kind: ImageKind, expected: ExpectedVersions): Promise<void> {
    await this.change(actor, id, expected, async (page, manager) => {
      if (!(await this.images.remove(page, kind, manager))) throw notFound(IMAGE_NAMES[kind]);
      await this.repository.touch(page, manager);
    });
  }

  /**
   * Runs a change in a transaction. Locks the page first, so that concurrent changes of its branding wait.
   * @throws Problem 404 `not_found`; 412 `precondition_failed`
   */
  private async change(
    actor: Actor,
    id: string,
    expected: ExpectedVersions,
    change: (page: PageRef, manager: EntityManager) => Promise<void>,
  ): Promise<BrandingDto> {
    return this.dataSource.transaction(async (manager) => {
      await this.statusPages.lockOwn(actor, id, undefined, manager);
      const head = await this.pageLookup.head(actor, id, manager);
      const page = refOf(head);
      await this.repository.insertDefaults(page, head.created_at, manager);
      if (!(await this.repository.lock(page, expected, manager))) throw preconditionFailed();
      const before = await this.brandingOf(head, manager);
      await change(page, manager);
      const after = await this.brandingOf(head, manager);
      const { project_id } = head;
      const changes = changesOf(before, after, ['support_url']); // usually a mail address
      await this.log.recordChange(
        { actor, type: 'branding.updated', project_id, resource_id: id, changes },
        manager,
      );
      return after;
    });
  }

  private async brandingOf(head: PageHead, manager?: EntityManager): Promise<BrandingDto> {
    const { updated_at, ...branding } = await this.repository.findOfPage(refOf(head), manager);
    const imageOf = (kind: ImageKind) => this.toImage(head, kind, branding[kind]);
    return {
      ...branding,
      logo: imageOf('logo'),
      logo_dark: imageOf('logo_dark'),
      favicon: imageOf('favicon'),
      status_page_id: head.id,
      project_id: head.project_id,
      updated_at: updated_at ?? head.created_at,
    };
  }

  private toImage(page: PageHead, kind: ImageKind, image: ImageInfo | null): BrandingImageDto | null {
    if (!image) return null;
    const { hash, content_type, width, height, size } = image;
    const file = `${toName(kind)}-${hash}.${EXTENSIONS[content_type]}`;
    return { url: `${this.pageUrls.of(page)}/${file}`, content_type, width, height, size };
  }
}

/** Returns the name of a picture in paths: `logo-dark`. */
function toName(kind: ImageKind): string {
  return kind.replace('_', '-');
}

function refOf({ organization_id, id }: Pick<PageHead, 'id' | 'organization_id'>): PageRef {
  return { organization_id, status_page_id: id };
}

function toLink({ label, url, placement = 'footer' }: BrandingLinkDto): BrandingLink {
  return { label, url, placement };
}
