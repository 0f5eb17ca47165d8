import type { EntityManager } from 'typeorm';
import type { AccessLinksService } from '../access/access-links.service.js';
import type { MembersService } from '../members/members.service.js';
import type { Actor } from '../platform/auth/actor.js';
import type { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import type { SubscriberCreation } from '../subscribers/subscriber-creation.js';

/** A link that signs in once, and the address of its member, who can request others. */
export interface FirstSignIn {
  email: string;
  url: string;
}

/** Services that create what people use. */
interface Services {
  accessLinks: AccessLinksService;
  subscribers: SubscriberCreation;
  members: MembersService;
}

/** Creates two members, and a link and a subscriber of a status page, if there is one. */
export async function createPeople(
  actor: Actor,
  page: { id: string; slug: string } | undefined,
  ids: Partial<typeof EXAMPLE_IDS>,
  { accessLinks, subscribers, members }: Services,
  manager: EntityManager,
): Promise<void> {
  if (page) {
    const link = { id: ids.access_link, description: 'Feed reader of the support team' };
    await accessLinks.createIn(actor, page, link, manager);
    await subscribers.addIn(
      actor,
      page.id,
      [{ id: ids.subscriber, email: 'ada@example.com' }],
      { source: 'api', confirmed: true, confirmed_by: null },
      manager,
    );
  }
  const admin = { email: 'admin@example.com', name: 'Demo', role: 'admin' as const };
  await members.createIn(actor, { ...admin, id: ids.admin }, manager);
  const responder = { email: 'ada@example.com', name: 'Ada Lovelace', role: 'responder' as const };
  await members.createIn(actor, { ...responder, id: ids.member }, manager);
}
