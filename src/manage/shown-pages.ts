import { Injectable } from '@nestjs/common';
import { AudiencesService } from '../deliveries/audiences.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import type { Actor } from '../platform/auth/actor.js';
import { type OwnPage, ProjectContents } from './project-contents.js';

/** Maximum number of pages that a screen names. */
const MAX_NAMED = 5;

/** Pages that show an incident or a maintenance window. */
export interface ShownOn {
  /** At most five of them, public ones first, then by age, oldest first. */
  named: OwnPage[];
  /** Number of all. */
  total: number;
  /** Whether this server can send mail. */
  canMail: boolean;
}

/** Pages that show something after it is published. */
export interface ReviewedPages extends ShownOn {
  /** Whether one of them has subscribers. */
  hasSubscribers: boolean;
}

/** An incident or a maintenance window. */
interface Shown {
  id: string;
  project_id: string;
}

/** Finds the pages that show something, by the rule of the public pages and of mail. */
@Injectable()
export class ShownPages {
  constructor(
    private readonly audiences: AudiencesService,
    private readonly contents: ProjectContents,
    private readonly deliveries: DeliveriesService,
  ) {}

  /**
   * Returns the pages that show a resource now.
   * @param pages the project's newest pages, whose names are known
   */
  async of(
    actor: Actor,
    name: 'incident' | 'maintenance',
    { id, project_id }: Shown,
    pages: readonly OwnPage[],
  ): Promise<ShownOn> {
    const resource = { organization_id: actor.organization_id, project_id, resource_id: id };
    const all = new Set((await this.audiences.pagesShowing(resource, name)).map((page) => page.id));
    const known = pages.filter((page) => all.has(page.id));
    const unknown = [...all].filter((pageId) => !known.some((page) => page.id === pageId));
    const others: OwnPage[] = [];
    for (const pageId of unknown.slice(0, Math.max(0, MAX_NAMED - known.length)))
      others.push(await this.contents.page(actor, pageId));
    const named = [...known.toReversed(), ...others].toSorted(
      (one, other) => Number(other.is_public) - Number(one.is_public),
    );
    return {
      named: named.slice(0, MAX_NAMED),
      total: all.size,
      canMail: this.deliveries.available.some((channel) => channel.name === 'email'),
    };
  }

  /** Returns the same in the dry run of a review, with what is slow if there are many subscribers. */
  async ofReview(
    actor: Actor,
    name: 'incident' | 'maintenance',
    shown: Shown,
    pages: readonly OwnPage[],
  ): Promise<ReviewedPages> {
    const { id: resource_id, project_id } = shown;
    const resource = { organization_id: actor.organization_id, project_id, resource_id };
    const subscribed = await this.audiences.pagesShowing(resource, name, { is_subscribed: true });
    return { ...(await this.of(actor, name, shown, pages)), hasSubscribers: subscribed.length > 0 };
  }
}
