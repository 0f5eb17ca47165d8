import type { Command } from 'commander';
import { choiceError, CommandError, EXIT } from './errors.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Run } from './result.js';
import { requireId, type Session, take } from './session.js';
import { record, time } from './text.js';

/** Adds the `draft` commands. */
export function addDraftCommands(program: Command, run: Run): void {
  const drafts = program.command('draft').description('publish or discard incidents that checks propose');
  drafts
    .command('publish')
    .description('create the incident of a draft')
    .argument('[id]', 'ID of the draft (default: the only one of the project)')
    .action((id: string | undefined, _options: object, command: Command) =>
      run(command, async (session) => {
        const incident = await session.client.incidentDrafts.publish(await draftId(session, id));
        const { id: incidentId, title, status } = incident;
        return { json: incident, text: record({ incident: incidentId, title, status }) };
      }),
    );
  drafts
    .command('discard')
    .description('delete a draft')
    .argument('[id]', 'ID of the draft (default: the only one of the project)')
    .action((id: string | undefined, _options: object, command: Command) =>
      run(command, async (session) => {
        const deleted = await draftId(session, id);
        await session.client.incidentDrafts.delete(deleted);
        return { json: { id: deleted }, text: record({ discarded: deleted }) };
      }),
    );
  addListCommand(drafts, 'list the incident drafts of the project, newest first').action(
    (options: ListOptions, command: Command) =>
      run(command, async (session) => {
        const project_id = await session.projectId();
        return listed(
          (limit) => session.client.incidentDrafts.list({ project_id, limit }),
          options,
          {
            ID: ({ id }) => id,
            TITLE: ({ title }) => title,
            STATUS: ({ status }) => status,
            CREATED: ({ created_at }) => time(created_at),
          },
          'The project has no drafts.',
        );
      }),
  );
}

/** Returns the given ID, or the ID of the only draft of the project. */
async function draftId(session: Session, id: string | undefined): Promise<string> {
  if (id !== undefined) return requireId(id, 'a draft');
  const project_id = await session.projectId();
  const drafts = await take(100, session.client.incidentDrafts.list({ project_id, limit: 100 }));
  const [only] = drafts;
  if (!only) throw new CommandError('The project has no draft.', EXIT.rejected);
  if (drafts.length === 1) return only.id;
  const choices = drafts.map((draft) => `${draft.id}  ${draft.title}`);
  throw choiceError('The project has several drafts. Pass the ID of one of them:', choices, EXIT.usage);
}
