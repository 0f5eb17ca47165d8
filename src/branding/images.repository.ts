import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import type { ImageKind } from './branding-values.js';
import type { ImageType, ImageInfo } from './images/image-values.js';
import { type PageRef, parametersOf } from '../status-pages/page-ref.js';

/** A picture with its bytes. */
export interface ImageContent {
  content_type: ImageType;
  bytes: Buffer;
}

/** Reads and writes the table `status_page_images`. */
@Injectable()
export class ImagesRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns a picture of a page, or undefined if its hash is another one. */
  async find(
    page: PageRef,
    kind: ImageKind,
    hash: string,
    manager: EntityManager,
  ): Promise<ImageContent | undefined> {
    const [image] = await this.runner.read<ImageContent>(
      `SELECT content_type, bytes
         FROM status_page_images
        WHERE organization_id = $1 AND status_page_id = $2 AND kind = $3 AND hash = $4`,
      [...parametersOf(page), kind, hash],
      manager,
    );
    return image;
  }

  /** Inserts or replaces a picture of a page. Returns whether it has changed. The transaction must have locked the page. */
  async put(
    page: PageRef,
    kind: ImageKind,
    { hash, content_type, width, height, size }: ImageInfo,
    bytes: Buffer,
    manager: EntityManager,
  ): Promise<boolean> {
    const rows = await this.runner.query(
      `INSERT INTO status_page_images AS image
                   (organization_id, status_page_id, kind, hash, content_type, width, height, size, bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (status_page_id, kind) DO UPDATE
         SET hash = excluded.hash, content_type = excluded.content_type, width = excluded.width,
             height = excluded.height, size = excluded.size, bytes = excluded.bytes
       WHERE image.bytes <> excluded.bytes
       RETURNING kind`,
      [...parametersOf(page), kind, hash, content_type, width, height, size, bytes],
      manager,
    );
    return rows.length > 0;
  }

  /** Deletes a picture of a page. Returns false if it does not exist. */
  async remove(page: PageRef, kind: ImageKind, manager: EntityManager): Promise<boolean> {
    const rows = await this.runner.query(
      `DELETE FROM status_page_images
        WHERE organization_id = $1 AND status_page_id = $2 AND kind = $3
       RETURNING kind`,
      [...parametersOf(page), kind],
      manager,
    );
    return rows.length > 0;
  }
}
