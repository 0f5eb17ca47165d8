import { type Command, InvalidArgumentError } from 'commander';
import type { Event } from '../index.js';
import { integer, isUuid, parseDayOrTime } from './arguments.js';
import { listed, type ListOptions } from './lists.js';
import type { Run } from './result.js';

interface LogOptions extends ListOptions {
  actor?: string;
  resource?: string;
  type?: Event['type'];
  from?: string;
  to?: string;
}

const MAX_ITEMS = 10_000;

/** Adds the `log` command. */
export function addLogCommand(program: Command, run: Run): void {
  program
    .command('log')
    .description('list who changed what, newest first; without --project, in all projects of the key')
    .option('--actor <id>', 'ID of an API key', parseId)
    .option('--resource <id>', 'ID of an incident, a status page or another resource', parseId)
    .option('--type <type>', 'type of the change, such as status_page.updated')
    .option('--from <time>', 'first day or time', parseDayOrTime)
    .option('--to <time>', 'day or time before which it ends', parseDayOrTime)
    .option('--limit <number>', 'maximum number of items', integer(1, MAX_ITEMS), 100)
    .addHelpText(
      'after',
      '\nExamples:\n  status-pages log --type status_page.updated --from 2026-11-20\n  status-pages log --actor 018cc251-f400-7000-8000-000000000002 --json',
    )
    .action(({ actor, resource, type, from, to, ...options }: LogOptions, command: Command) =>
      run(command, async (session) => {
        const project_id = await session.chosenProjectId();
        const query = {
          ...(project_id !== undefined && { project_id }),
          ...(actor !== undefined && { actor_id: actor }),
          ...(resource !== undefined && { resource_id: resource }),
          ...(type !== undefined && { type }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        };
        return listed(
          (limit) => session.client.events.list({ ...query, limit }),
          options,
          {
            TIME: ({ created_at }) => `${created_at.slice(0, 10)} ${created_at.slice(11, 19)} UTC`,
            TYPE: (event) => event.type,
            ACTOR: (event) => event.actor?.name ?? '-',
            VIA: (event) => event.via ?? '-',
            RESOURCE: ({ resource_id }) => resource_id,
            CHANGED: ({ changes }) => Object.keys(changes ?? {}).join(', ') || '-',
          },
          'No event matches.',
        );
      }),
    );
}

function parseId(value: string): string {
  if (!isUuid(value)) throw new InvalidArgumentError('It must be an ID.');
  return value.toLowerCase();
}
