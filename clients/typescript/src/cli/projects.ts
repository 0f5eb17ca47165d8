import type { Command } from 'commander';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Run } from './result.js';
import { record, time } from './text.js';

/** Adds the `project` commands. */
export function addProjectCommands(program: Command, run: Run): void {
  const projects = program.command('project').description('create and list projects');
  projects
    .command('create')
    .description('create a project')
    .argument('<name>', 'name of the project')
    .addHelpText(
      'after',
      '\nExample:\n  status-pages project create "Web"\n  STATUS_PAGES_PROJECT=Web status-pages monitor add "API" --key api',
    )
    .action((name: string, _options: object, command: Command) =>
      run(command, async ({ client }) => {
        const project = await client.projects.create({ name });
        return { json: project, text: record({ id: project.id, name: project.name }) };
      }),
    );
  addListCommand(projects, 'list the projects that the key can access, newest first').action(
    (options: ListOptions, command: Command) =>
      run(command, async ({ client }) =>
        listed(
          (limit) => client.projects.list({ limit }),
          options,
          { NAME: ({ name }) => name, CREATED: ({ created_at }) => time(created_at), ID: ({ id }) => id },
          'The key cannot access any project.',
        ),
      ),
  );
}
