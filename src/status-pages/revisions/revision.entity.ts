import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ActorColumns } from '../../platform/auth/actor-columns.js';
import { type Operation, OPERATIONS } from '../revision-statements.js';

/**
 * A revision of a status page. Stores only the replaced values. For each field, the page after a revision has the value that
 * the earliest later revision replaced, or the current value. So a small change needs a small row, and the oldest revisions can
 * be deleted without a loss for the others.
 */
@Entity('status_page_revisions')
@Check(
  'status_page_revisions_operation_check',
  `operation IN (${OPERATIONS.map((operation) => `'${operation}'`).join(', ')})`,
)
@Index('status_page_revisions_created_at_idx', ['created_at'])
export class Revision extends ActorColumns {
  @Column('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  status_page_id!: string;

  /** Revision number. Starts at 1, without gaps. */
  @PrimaryColumn('integer')
  number!: number;

  @Column('text')
  operation!: Operation;

  /** API key of the request; null: another actor. Written for the former version, which stores no other actor. */
  @Column('uuid', { nullable: true })
  api_key_id!: string | null;

  @Column('text', { nullable: true })
  api_key_name!: string | null;

  @Column('text', { array: true })
  changed_fields!: string[];

  /** Values of `changed_fields` before the change. */
  @Column('jsonb')
  before!: object;

  /** Time of the change: `updated_at` of the page after it. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
