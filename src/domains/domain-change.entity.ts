import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Time of the last change of a domain that is or was served, so that all processes can follow the changes. */
@Entity('domain_changes')
@Index('domain_changes_changed_idx', ['changed_at'])
export class DomainChange {
  @PrimaryColumn('text')
  domain!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  changed_at!: Date;
}
