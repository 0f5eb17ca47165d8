import { Column } from 'typeorm';
import type { ActorType } from './actor.js';

/** Columns that name a change's actor. They remain if the actor is deleted. */
export abstract class ActorColumns {
  /** null: an older version wrote the row. */
  @Column('text', { nullable: true })
  actor_type!: ActorType | null;

  @Column('uuid', { nullable: true })
  actor_id!: string | null;

  /** Name of the actor at that time. */
  @Column('text', { nullable: true })
  actor_name!: string | null;
}
