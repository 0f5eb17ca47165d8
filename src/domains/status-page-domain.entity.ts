import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Routing } from './routing-probe.js';
import { DeletedWithPage } from '../status-pages/deleted-with-page.entity.js';

export const DOMAIN_STATUSES = ['pending', 'verified', 'lost'] as const;

export type DomainStatus = (typeof DOMAIN_STATUSES)[number];

/**
 * The claim of a page to its `custom_domain`. Triggers insert and delete the rows when the domain of a page changes. Only a verified
 * domain is served.
 */
@Entity('status_page_domains')
@Check('status_page_domains_status_check', `status IN ('pending', 'verified', 'lost')`)
@Index('status_page_domains_verified_idx', ['domain'], { unique: true, where: `status = 'verified'` })
@Index('status_page_domains_domain_idx', ['domain'])
@Index('status_page_domains_next_check_idx', ['next_check_at'])
export class StatusPageDomain extends DeletedWithPage {
  @PrimaryColumn('uuid')
  status_page_id!: string;

  @Column('text')
  domain!: string;

  @Column('text', { default: 'pending' })
  status!: DomainStatus;

  /** Values of the TXT records that the last check found; null before the first check, and if DNS failed. */
  @Column('text', { array: true, nullable: true })
  found!: string[] | null;

  /** Why the last check could not query DNS. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Destination of the domain, by its last check; null before the first one. */
  @Column('jsonb', { nullable: true })
  routing!: Routing | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  claimed_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checked_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  verified_at!: Date | null;

  /** Since when checks of a verified domain have not found the record. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  missing_since!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  next_check_at!: Date;
}
