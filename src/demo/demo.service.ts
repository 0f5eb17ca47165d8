import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { type Scope, SCOPES } from '../auth/scopes.js';
import { isSqlState, UNIQUE_VIOLATION } from '../database/statements.js';
import { EXAMPLE_IDS } from '../openapi/example-ids.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';

const COMPONENTS = {
  'Core services': ['API', 'Dashboard', 'Authentication', 'Search', 'File storage'],
  Regions: [
    'Europe (Frankfurt)',
    'US East (Virginia)',
    'US West (Oregon)',
    'Asia (Singapore)',
    'Brazil (São Paulo)',
  ],
  Integrations: ['Webhooks', 'Email delivery', 'Payments', 'Single sign-on', 'Audit log export'],
};
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

/** The ids of the demo data, and its API key. */
export interface Demo {
  organization_id: string;
  project_id: string;
  monitor_ids: string[];
  status_page_ids: string[];
  key: string;
}

/** Creates data to try the API with. */
@Injectable()
export class DemoService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly statusPages: StatusPagesService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /**
   * Creates an organization, a project, 15 monitors, pages with three sections each, and a key with every scope; also an
   * empty project and a second key, which can be deleted. The first demo data in a database have the ids of the documented
   * examples.
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
      const names = Object.values(COMPONENTS).flat();
      const monitors = await this.monitors.createIn(
        project,
        names.map((name, index) => ({ id: index === 0 ? ids.monitor : undefined, name })),
        manager,
      );
      const idOf = new Map(monitors.map(({ id, name }) => [name, id]));
      const sections = Object.entries(COMPONENTS).map(([title, components], index) => ({
        id: `section-${index + 1}`,
        title,
        monitor_ids: components.flatMap((name) => idOf.get(name) ?? []),
      }));
      const status_page_ids: string[] = [];
      for (let number = 0; number < pages; number++) {
        const name = pageName(number);
        const description = `The state of ${name}.`;
        const id = number === 0 ? ids.status_page : undefined;
        const page = await this.statusPages.createIn(project, { id, name, description, sections }, manager);
        status_page_ids.push(page.id);
      }
      const demoKey = {
        organization_id,
        name: 'Demo',
        scopes: [...SCOPES],
        project_ids: null,
        expires_at: null,
      };
      const { key } = await this.apiKeys.createIn(demoKey, manager);
      // This key is not returned. It is an example to get, rotate and revoke.
      const readOnly: Scope[] = ['status_pages:read'];
      await this.apiKeys.createIn(
        { ...demoKey, id: ids.api_key, name: 'Deployment', scopes: readOnly, project_ids: [project_id] },
        manager,
      );
      return { ...project, monitor_ids: monitors.map(({ id }) => id), status_page_ids, key };
    });
  }

  /** Creates the demo data if the database has no key and no project; otherwise returns null. */
  async createIfEmpty(pages: number): Promise<Demo | null> {
    const used = (await this.apiKeys.any()) || (await this.projects.any());
    return used ? null : this.create(pages);
  }
}

/** The first 60 names are different; later ones repeat them with a number. */
function pageName(number: number): string {
  const round = Math.floor(number / (COMPANIES.length * PRODUCTS.length));
  const company = COMPANIES[number % COMPANIES.length];
  const product = PRODUCTS[Math.floor(number / COMPANIES.length) % PRODUCTS.length];
  return round === 0 ? `${company} ${product}` : `${company} ${product} ${round + 1}`;
}
