import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Content version of a project's pages. Triggers increase it, see the migration. */
@Entity('page_versions')
export class PageVersion {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  project_id!: string;

  /** Last transaction that changed the contents. */
  @Column('bigint')
  version!: string;
}
