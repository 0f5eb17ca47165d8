import { type Command, Option } from 'commander';
import type { StatusPageDomain } from '../index.js';
import { NONE } from './arguments.js';
import { CommandError, EXIT } from './errors.js';
import type { Result, Run } from './result.js';
import { record, time } from './text.js';

/** Adds `page domain`. */
export function addDomainCommand(pages: Command, run: Run): void {
  pages
    .command('domain')
    .description('show, set or verify the domain of a status page, with the DNS record that verifies it')
    .argument('<page>', 'slug or ID')
    .argument('[domain]', `domain to set; "${NONE}" removes it`)
    .addOption(new Option('--verify', 'check the DNS record now'))
    .addHelpText(
      'after',
      '\nExamples:\n  status-pages page domain acme status.acme.example\n  status-pages page domain acme --verify',
    )
    .action((slugOrId: string, domain: string | undefined, { verify }: { verify?: true }, command: Command) =>
      run(command, async (session) => {
        const { id, custom_domain } = await session.page(slugOrId);
        const { statusPages } = session.client;
        const wanted = domain === NONE ? null : (domain ?? custom_domain);
        if (domain !== undefined) {
          const page = await statusPages.updateSettings(id, { custom_domain: wanted });
          if (session.isDryRun && !verify) return { json: page, text: '' };
        }
        if (wanted === null) {
          if (verify) throw new CommandError('The status page has no domain.', EXIT.rejected);
          return { json: null, text: 'The status page has no domain.\n' };
        }
        return shown(await (verify ? statusPages.verifyDomain(id) : statusPages.domain(id)));
      }),
    );
}

function shown(domain: StatusPageDomain): Result {
  const { domain: name, status, record: dns, error, routing, checked_at } = domain;
  const text = record({
    domain: name,
    status,
    record: `${dns.name} ${dns.type} ${dns.value}`,
    checked: checked_at ? time(checked_at) : 'not yet',
    error: error ?? undefined,
    reachable: routing ? (routing.error ?? (routing.reaches_us ? 'yes' : 'no')) : undefined,
  });
  return { json: domain, text };
}
