import {
  Check as Constraint,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  type Relation,
  Unique,
} from 'typeorm';
import type { ReportedStatus } from '../monitors/monitor-status.js';
import { Monitor } from '../monitors/monitor.entity.js';
import { ProjectOwned } from '../projects/project-owned.entity.js';
import type { RecordType } from '../platform/network/dns.js';
import type { CheckType, HttpMethod } from './probes/target.js';

/** Statuses that a failing check can set. */
export const FAILURE_STATUSES = ['degraded_performance', 'partial_outage', 'major_outage'] as const;

/** A check of a system, which reports the status of a monitor. A monitor has at most one. Deleted with its monitor. */
@Entity('checks')
@Index('checks_list_idx', ['organization_id', 'project_id', 'created_at', 'id'])
@Unique('checks_organization_id_id_key', ['organization_id', 'id'])
@Index('checks_monitor_idx', ['organization_id', 'monitor_id'], { unique: true })
@Constraint('checks_type_check', `type IN ('http', 'tcp', 'dns', 'tls')`)
@Constraint('checks_target_check', 'char_length(target) BETWEEN 1 AND 2048')
@Constraint('checks_interval_seconds_check', 'interval_seconds BETWEEN 30 AND 86400')
@Constraint('checks_timeout_seconds_check', 'timeout_seconds BETWEEN 1 AND 30')
@Constraint('checks_failures_check', 'failures BETWEEN 1 AND 10')
@Constraint('checks_recoveries_check', 'recoveries BETWEEN 1 AND 10')
@Constraint('checks_degraded_above_ms_check', 'degraded_above_ms BETWEEN 1 AND 30000')
@Constraint(
  'checks_status_on_failure_check',
  `status_on_failure IN ('degraded_performance', 'partial_outage', 'major_outage')`,
)
@Constraint('checks_method_check', `method IN ('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')`)
@Constraint('checks_header_names_check', 'cardinality(header_names) <= 20')
@Constraint('checks_body_check', 'char_length(body) <= 10000')
@Constraint('checks_expected_status_check', 'char_length(expected_status) <= 79')
@Constraint('checks_body_contains_check', 'char_length(body_contains) BETWEEN 1 AND 500')
@Constraint('checks_record_type_check', `record_type IN ('A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT')`)
@Constraint('checks_expected_check', 'char_length(expected) BETWEEN 1 AND 500')
@Constraint('checks_days_before_expiry_check', 'days_before_expiry BETWEEN 1 AND 90')
export class Check extends ProjectOwned {
  @Column('uuid')
  monitor_id!: string;

  @ManyToOne(() => Monitor, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'monitor_id', referencedColumnName: 'id' },
  ])
  monitor?: Relation<Monitor>;

  @Column('text')
  type!: CheckType;

  /** A URL (`http`), a host and a port (`tcp`, `tls`), or a name (`dns`). */
  @Column('text')
  target!: string;

  @Column('integer', { default: 60 })
  interval_seconds!: number;

  @Column('integer', { default: 10 })
  timeout_seconds!: number;

  /** Failures in a row that change the status. */
  @Column('integer', { default: 2 })
  failures!: number;

  /** Successes in a row that end `status_on_failure`. */
  @Column('integer', { default: 1 })
  recoveries!: number;

  /** A slower success reports `degraded_performance`; null: no success does. */
  @Column('integer', { nullable: true })
  degraded_above_ms!: number | null;

  @Column('text', { default: 'major_outage' })
  status_on_failure!: Exclude<ReportedStatus, 'operational'>;

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('text', { default: 'GET' })
  method!: HttpMethod;

  /** Names of the headers, in lower case. */
  @Column('text', { array: true, default: [] })
  header_names!: string[];

  /** The headers as encrypted JSON; null: none. */
  @Column('bytea', { nullable: true })
  encrypted_headers!: Buffer | null;

  @Column('text', { default: '' })
  body!: string;

  /** Codes and ranges of HTTP statuses, such as `200-299,401`. */
  @Column('text', { default: '200-399' })
  expected_status!: string;

  /** Text that the response must contain; null: any response. */
  @Column('text', { nullable: true })
  body_contains!: string | null;

  @Column('boolean', { default: true })
  follow_redirects!: boolean;

  @Column('text', { default: 'A' })
  record_type!: RecordType;

  /** Value that one of the records must have; null: any. */
  @Column('text', { nullable: true })
  expected!: string | null;

  @Column('integer', { default: 14 })
  days_before_expiry!: number;
}
