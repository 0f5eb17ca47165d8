import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPage } from '../status-pages/deleted-with-page.entity.js';
import type { ImageKind } from './branding-values.js';
import type { ImageType } from './images/image-values.js';

/** A picture of a page, as it was uploaded. */
@Entity('status_page_images')
@Check('status_page_images_kind_check', `kind IN ('logo', 'logo_dark', 'favicon')`)
@Check('status_page_images_hash_check', `hash ~ '^[0-9a-f]{16}$'`)
@Check(
  'status_page_images_content_type_check',
  `content_type IN ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')`,
)
@Check('status_page_images_width_check', 'width BETWEEN 1 AND 4096')
@Check('status_page_images_height_check', 'height BETWEEN 1 AND 4096')
@Check('status_page_images_size_check', 'size = octet_length(bytes) AND size BETWEEN 1 AND 524288')
export class StatusPageImage extends DeletedWithPage {
  @PrimaryColumn('uuid')
  status_page_id!: string;

  @PrimaryColumn('text')
  kind!: ImageKind;

  /** First 16 hexadecimal digits of the SHA-256 hash. */
  @Column('text')
  hash!: string;

  @Column('text')
  content_type!: ImageType;

  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('integer')
  size!: number;

  @Column('bytea')
  bytes!: Buffer;
}
