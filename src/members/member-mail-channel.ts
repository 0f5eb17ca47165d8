import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ClaimedDelivery } from '../deliveries/channel.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { type EventDto, ListEventsQuery } from '../events/dto/event.dto.js';
import { EventsService } from '../events/events.service.js';
import { invitationMail, linkMail } from '../mail/components/member-mail.js';
import { headerText } from '../mail/mail-message.js';
import { MailTransport } from '../mail/mail-transport.js';
import { type Prepared, RequestMailChannel } from '../mail/request-mail-channel.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { memberIdOf } from '../platform/auth/actor.js';
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

/** Maximum length of an inviter's name, in characters. */
const MAX_NAME = 60;

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
    private readonly events: EventsService,
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
    const content = { links, sign_in_url: this.links.signInUrl };
    const mail =
      'form' in request ? linkMail(content) : invitationMail(content, await this.inviterOf(request.invited));
    return { ...mail, to: first.email, page_name: 'Status Pages', isReply: true, key: `${id}:${attempts}` };
  }

  /** Returns the name of the member who has invited another one, for a text; undefined: a program, or it is not recorded. */
  private async inviterOf({
    organization_id,
    id,
  }: Pick<SignedInMember, 'organization_id' | 'id'>): Promise<string | undefined> {
    const wanted = { resource_id: id, type: 'member.created', limit: 1 };
    const query = Object.assign(new ListEventsQuery(), wanted);
    const { data } = await this.events.list({ organization_id, project_ids: null }, query);
    const found: Pick<EventDto, 'actor'>[] = JSON.parse(String(data.text));
    const actor = found[0]?.actor;
    if (!actor || memberIdOf(actor) === undefined) return undefined;
    return [...headerText(plainName(actor.name))].slice(0, MAX_NAME).join('');
  }

  /** Returns the members who may sign in. */
  private async membersOf(request: Request): Promise<SignedInMember[]> {
    if ('form' in request) return this.members.findByEmail(request.form.email, MAX_LINKS);
    const invited = await this.members.findOne(request.invited);
    return invited?.status === 'invited' ? [invited] : [];
  }
}
