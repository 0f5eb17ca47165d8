import {
  type Incident,
  type List,
  type Maintenance,
  type StatusPage,
  StatusPagesError,
  type StatusPagesOperations,
} from '../index.js';
import { isSlug, isUuid } from './arguments.js';
import { choiceError, CommandError, EXIT, usageError } from './errors.js';

/** The client and the project of a call. Finds the resources that the command line refers to by key, slug or name. */
export class Session {
  private project: Promise<string> | undefined;
  private readonly names = new Map<string, string>();

  /**
   * @param wanted ID or name of the project; undefined: the only project of the key
   * @param isDryRun whether IDs of new resources are made up, so that no further request can refer to them
   */
  constructor(
    readonly client: StatusPagesOperations,
    private readonly wanted: string | undefined,
    readonly isDryRun: boolean,
  ) {}

  /** Returns the ID of the project that the command line or the environment selects; undefined: all. */
  async chosenProjectId(): Promise<string | undefined> {
    return this.wanted === undefined ? undefined : this.projectId();
  }

  /** Returns the ID of the project. */
  async projectId(): Promise<string> {
    return (this.project ??= this.findProject());
  }

  private async findProject(): Promise<string> {
    const { wanted, client } = this;
    if (wanted !== undefined && isUuid(wanted)) return wanted.toLowerCase();
    const { project_ids } = await client.me();
    const [only] = project_ids ?? [];
    if (wanted === undefined && only !== undefined && project_ids?.length === 1) return only;
    const projects = await client.projects
      .list({ limit: 100 })
      .toArray()
      .catch((error: unknown) => {
        if (!(error instanceof StatusPagesError) || error.code !== 'insufficient_scope') throw error;
        throw choiceError(
          'Pass --project with the ID of a project, because the key lacks the scope projects:read, so it cannot find projects.',
          project_ids ?? [],
          EXIT.usage,
        );
      });
    const found = projects.filter(({ name }) => wanted === undefined || name === wanted);
    const [first] = found;
    if (first && found.length === 1) return first.id;
    const choices = (first ? found : projects).map(({ id, name }) => `${id}  ${name}`);
    if (projects.length === 0) throw new CommandError('The key cannot access any project.', EXIT.rejected);
    if (!first)
      throw choiceError(`Project ${quote(wanted)} not found. The projects are:`, choices, EXIT.rejected);
    const reason =
      wanted === undefined
        ? 'The key can access several projects'
        : `Several projects are named ${quote(wanted)}`;
    throw choiceError(`${reason}. Pass one with --project:`, choices, EXIT.usage);
  }

  /** Returns the ID of a monitor with this key or ID. */
  async monitorId(keyOrId: string): Promise<string> {
    if (isUuid(keyOrId)) return this.rememberName(keyOrId.toLowerCase(), keyOrId);
    const project_id = await this.projectId();
    const { monitors } = this.client;
    const [found] = isSlug(keyOrId) ? await take(1, monitors.list({ project_id, key: keyOrId })) : [];
    if (found) return this.rememberName(found.id, keyOrId);
    const known = await take(100, monitors.list({ project_id, limit: 100 }));
    const reason = `Monitor ${quote(keyOrId)} not found.`;
    throw choiceError(
      known.length === 0
        ? `${reason} The project has no monitors.`
        : `${reason} The keys of the project's monitors are:`,
      known.map(({ key, id, name }) => `${key ?? id}  ${name}`),
      EXIT.rejected,
    );
  }

  /** Returns the IDs of monitors with these keys or IDs. */
  async monitorIds(keysOrIds: string[]): Promise<string[]> {
    return Promise.all(keysOrIds.map((one) => this.monitorId(one)));
  }

  /** Returns a status page with this slug or ID; by default, the only one of the project. */
  async page(slugOrId: string | undefined): Promise<StatusPage> {
    const { statusPages } = this.client;
    if (slugOrId !== undefined && isUuid(slugOrId)) return statusPages.get(slugOrId);
    const project_id = await this.projectId();
    if (slugOrId !== undefined && isSlug(slugOrId)) {
      const [page] = await take(1, statusPages.list({ project_id, slug: slugOrId }));
      if (page) return page;
    }
    const pages = await take(100, statusPages.list({ project_id, limit: 100 }));
    const [only] = pages;
    if (slugOrId === undefined && only && pages.length === 1) return only;
    const choices = pages.map(({ slug, name }) => `${slug}  ${name}`);
    if (!only) throw new CommandError('The project has no status page.', EXIT.rejected);
    if (slugOrId === undefined)
      throw choiceError('The project has several status pages. Pass one of them:', choices, EXIT.usage);
    throw choiceError(
      `Status page ${quote(slugOrId)} not found. The project's status pages are:`,
      choices,
      EXIT.rejected,
    );
  }

