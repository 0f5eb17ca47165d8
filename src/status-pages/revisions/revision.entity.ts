import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type Operation, OPERATIONS } from '../revision-statements.js';

/**
 * A change of a status page. It stores only the values that it replaced: the page as it stood after a revision has, for each
 * field, the value that the earliest later revision replaced, or else that of today. So a small change costs a small row, and
 * the removal of the oldest revisions loses nothing of the others.
 */
@Entity('status_page_revisions')
@Check(
  'status_page_revisions_operation_check',
  `operation IN (${OPERATIONS.map((operation) => `'${operation}'`).join(', ')})`,
)
@Index('status_page_revisions_created_at_idx', ['created_at'])
export class Revision {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  status_page_id!: string;

  /** 1 for the first change of the page, without gaps. */
  @PrimaryColumn('integer')
  number!: number;

  @Column('text')
  operation!: Operation;

  /** The API key of the request; null: the command line, or a demo. */
  @Column('uuid', { nullable: true })
  api_key_id!: string | null;

  /** The name of the key at that time. */
  @Column('text', { nullable: true })
  api_key_name!: string | null;

  @Column('text', { array: true })
  changed_fields!: string[];

  /** The values of `changed_fields` before the change. */
  @Column('jsonb')
  before!: object;

  /** The time of the change: `updated_at` of the page after it. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
