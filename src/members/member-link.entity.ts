import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { DeletedWithMember } from './deleted-with-member.entity.js';

/** A link that signs a member in once. The token itself is not stored. */
@Entity('member_links')
@Index('member_links_member_idx', ['organization_id', 'member_id'])
@Index('member_links_expires_at_idx', ['expires_at'])
export class MemberLink extends DeletedWithMember {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea')
  token_hash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
