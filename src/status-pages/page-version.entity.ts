import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The version of what the pages of a project show. Triggers raise it, see the migration. */
@Entity('page_versions')
export class PageVersion {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  project_id!: string;

  /** The last transaction that has changed what the pages show. */
  @Column('bigint')
  version!: string;
}
