import { Column, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { Member } from './member.entity.js';

/** Base class of entities that are deleted with their member. The foreign key has `ON DELETE CASCADE`. */
export abstract class DeletedWithMember {
  @Column('uuid')
  organization_id!: string;

  @Column('uuid')
  member_id!: string;

  @ManyToOne(() => Member, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'organization_id', referencedColumnName: 'organization_id' },
    { name: 'member_id', referencedColumnName: 'id' },
  ])
  member?: Relation<Member>;
}
