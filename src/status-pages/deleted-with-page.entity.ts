import { Column, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { StatusPage } from './status-page.entity.js';

/**
 * Base class of entities that are deleted with their status page. The column `status_page_id` can be part of their primary key. The
 * foreign key includes the organization, so that a row cannot reference a page of another organization.
 */
export abstract class DeletedWithPage {
  @Column('uuid')
  organization_id!: string;

  @ManyToOne(() => StatusPage, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'status_page_id', referencedColumnName: 'id' },
  ])
  status_page?: Relation<StatusPage>;
}
