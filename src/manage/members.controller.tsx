import { Controller, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CreateMemberDto } from '../members/dto/create-member.dto.js';
import type { MemberDto } from '../members/dto/member.dto.js';
import { SETTABLE_STATUSES, UpdateMemberDto } from '../members/dto/update-member.dto.js';
import { MembersService } from '../members/members.service.js';
import { SignIn } from '../members/sign-in.js';
import { Problem } from '../platform/problems/problem.js';
import { AttemptLimits } from '../platform/server/attempt-limits.js';
import { check, type Errors, errorsOf } from './errors-of-fields.js';
import {
  MEMBER_LABELS,
  type MemberValues,
  readMember,
  renderDeletion,
  renderInvitation,
  renderMember,
} from './member-form.js';
import { renderMembers } from './members-page.js';
import { OwnId } from './own-id.js';
import { OwnMembers } from './own-members.js';
import { ProjectContents } from './project-contents.js';
import { Publishing, versionIn } from './publishing.js';
import { goTo, type Reply } from './reply.js';
import { Form, Screen } from './routes.js';
import { type Visit, Visiting } from './visit.js';
import { WORDS } from './words.js';

const { members: words, sign_in } = WORDS;

const PATH = '/manage/members';

/** Lists, invites, changes and deletes members, by the service of the API. */
@Controller('manage/members')
export class MemberScreensController {
  constructor(
    private readonly members: MembersService,
    private readonly own: OwnMembers,
    private readonly contents: ProjectContents,
    private readonly publishing: Publishing,
    private readonly signIn: SignIn,
    private readonly limits: AttemptLimits,
  ) {}

  @Screen('', 'members:read')
  async list(@Visiting() visit: Visit): Promise<Reply> {
    const found = await this.own.list(visit.actor, visit.query);
    const invited = found.rows.find(({ id }) => id === visit.query.get('invited'));
    return renderMembers(visit, {
      ...found,
      sendsMail: this.signIn.sendsMail,
      invitation: invited && this.placeOf(invited),
    });
  }

  @Screen('new', 'members:write')
  async showInvitation(@Visiting() visit: Visit): Promise<Reply> {
    const { project_ids } = visit.actor;
    return this.invitation(visit, { email: '', name: '', role: 'responder', project_ids });
  }

  @Form('', 'members:write')
  async invite(@Visiting() visit: Visit): Promise<Reply> {
    const values = readMember(visit.sent);
    const { value, errors } =
      bothChosen(visit.sent) ?? check(CreateMemberDto, withoutEmpty(values), MEMBER_LABELS);
    if (!value) return this.invitation(visit, values, withProjects(errors, values));
    try {
      return await this.publishing.once(visit, async () => {
        const { id } = await this.members.create(visit.actor, value);
        return goTo(`${PATH}?done=invited&invited=${id}`);
      });
    } catch (error) {
      return this.invitation(visit, values, errorsOf(error, MEMBER_LABELS));
    }
  }

  @Screen(':id', 'members:write')
  async show(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return this.member(visit, await this.own.one(visit.actor, id));
  }

  @Form(':id', 'members:write')
  async save(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const member = await this.own.one(visit.actor, id);
    const values = readMember(visit.sent);
    const { value, errors } =
      bothChosen(visit.sent) ?? check(UpdateMemberDto, changesOf(member, values), MEMBER_LABELS);
    if (!value) return this.member(visit, member, { values, errors: withProjects(errors, values) });
    return this.change(visit, id, values, async () => {
      await this.members.update(visit.actor, id, value, versionIn(visit.sent));
      return goTo(`${PATH}?done=saved`);
    });
  }

  @Form(':id/status', 'members:write')
  async setStatus(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const status = SETTABLE_STATUSES.find((one) => one === visit.sent.get('status'));
    if (status === undefined) return this.show(visit, id);
    return this.change(visit, id, undefined, async () => {
      await this.members.update(visit.actor, id, { status }, versionIn(visit.sent));
      return goTo(`${PATH}?done=saved`);
    });
  }