  /** Returns the ID of the incident template with this name or ID. */
  async templateId(nameOrId: string): Promise<string> {
    if (isUuid(nameOrId)) return nameOrId.toLowerCase();
    const project_id = await this.projectId();
    const known = await this.client.incidentTemplates.list({ project_id, limit: 100 }).toArray();
    const found = known.filter(({ name }) => name === nameOrId);
    const [only] = found;
    if (only && found.length === 1) return only.id;
    const choices = (only ? found : known).map(({ id, name }) => `${id}  ${name}`);
    if (only) throw choiceError(`Several templates are named ${quote(nameOrId)}:`, choices, EXIT.usage);
    const reason = `Incident template ${quote(nameOrId)} not found.`;
    throw choiceError(
      known.length === 0
        ? `${reason} The project has no templates.`
        : `${reason} The project's templates are:`,
      choices,
      EXIT.rejected,
    );
  }

  /**
   * Returns the URL at which visitors find a status page; undefined if the key must not read the page. Other errors have no effect
   * either, because the command has already changed what it should.
   */
  async urlOf(id: string): Promise<string | undefined> {
    const summary = await this.client.statusPages.summary(id).catch(() => undefined);
    return summary?.url;
  }

  /** Returns the IDs of status pages with these slugs or IDs. */
  async pageIds(slugsOrIds: string[]): Promise<string[]> {
    return Promise.all(
      slugsOrIds.map(async (one) => {
        if (isUuid(one)) return this.rememberName(one.toLowerCase(), one);
        return this.rememberName((await this.page(one)).id, one);
      }),
    );
  }

  /** Returns the only open incident of the project. */
  async openIncident(): Promise<Incident> {
    const project_id = await this.projectId();
    const open = await take(100, this.client.incidents.list({ project_id, open: true, limit: 100 }));
    const [only] = open;
    if (!only) throw new CommandError('The project has no open incident.', EXIT.rejected);
    if (open.length === 1) return only;
    const choices = open.map(({ id, status, title }) => `${id}  ${status}  ${title}`);
    throw choiceError('Several incidents are open. Pass the ID of one of them:', choices, EXIT.usage);
  }

  /** Returns the only maintenance window that is in progress or, if none is, scheduled. */
  async currentMaintenance(): Promise<Maintenance> {
    const project_id = await this.projectId();
    const all = await take(100, this.client.maintenances.list({ project_id, limit: 100 }));
    const running = all.filter(({ status }) => status === 'in_progress');
    const current = running.length > 0 ? running : all.filter(({ status }) => status === 'scheduled');
    const [only] = current;
    if (!only)
      throw new CommandError('No maintenance window is in progress or scheduled. Pass an ID.', EXIT.rejected);
    if (current.length === 1) return only;
    const choices = current.map(({ id, status, title }) => `${id}  ${status}  ${title}`);
    throw choiceError('Several maintenance windows match. Pass the ID of one of them:', choices, EXIT.usage);
  }

  /** Returns the key or slug by which the command line names a resource, or else its ID. */
  nameOf(id: string): string {
    return this.names.get(id) ?? id;
  }

  /** Returns the names of status pages, or the rule that selects them. */
  pagesText(ids: string[] | null, hasMonitors: boolean): string {
    if (ids) return ids.map((id) => this.nameOf(id)).join(', ') || 'none';
    return hasMonitors ? 'every page that shows one of the monitors' : 'all';
  }

  private rememberName(id: string, name: string): string {
    this.names.set(id, name);
    return id;
  }
}

/** Reads the first items of a list. */
export async function take<Item>(count: number, list: List<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) if (items.push(item) >= count) break;
  return items;
}

/** Requires the ID of a resource that has no other name. */
export function requireId(id: string, resource: string): string {
  if (!isUuid(id)) throw usageError(`${quote(id)} is not the ID of ${resource}.`);
  return id.toLowerCase();
}

function quote(text: string | undefined): string {
  return JSON.stringify(text);
}
