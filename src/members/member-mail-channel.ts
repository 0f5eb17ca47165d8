import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ClaimedDelivery } from '../deliveries/channel.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { memberMail } from '../mail/components/member-mail.js';
import { MailTransport } from '../mail/mail-transport.js';
import { type Prepared, RequestMailChannel } from '../mail/request-mail-channel.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { plainName } from '../page-model/plain-text.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { INVITATION, LINK, MEMBER_CHANNEL } from './mail-kinds.js';
import type { MemberLinkRequest } from './member-link-request.entity.js';
import { MemberLinksRepository } from './member-links.repository.js';
import { LINK_MS, MemberLinks } from './member-links.js';
import { MembersRepository } from './members.repository.js';
import type { SignedInMember } from './signed-in-member.js';

/** Maximum number of organizations in one mail. */
const MAX_LINKS = 20;

/** A form of a person who wants a link, or a member who is invited. */
type Request = { form: MemberLinkRequest } | { invited: Pick<SignedInMember, 'organization_id' | 'id'> };

/** Sends links to sign in, and invitations. */
@Injectable()
export class MemberMailChannel extends RequestMailChannel<Request> {
  readonly name = MEMBER_CHANNEL;

  constructor(
    deliveries: DeliveriesService,
    transport: MailTransport,
    @Inject(LOGGER) logger: Logger,
    private readonly repository: MemberLinksRepository,
    private readonly links: MemberLinks,
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsService,
  ) {
    super(deliveries, transport, logger);
  }

  protected async find(deliveries: ClaimedDelivery[]): Promise<Map<string, Request>> {
    const ofForms = deliveries.filter(({ kind }) => kind === LINK);
    const forms = await this.repository.findRequests(ofForms.map(({ recipient_id }) => recipient_id));
    const byId = new Map(forms.map((form) => [form.id, form]));
    return new Map(
      deliveries.flatMap(({ id, kind, organization_id, recipient_id }): [string, Request][] => {
        if (kind === INVITATION) return [[id, { invited: { organization_id, id: recipient_id } }]];
        const form = byId.get(recipient_id);
        return form ? [[id, { form }]] : [];
      }),
    );
  }

  protected async delete(request: Request): Promise<void> {
    if ('form' in request) await this.repository.deleteRequest(request.form.id);
  }

  protected async write({ id, attempts }: ClaimedDelivery, request: Request): Promise<Prepared> {
    if ('form' in request && request.form.created_at.getTime() < Date.now() - LINK_MS)
      return { kind: 'failed', error: 'not sent within 15 minutes' };
    const members = await this.membersOf(request);
    const [first] = members;
    if (!first) return { kind: 'cancelled' };
    const links = await Promise.all(
      members.map(async (member) => ({
        organization: plainName((await this.organizations.find(member.organization_id))?.name ?? ''),
        url: this.links.urlOf(await this.links.create(member)),
      })),
    );
    const mail = memberMail('form' in request ? 'link' : 'invitation', links);
    return { ...mail, to: first.email, page_name: 'Status Pages', isReply: true, key: `${id}:${attempts}` };
  }

  /** Returns the members who may sign in. */
  private async membersOf(request: Request): Promise<SignedInMember[]> {
    if ('form' in request) return this.members.findByEmail(request.form.email, MAX_LINKS);
    const invited = await this.members.findOne(request.invited);
    return invited?.status === 'invited' ? [invited] : [];
  }
}
