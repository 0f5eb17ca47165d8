import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { type Scope, SCOPES } from '../platform/auth/scopes.js';
import { isSqlState, UNIQUE_VIOLATION } from '../platform/database/statements.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { ProjectRef } from '../projects/project-ref.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ReportsService } from '../reports/reports.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { IncidentTemplatesService } from '../incident-templates/incident-templates.service.js';
import { INCIDENTS, MAINTENANCES, type MonitorName, SECTIONS, TEMPLATE } from './demo-plan.js';
import { planReports } from './demo-reports.js';

const COMPANIES = [
  'Acme',
  'Borealis',
  'Cumulus',
  'Delta',
  'Ember',
  'Fjord',
  'Granite',
  'Harbor',
  'Indigo',
  'Juniper',
];
const PRODUCTS = ['Cloud', 'Pay', 'Mail', 'Maps', 'Market', 'Studio'];

const MINUTE_MS = 60_000;

/** IDs of the demo data, and its API key. */
export interface Demo {
  organization_id: string;
  project_id: string;
  monitor_ids: string[];
  status_page_ids: string[];
  /** Slug of the first page; null if the demo contains no pages. */
  slug: string | null;
  key: string;
}

/** Creates demo data. */
@Injectable()
export class DemoService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly statusPages: StatusPagesService,
    private readonly reports: ReportsService,
    private readonly incidents: IncidentsService,
    private readonly maintenances: MaintenancesService,
    private readonly incidentTemplates: IncidentTemplatesService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /**
   * Creates an organization, a project, 15 monitors with 90 days of history, pages with three sections each, incidents (one
   * open), maintenance windows (one upcoming), and a key with every scope. Also creates an empty project and a second key,
   * which can be deleted. The first demo data in a database get the IDs of the documented examples.
   */
  async create(pages: number): Promise<Demo> {
    return this.createWith(pages, EXAMPLE_IDS).catch((error: unknown) => {
      if (isSqlState(error, UNIQUE_VIOLATION)) return this.createWith(pages, {});
      throw error;
    });
  }

  private async createWith(pages: number, ids: Partial<typeof EXAMPLE_IDS>): Promise<Demo> {
    return this.dataSource.transaction(async (manager) => {
      const { id: organization_id } = await this.organizations.create('Demo', manager);
      const { id: project_id } = await this.projects.createIn(
        { id: ids.project, organization_id, name: 'Demo' },
        manager,
      );
      await this.projects.createIn({ id: ids.empty_project, organization_id, name: 'Sandbox' }, manager);
      const project = { organization_id, project_id };
      const names = Object.values(SECTIONS).flat();
      const monitors = await this.monitors.createIn(
        project,
        names.map((name, index) => ({ id: index === 0 ? ids.monitor : undefined, name })),
        manager,
      );
      const idOf = new Map(monitors.map(({ id, name }) => [name, id]));
      const sections = Object.entries(SECTIONS).map(([title, components], index) => ({
        id: `section-${index + 1}`,
        title,
        monitor_ids: components.flatMap((name) => idOf.get(name) ?? []),
      }));
      const statusPages: { id: string; slug: string }[] = [];
      for (let number = 0; number < pages; number++) {
        const name = pageName(number);
        const description = `Current status of ${name}.`;
        const id = number === 0 ? ids.status_page : undefined;
        const fields = { id, name, description, sections };
        statusPages.push(await this.statusPages.createIn(project, fields, manager));
      }
      await this.createHistory(project, idOf, ids === EXAMPLE_IDS, manager);
      await this.incidentTemplates.createIn(
        project,
        {
          ...TEMPLATE,
          id: ids.incident_template,
          monitors: [{ monitor_id: monitors[0]?.id ?? '', status: 'major_outage' }],
        },
        manager,
      );
      const demoKey = {
        organization_id,
        name: 'Demo',
        scopes: [...SCOPES],
        project_ids: null,
        expires_at: null,
      };
      const { key } = await this.apiKeys.createIn(demoKey, manager);
      // This key is not returned. It serves as an example to read, rotate and revoke.
      const readOnly: Scope[] = ['status_pages:read'];
      await this.apiKeys.createIn(
        { ...demoKey, id: ids.api_key, name: 'Deployment', scopes: readOnly, project_ids: [project_id] },
        manager,
      );
      return {
        ...project,
        monitor_ids: monitors.map(({ id }) => id),
        status_page_ids: statusPages.map(({ id }) => id),
        slug: statusPages[0]?.slug ?? null,
        key,
      };
    });
  }

  /**
   * Creates reports, incidents and maintenance windows according to the plan.
   * @param idOf the monitor IDs by name
   * @param withIds whether to use the IDs of the documented examples
   */
  private async createHistory(
    project: ProjectRef,
    idOf: ReadonlyMap<string, string>,
    withIds: boolean,
    manager: EntityManager,
  ): Promise<void> {
    const now = Date.now();
    const at = (minutes: number) => new Date(now + minutes * MINUTE_MS);
    const monitor_id = (name: MonitorName) => idOf.get(name) ?? '';
    const reports = planReports().map(({ name, status, ago }) => ({
      monitor_id: monitor_id(name),
      status,
      observed_at: at(-ago),
    }));
    await this.reports.record(project, reports, manager);
    for (const { id, started, updates, ...incident } of INCIDENTS) {
      const posted = updates.map(({ id: updateId, after, monitors, ...update }) => ({
        ...update,
        id: withIds ? updateId : undefined,
        posted_at: at(after - started),
        monitors: monitors?.map(({ name, status }) => ({ monitor_id: monitor_id(name), status })),
      }));
      const fields = { ...incident, id: withIds ? id : undefined, started_at: at(-started), updates: posted };
      await this.incidents.createIn(project, fields, manager);
    }
    for (const { id, starts, minutes, monitors, updates = [], ...maintenance } of MAINTENANCES) {
      const window = { starts_at: at(starts), ends_at: at(starts + minutes) };
      const posted = updates.map(({ id: updateId, ago, body }) => ({
        id: withIds ? updateId : undefined,
        posted_at: at(-ago),
        body,
      }));
      const fields = { ...maintenance, ...window, id: withIds ? id : undefined, updates: posted };
      await this.maintenances.createIn(
        project,
        { ...fields, monitor_ids: monitors.map(monitor_id) },
        manager,
      );
    }
  }

  /** Creates the demo data if the database contains no key and no project; otherwise returns null. */
  async createIfEmpty(pages: number): Promise<Demo | null> {
    const used = (await this.apiKeys.any()) || (await this.projects.any());
    return used ? null : this.create(pages);
  }
}

/** Returns the name of a page. The first 60 names are different; later ones repeat them with a number. */
function pageName(number: number): string {
  const round = Math.floor(number / (COMPANIES.length * PRODUCTS.length));
  const company = COMPANIES[number % COMPANIES.length];
  const product = PRODUCTS[Math.floor(number / COMPANIES.length) % PRODUCTS.length];
  return round === 0 ? `${company} ${product}` : `${company} ${product} ${round + 1}`;
}
