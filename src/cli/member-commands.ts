import type { INestApplicationContext } from '@nestjs/common';
import { type Command, InvalidArgumentError } from 'commander';
import { MemberLinks } from '../members/member-links.js';
import type { MemberRef } from '../members/member-sessions.repository.js';
import { MembersService } from '../members/members.service.js';
import { type Role, ROLES } from '../members/roles.js';
import { type Actor, commandLine } from '../platform/auth/actor.js';
import { DEFAULT_ORGANIZATION_ID } from '../platform/database/default-organization.js';
import { isEmailAddress } from '../subscribers/email-address.js';
import { CliError } from './cli-error.js';
import { addListCommand, type PageOptions, parseName, parseUuid, wordOf } from './options.js';
import type { RunCommand } from './program.js';
import { requireOrganization } from './require.js';

interface NewMember {
  email: string;
  name: string;
  role: Role;
  organization: string;
}

/** Adds `member create`, `member list` and `member link`, see `docs/cli.md`. */
export function addMemberCommands(program: Command, run: RunCommand): void {
  const members = program.command('member').description('manage members, who sign in to the console');
  members
    .command('create')
    .description(
      'invite a member and print a link that signs in once, within 15 minutes; also sends an invitation if the instance can send mail',
    )
    .requiredOption('--email <email>', 'email address', parseEmail)
    .requiredOption('--name <name>', 'display name', parseName)
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}`, wordOf(ROLES))
    .option('--organization <id>', 'organization of the member', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ organization, ...member }: NewMember) =>
      run(async (app) => {
        await requireOrganization(app, organization);
        const actor = commandLine('member create', organization);
        const created = await app.get(MembersService, { strict: false }).create(actor, member);
        return {
          ...created,
          url: await linkOf(app, actor, { organization_id: organization, id: created.id }),
        };
      }),
    );
  addListCommand(members, 'list the members of an organization')
    .option('--organization <id>', 'organization of the members', parseUuid, DEFAULT_ORGANIZATION_ID)
    .action(({ organization: organization_id, ...page }: PageOptions & { organization: string }) =>
      run(async (app) => {
        await requireOrganization(app, organization_id);
        return app.get(MembersService, { strict: false }).list({ organization_id, project_ids: null }, page);
      }),
    );
  members
    .command('link')
    .description('print a link that signs a member in once, within 15 minutes')
    .argument('<email>', 'email address of the member', parseEmail)
    .option('--organization <id>', 'organization of the member, if several have the address', parseUuid)
    .action((email: string, { organization }: { organization?: string }) =>
      run(async (app) => {
        const found = await app
          .get(MembersService, { strict: false })
          .findForAdministrator(email, organization);
        const [member] = found;
        if (!member) throw new CliError('no member with this address can sign in');
        if (found.length > 1) {
          const ids = found.map(({ organization_id }) => organization_id).join(', ');
          throw new CliError(
            `several organizations have a member with this address; pass --organization: ${ids}`,
          );
        }
        const { id, organization_id, role } = member;
        return {
          id,
          organization_id,
          role,
          url: await linkOf(app, commandLine('member link', organization_id), member),
        };
      }),
    );
}

/** Returns a link that signs a member in once. */
async function linkOf(app: INestApplicationContext, actor: Actor, member: MemberRef): Promise<string> {
  const links = app.get(MemberLinks, { strict: false });
  return links.urlOf(await links.createBy(actor, member));
}

function parseEmail(value: string): string {
  if (isEmailAddress(value)) return value;
  throw new InvalidArgumentError('It must be an email address such as ada@example.com.');
}
