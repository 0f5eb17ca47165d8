import { type Command, Option } from 'commander';
import { NONE } from './arguments.js';
import { readInput } from './files.js';
import type { Run } from './result.js';
import { requireId } from './session.js';
import { record } from './text.js';

interface PostmortemOptions {
  file?: string;
  body?: string;
}

/** Adds `incident postmortem`. */
export function addPostmortemCommand(incidents: Command, run: Run): void {
  incidents
    .command('postmortem')
    .description('publish, replace or remove the postmortem of an incident')
    .argument('<id>', 'ID of the incident')
    .addOption(new Option('--file <file>', 'file that contains the postmortem in Markdown').conflicts('body'))
    .option('--body <markdown>', `postmortem in Markdown; "${NONE}" removes it`)
    .addHelpText(
      'after',
      '\nExample:\n  status-pages incident postmortem 018cc251-f400-7000-8000-000000000006 --file postmortem.md',
    )
    .action((id: string, { file, body }: PostmortemOptions, command: Command) => {
      const given = file ?? body;
      if (given === undefined) return command.error('error: Pass --file or --body.');
      return run(command, async ({ client }) => {
        const text = file === undefined ? given : readInput(file).toString();
        const postmortem = body === NONE ? null : text;
        const incident = await client.incidents.update(requireId(id, 'an incident'), { postmortem });
        const { title, status } = incident;
        const length = [...(incident.postmortem ?? '')].length;
        return {
          json: incident,
          text: record({
            id: incident.id,
            title,
            status,
            postmortem: length === 0 ? 'none' : `${length} characters`,
          }),
        };
      });
    });
}