  @Screen(':id/delete', 'members:write')
  async askToDelete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    return renderDeletion(visit, await this.own.one(visit.actor, id));
  }

  /** Asks again without the step of the button, for example after another sign-in. */
  @Form(':id/delete', 'members:write')
  async delete(@Visiting() visit: Visit, @Param('id', OwnId) id: string): Promise<Reply> {
    const member = await this.own.one(visit.actor, id);
    if (visit.sent.get('step') !== 'delete') return renderDeletion(visit, member);
    try {
      await this.members.delete(visit.actor, id, versionIn(visit.sent));
      return goTo(`${PATH}?done=deleted`);
    } catch (error) {
      const errors = isStale(error) ? { form: words.changed } : errorsOf(error, MEMBER_LABELS);
      return renderDeletion(visit, member, errors);
    }
  }

  /** Sends a link as the screen to sign in does, by mail only. */
  @Form(':id/link', 'members:write')
  async sendLink(
    @Visiting() visit: Visit,
    @Req() request: Request,
    @Param('id', OwnId) id: string,
  ): Promise<Reply> {
    const member = await this.own.one(visit.actor, id);
    const result = await this.signIn.requestLink(member.email, this.limits.networkOf(request));
    if (result.kind === 'requested') return goTo(`${PATH}?done=link`);
    const form = result.kind === 'no_mail' ? words.no_mail : sign_in.too_many(result.seconds);
    return this.member(visit, member, { errors: { form } });
  }

  /** Changes a member, or shows what prevents it beside the sent values. */
  private async change(
    visit: Visit,
    id: string,
    values: MemberValues | undefined,
    write: () => Promise<Reply>,
  ): Promise<Reply> {
    try {
      return await write();
    } catch (error) {
      const isChanged = isStale(error);
      const member = await this.own.one(visit.actor, id);
      if (isChanged) return this.member(visit, member, { values, isChanged });
      const errors = errorsOf(error, MEMBER_LABELS);
      // The last admin: the only conflict of a change. A form without a role shows it at its top.
      const isAtRole = error instanceof Problem && error.code === 'conflict' && values !== undefined;
      const atRole = isAtRole && { role: errors['form'] ?? '', form: WORDS.errors.summary(1) };
      return this.member(visit, member, { values, errors: { ...errors, ...atRole } });
    }
  }

  /** Returns where the mail of an invitation is, in words; undefined: the server cannot send mail. */
  private placeOf({ email }: MemberDto): string | undefined {
    const { mail, mailDirectory } = this.signIn;
    if (mailDirectory !== undefined) return words.written(email, mailDirectory);
    return mail === 'server' ? words.mailed(email) : undefined;
  }

  private async invitation(visit: Visit, values: MemberValues, errors?: Errors): Promise<Reply> {
    const { projects } = await this.contents.projects(visit.actor);
    return renderInvitation(visit, { values, projects, errors });
  }

  private async member(
    visit: Visit,
    member: MemberDto,
    {
      values = member,
      ...result
    }: { values?: MemberValues | undefined; errors?: Errors; isChanged?: boolean } = {},
  ): Promise<Reply> {
    const { projects } = await this.contents.projects(visit.actor);
    return renderMember(visit, { member, values, projects, canMail: this.signIn.sendsMail, ...result });
  }
}

/** Returns an error if a form contains all projects and some of them, because the member could get more rights than meant. */
function bothChosen(sent: URLSearchParams): { value?: never; errors: Errors } | undefined {
  if (sent.get('projects') !== 'all' || !sent.has('project_ids')) return undefined;
  return { errors: { project_ids: words.projects_both, form: WORDS.errors.summary_of([words.projects]) } };
}

function isStale(error: unknown): boolean {
  return error instanceof Problem && error.code === 'precondition_failed';
}

/** Returns the values of a form without empty ones, which are missing for the API. */
function withoutEmpty(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** Returns the fields that differ from the member. A role that is sent unchanged would be checked as a granted one. */
function changesOf(member: MemberDto, { name, role, project_ids }: MemberValues): object {
  const sorted = (ids: string[] | null) => ids?.toSorted().join() ?? null;
  return {
    ...(name !== member.name && { name }),
    ...(role !== member.role && { role }),
    ...(sorted(project_ids) !== sorted(member.project_ids) && { project_ids }),
  };
}

/** Replaces the error of an empty list of projects. */
function withProjects(errors: Errors, { project_ids }: MemberValues): Errors {
  return project_ids?.length === 0 ? { ...errors, project_ids: words.projects_missing } : errors;
}
