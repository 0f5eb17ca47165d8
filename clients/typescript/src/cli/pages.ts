import { type Command, Option } from 'commander';
import type { Section, StatusPage, StatusPageUpdate } from '../index.js';
import { addAccessCommands } from './access.js';
import { collect, parseSection, type SectionArgument } from './arguments.js';
import { addBrandingCommand } from './branding.js';
import { addDomainCommand } from './domain.js';
import { addListCommand, listed, type ListOptions } from './lists.js';
import type { Result, Run } from './result.js';
import type { Session } from './session.js';
import { record } from './text.js';

/** Title of the section for the monitors of `--monitor`. */
const DEFAULT_TITLE = 'Systems';
const MAX_ID = 64;

interface PageOptions {
  accentColor?: string;
  public?: true;
  private?: true;
  monitor?: string[];
  section?: SectionArgument[];
  subscribe?: boolean;
}

/** Adds the `page` commands. */
export function addPageCommands(program: Command, run: Run): void {
  const pages = program.command('page').description('create, show and change status pages');
  addListCommand(pages, 'list the status pages of the project, newest first').action(
    (options: ListOptions, command: Command) =>
      run(command, async (session) => {
        const project_id = await session.projectId();
        return listed(
          (limit) => session.client.statusPages.list({ project_id, limit }),
          options,
          {
            SLUG: ({ slug }) => slug,
            NAME: ({ name }) => name,
            VISIBILITY: visibilityOf,
            ID: ({ id }) => id,
          },
          'The project has no status pages.',
        );
      }),
  );
  pages
    .command('get')
    .description('show the settings of a status page')
    .argument('[page]', 'slug or ID (default: the only page of the project)')
    .action((page: string | undefined, _options: object, command: Command) =>
      run(command, async (session) => shown(await session.page(page), session)),
    );

  addPageOptions(pages.command('create').description('create a status page'))
    .argument('<name>', 'name that visitors see')
    .option('--slug <slug>', 'last part of its URL (default: derived from the name)')
    .option('--description <text>', 'description')
    .addHelpText(
      'after',
      '\nExamples:\n  status-pages page create "Acme" --slug acme --monitor api --monitor web\n  status-pages page create "Acme" --section "Core=api,web" --section "Regions=eu,us"',
    )
    .action(
      (name: string, options: PageOptions & { slug?: string; description?: string }, command: Command) =>
        run(command, async (session) => {
          const { slug, description } = options;
          const page = await session.client.statusPages.create({
            project_id: await session.projectId(),
            name,
            ...(slug !== undefined && { slug }),
            ...(description !== undefined && { description }),
            ...(await fieldsOf(options, [], session)),
            ...settingsOf(options),
          });
          return shown(page, session);
        }),
    );

  addBrandingCommand(pages, run);
  addDomainCommand(pages, run);
  addAccessCommands(pages, run);

  addPageOptions(pages.command('set').description('change a status page; omitted options keep their values'))
    .argument('<page>', 'slug or ID')
    .option('--name <name>', 'name that visitors see')
    .addHelpText(
      'after',
      '\nExample:\n  status-pages page set acme --name "Acme Cloud" --accent-color "#0f766e" --private',
    )
    .action((slugOrId: string, { name, ...options }: PageOptions & { name?: string }, command: Command) => {
      if (name === undefined && Object.keys(options).length === 0)
        command.error('error: Pass at least one option to change.');
      return run(command, async (session) => {
        const { statusPages } = session.client;
        let page = await session.page(slugOrId);
        const fields = await fieldsOf(options, page.sections, session);
        const changes = { ...(name !== undefined && { name }), ...fields };
        const settings = settingsOf(options);
        if (isNotEmpty(changes)) page = await statusPages.update(page.id, changes);
        if (isNotEmpty(settings)) page = await statusPages.updateSettings(page.id, settings);
        return shown(page, session);
      });
    });
}

function addPageOptions(command: Command): Command {
  return command
    .option('--accent-color <color>', 'color such as "#2563eb"')
    .addOption(new Option('--private', 'hide the page from visitors').conflicts('public'))
    .option('--public', 'show the page to visitors')
    .option('--subscribe', 'let visitors subscribe by mail')
    .option('--no-subscribe', 'do not let visitors subscribe by mail')
    .addOption(
      new Option(
        '--monitor <key>',
        'key or ID of a monitor, in one section "Systems" (repeatable); replaces all sections',
      )
        .conflicts('section')
        .argParser(collect(String)),
    )
    .option(
      '--section <title=keys>',
      'section with its monitors, such as "Core=api,web" (repeatable); replaces all sections',
      collect(parseSection),
    );
}

/** @param known sections of the page. A section with the same title keeps its ID, which is part of links. */
async function fieldsOf(options: PageOptions, known: Section[], session: Session): Promise<StatusPageUpdate> {
  const { accentColor, monitor } = options;
  const wanted = options.section ?? (monitor && [{ title: DEFAULT_TITLE, monitors: monitor }]);
  return {
    ...(accentColor !== undefined && { accent_color: accentColor }),
    ...((options.public ?? options.private) && { is_public: options.public ?? false }),
    ...(wanted && { sections: await sectionsOf(wanted, known, session) }),
  };
}

function settingsOf({ subscribe }: PageOptions): { subscribe_enabled?: boolean } {
  return subscribe === undefined ? {} : { subscribe_enabled: subscribe };
}

function isNotEmpty(fields: object): boolean {
  return Object.keys(fields).length > 0;
}

async function sectionsOf(wanted: SectionArgument[], known: Section[], session: Session): Promise<Section[]> {
  const idOf = new Map(known.map(({ id, title }) => [title, id]));
  const used = new Set(wanted.flatMap(({ title }) => idOf.get(title) ?? []));
  const sections: Section[] = [];
  for (const { title, monitors } of wanted) {
    const own = idOf.get(title);
    idOf.delete(title); // a second section with the title gets another ID
    const id = own ?? uniqueIn(used, slugOf(title) || 'section');
    used.add(id);
    sections.push({ id, title, monitor_ids: await session.monitorIds(monitors) });
  }
  return sections;
}

function slugOf(title: string): string {
  const letters = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (letters.match(/[a-z0-9]+/g) ?? []).join('-').slice(0, MAX_ID);
}

function uniqueIn(used: ReadonlySet<string>, id: string): string {
  let unique = id;
  for (let number = 2; used.has(unique); number++)
    unique = `${id.slice(0, MAX_ID - 1 - String(number).length)}-${number}`;
  return unique;
}

async function shown(page: StatusPage, session: Session): Promise<Result> {
  const { id, slug, name, description, accent_color, custom_domain, sections, subscribe_enabled } = page;
  const text = record({
    id,
    slug,
    name,
    description: description || undefined,
    visibility: visibilityOf(page),
    url: await session.urlOf(id),
    'custom domain': custom_domain ?? undefined,
    'accent color': accent_color,
    'subscriptions by mail': subscribe_enabled ? 'yes' : 'no',
    sections:
      sections.map(({ title, monitor_ids }) => `${title} (${monitor_ids.length})`).join(', ') || 'none',
  });
  return { json: page, text };
}

function visibilityOf({ is_public }: StatusPage): string {
  return is_public ? 'public' : 'private';
}
