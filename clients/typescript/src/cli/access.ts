import { type Command, Option } from 'commander';
import type { Access, AccessReplace } from '../index.js';
import { collect, NONE } from './arguments.js';
import { readInput } from './files.js';
import type { Result, Run } from './result.js';
import { record } from './text.js';

interface AccessOptions {
  passwordFile?: string;
  email?: string[];
  emailDomain?: string[];
  network?: string[];
}

/** Adds `page access` and `page access-link`. */
export function addAccessCommands(pages: Command, run: Run): void {
  pages
    .command('access')
    .description('show or change who can see a private status page; omitted options keep their values')
    .argument('<page>', 'slug or ID')
    .addOption(
      new Option(
        '--password-file <file>',
        `file that contains the password, because other users of a machine can read command lines; "${NONE}" removes it`,
      ),
    )
    .option('--email <address>', list('email address that gets a link by mail'), collect(String))
    .option('--email-domain <domain>', list('domain whose addresses get a link by mail'), collect(String))
    .option('--network <cidr>', list('address or network that sees the page'), collect(String))
    .addHelpText(
      'after',
      '\nExample:\n  status-pages page access acme --password-file password --network 192.0.2.0/24 --network 2001:db8::/32',
    )
    .action((slugOrId: string, options: AccessOptions, command: Command) =>
      run(command, async (session) => {
        const fields = fieldsOf(options); // reads the file before the first request
        const { id } = await session.page(slugOrId);
        const { statusPages } = session.client;
        const present = await statusPages.access(id);
        if (Object.keys(fields).length === 0) return shown(present);
        const rules = { ...rulesOf(present), ...fields };
        return shown(await statusPages.replaceAccess(id, rules, { ifUnchanged: present }));
      }),
    );

  pages
    .command('access-link')
    .description(
      'create a link that shows a private status page without a password, such as for a feed reader',
    )
    .argument('<page>', 'slug or ID')
    .argument('<description>', 'person or program that uses the link')
    .addHelpText(
      'after',
      '\nExample:\n  status-pages page access-link acme "Feed reader of the support team"',
    )
    .action((slugOrId: string, description: string, _options: object, command: Command) =>
      run(command, async (session) => {
        const { id } = await session.page(slugOrId);
        const link = await session.client.statusPages.accessLinks(id).create({ description });
        return { json: link, text: record({ id: link.id, description, url: link.url }) };
      }),
    );
}

function list(meaning: string): string {
  return `${meaning} (repeatable); replaces all of them, and "${NONE}" removes them`;
}

function fieldsOf({ passwordFile, email, emailDomain, network }: AccessOptions): Partial<AccessReplace> {
  const withoutNone = (values: string[]) => values.filter((value) => value !== NONE);
  return {
    ...(passwordFile !== undefined && {
      password:
        passwordFile === NONE
          ? null
          : readInput(passwordFile)
              .toString()
              .replace(/\r?\n$/, ''),
    }),
    ...(email && { emails: withoutNone(email) }),
    ...(emailDomain && { email_domains: withoutNone(emailDomain) }),
    ...(network && { networks: withoutNone(network) }),
  };
}

/** Returns the rules of a page in the form of a replacement. Secrets that are omitted keep their values. */
function rulesOf({ emails, email_domains, networks, oidc }: Access): AccessReplace {
  return {
    emails,
    email_domains,
    networks,
    oidc: oidc && {
      issuer: oidc.issuer,
      client_id: oidc.client_id,
      email_domains: oidc.email_domains ?? [],
    },
  };
}

function shown(access: Access): Result {
  const { has_password, emails, email_domains, networks, oidc } = access;
  const text = record({
    password: has_password ? 'yes' : 'no',
    emails: emails.join(', ') || 'none',
    'email domains': email_domains.join(', ') || 'none',
    networks: networks.join(', ') || 'none',
    'OpenID Connect': oidc?.issuer,
  });
  return { json: access, text };
}
