import {
  Check as Constraint,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import { Check } from './check.entity.js';

/** When a check runs next, and what its last runs have found. A separate table, because each run changes it. */
@Entity('check_states')
@Index('check_states_due_idx', ['organization_id', 'due_at'], { where: 'due_at IS NOT NULL' })
@Constraint(
  'check_states_status_check',
  `status IN ('operational', 'degraded_performance', 'partial_outage', 'major_outage')`,
)
@Constraint('check_states_error_check', 'char_length(error) <= 200')
export class CheckState {
  @PrimaryColumn('uuid')
  organization_id!: string;

  @PrimaryColumn('uuid')
  check_id!: string;

  @ManyToOne(() => Check, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'check_id', referencedColumnName: 'id' },
  ])
  check?: Relation<Check>;

  /** Start of the next run; null: the check is disabled. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  due_at!: Date | null;

  /** Fencing token. Each start of a run and each change of the check increases it, so that an outdated result is not recorded. */
  @Column('integer', { default: 0 })
  token!: number;

  /** Status that the runs report; null: not decided yet. */
  @Column('text', { nullable: true })
  status!: ReportedStatus | null;

  /** Whether enough runs have failed in a row, and not enough have succeeded since. */
  @Column('boolean', { default: false })
  is_failing!: boolean;

  /** Failures in a row. */
  @Column('integer', { default: 0 })
  failed_runs!: number;

  /** Successes in a row. */
  @Column('integer', { default: 0 })
  successful_runs!: number;

  /** Successes in a row that took longer than `degraded_above_ms`. */
  @Column('integer', { default: 0 })
  slow_runs!: number;

  /** Start of the last run, also of one that is in flight; null: no run has begun. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  started_at!: Date | null;

  /** Start of the last run whose result is known; null: no result yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checked_at!: Date | null;

  @Column('integer', { nullable: true })
  duration_ms!: number | null;

  /** Why the last run has failed; null: it has not. */
  @Column('text', { nullable: true })
  error!: string | null;
}
