import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActorAccess } from '../platform/auth/actor.js';
import type { ProjectRef } from '../projects/project-ref.js';
import type { Channel } from './channel.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { type Outgoing, OutgoingRepository } from './outgoing.repository.js';

/** A message that no event causes, such as the confirmation of a subscription. */
export interface NewDelivery extends ProjectRef {
  channel: string;
  kind: string;
  recipient_id: string;
}

/** Registers channels, and creates deliveries that no event causes. */
@Injectable()
export class DeliveriesService {
  readonly channels: Channel[] = [];

  constructor(
    private readonly repository: DeliveriesRepository,
    private readonly outgoing: OutgoingRepository,
  ) {}

  /** Channels on which this process can send. */
  get available(): Channel[] {
    return this.channels.filter(({ isAvailable = true }) => isAvailable);
  }

  register(channel: Channel): void {
    this.channels.push(channel);
  }

  /** Counts the deliveries of the projects that the actor can access, that wait or have failed lately. */
  async countOutgoing(access: ActorAccess): Promise<Outgoing[]> {
    return this.outgoing.count(access);
  }

  /** Creates deliveries that are due now, in the transaction of `manager`. */
  async enqueue(deliveries: NewDelivery[], manager: EntityManager): Promise<void> {
    const rows = deliveries.map((delivery) => ({ ...delivery, event_id: null }));
    await this.repository.insert(rows, manager);
  }
}
