import { Injectable } from '@nestjs/common';
import { PageUrls } from '../../domains/page-urls.js';
import type { Actor } from '../../platform/auth/actor.js';
import type { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { IncidentReader } from '../incident-reader.js';
import { plain } from '../project-contents.js';

/** A status page, and its address for visitors. */
export interface ReadPage {
  page: StatusPageDto;
  url: string;
}

/** Reads status pages for their screens. */
@Injectable()
export class PageReader {
  constructor(
    private readonly statusPages: StatusPagesService,
    private readonly urls: PageUrls,
    private readonly incidents: IncidentReader,
  ) {}

  /** @throws Problem 404 `not_found` */
  async read(actor: Actor, id: string): Promise<ReadPage> {
    const page = plain(await this.statusPages.get(actor, id));
    return { page, url: this.urls.of(page) };
  }

  /** Returns who has changed a page or its parts last, or undefined if it is not recorded. */
  async lastAuthor(actor: Actor, id: string): Promise<string | undefined> {
    return this.incidents.lastAuthor(actor, id);
  }
}
