import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EndpointDeliveriesRepository } from '../deliveries/endpoint-deliveries.repository.js';
import { AccessLinksService } from '../access/access-links.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { type Actor, system } from '../platform/auth/actor.js';
import { type Scope, SCOPES } from '../platform/auth/scopes.js';
import { BrandingService } from '../branding/branding.service.js';
import { isSqlState, UNIQUE_VIOLATION } from '../platform/database/statements.js';
import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';
import { EventsService } from '../events/events.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ReportsService } from '../reports/reports.service.js';
import { ResponseTimesService } from '../reports/response-times/response-times.service.js';
import { MemberLinks } from '../members/member-links.js';
import { MembersService } from '../members/members.service.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import { PageLookupService } from '../status-pages/page-lookup.service.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { SubscriberCreation } from '../subscribers/subscriber-creation.js';
import { WebhookEndpointsService } from '../webhooks/webhook-endpoints.service.js';
import { IncidentTemplatesService } from '../incidents/templates/incident-templates.service.js';
import { ChecksService } from '../checks/checks.service.js';
import { createCheck } from './demo-check.js';
import { createDrafts } from './demo-drafts.js';
import { createPeople, type FirstSignIn } from './demo-people.js';
import { IncidentDraftsService } from '../incidents/drafts/incident-drafts.service.js';
import { DELETED_PAGE, MONITORS, type PlannedPage, planPage, SECTIONS } from './demo-pages.js';
import { BRANDING, IMAGES } from './demo-branding.js';
import { createHistory } from './demo-history.js';
import { TEMPLATE } from './demo-plan.js';
import { createWebhooks } from './demo-webhooks.js';

/** IDs of the demo data, and its API key. */
export interface Demo {
  organization_id: string;
  project_id: string;
  monitor_ids: string[];
  /** Oldest first. The last one is the page with the open incident. */
  status_page_ids: string[];
  /** Slug of the page with the open incident; null if the demo contains no pages. */
  slug: string | null;
  key: string;
}

/** Remaining data of the first demo. */
export interface FoundDemo {
  organization_id: string | undefined;
  /** Slug of the page with the open incident, if it is public. */
  slug: string | undefined;
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
    private readonly pageLookup: PageLookupService,
    private readonly deletedPages: DeletedPagesService,
    private readonly branding: BrandingService,
    private readonly accessLinks: AccessLinksService,
    private readonly reports: ReportsService,
    private readonly responseTimes: ResponseTimesService,
    private readonly incidents: IncidentsService,
    private readonly maintenances: MaintenancesService,
    private readonly incidentTemplates: IncidentTemplatesService,
    private readonly subscribers: SubscriberCreation,
    private readonly events: EventsService,
    private readonly webhookEndpoints: WebhookEndpointsService,
    private readonly endpointDeliveries: EndpointDeliveriesRepository,
    private readonly members: MembersService,
    private readonly memberLinks: MemberLinks,
    private readonly checks: ChecksService,
    private readonly incidentDrafts: IncidentDraftsService,
    private readonly apiKeys: ApiKeysService,
  ) {}

  /**
   * Creates an organization, a project, monitors with 90 days of history, pages, incidents (one open), maintenance windows (one
   * upcoming), and a key with every scope. Also creates an empty project and a second key, which can be deleted. The first demo
   * data in a database get the IDs of the documented examples.
   * @param actorOf returns the actor in the new organization
   */
  async create(pages: number, actorOf: (organization_id: string) => Actor): Promise<Demo> {
    return this.createWith(pages, actorOf, EXAMPLE_IDS).catch((error: unknown) => {
      if (isSqlState(error, UNIQUE_VIOLATION)) return this.createWith(pages, actorOf, {});
      throw error;
    });
  }

  private async createWith(
    pages: number,
    actorOf: (organization_id: string) => Actor,
    ids: Partial<typeof EXAMPLE_IDS>,
  ): Promise<Demo> {
    return this.dataSource.transaction(async (manager) => {
      const { id: organization_id } = await this.organizations.create('Demo', manager);
      const actor = actorOf(organization_id);
      const { id: project_id } = await this.projects.createIn(
        actor,
        { id: ids.project, name: 'Demo' },
        manager,
      );
      await this.projects.createIn(actor, { id: ids.empty_project, name: 'Sandbox' }, manager);
      const project = { organization_id, project_id };
      const withIds = ids === EXAMPLE_IDS;
      const monitors = await this.monitors.createIn(
        actor,
        project_id,
        MONITORS.map(({ id, ...monitor }) => ({ ...monitor, id: withIds ? id : undefined })),
        manager,
      );
      const idOf = new Map(monitors.map(({ id, name }) => [name, id]));
      const fieldsOf = ({ sections, ...page }: PlannedPage) => ({
        ...page,
        sections: sections.map((title, index) => ({
          id: `section-${index + 1}`,
          title,
          monitor_ids: SECTIONS[title].flatMap(({ name }) => idOf.get(name) ?? []),
        })),
      });
      const statusPages: { id: string; slug: string }[] = [];
      // The first page of the plan is created last, so lists begin with it.
      for (let number = pages - 1; number >= 0; number--) {
        const id = [ids.status_page, ids.other_status_page][number];
        const page = { ...fieldsOf(planPage(number)), id };
        const created = await this.statusPages.createIn(actor, project_id, page, manager);
        statusPages.push(created);
        if (number === 0) await this.branding.createIn(actor, created, BRANDING, IMAGES, manager);
      }
      if (pages > 0) {
        const beta = { ...fieldsOf(DELETED_PAGE), id: ids.deleted_status_page };
        const deleted = await this.statusPages.createIn(actor, project_id, beta, manager);
        await this.deletedPages.deleteIn(actor, { ...project, id: deleted.id }, manager);
        await this.events.silence(organization_id, [deleted.id], manager);
      }
      await createHistory(
        actor,
        project_id,
        idOf,
        withIds,
        {
          reports: this.reports,
          responseTimes: this.responseTimes,
          incidents: this.incidents,
          maintenances: this.maintenances,
        },
        manager,
      );
      const silenced = [...statusPages, ...monitors].map(({ id }) => id);
      await this.events.silence(organization_id, silenced, manager);
      const monitor_id = idOf.get('API') ?? '';
      await this.incidentTemplates.createIn(
        actor,
        project_id,
        { ...TEMPLATE, id: ids.incident_template, monitors: [{ monitor_id, status: 'major_outage' }] },
        manager,
      );
      await createPeople(
        actor,
        statusPages.at(-1),
        ids,
        { accessLinks: this.accessLinks, subscribers: this.subscribers, members: this.members },
        manager,
      );
      await createWebhooks(actor, project_id, ids, this.webhookEndpoints, this.endpointDeliveries, manager);
      // Of the last monitor, so that the first one can get a check.
      const checked = { id: ids.check, monitor_id: monitors.at(-1)?.id ?? '' };
      await createCheck(actor, project_id, checked, this.checks, manager);
      const drafted = { ids: [ids.incident_draft, ids.other_incident_draft], monitor_id };
      await createDrafts(actor, project_id, drafted, this.incidentDrafts, manager);
      const demoKey = {
        name: 'Demo',
        scopes: [...SCOPES],
        project_ids: null,
        expires_at: null,
      };
      const { key } = await this.apiKeys.createIn(actor, demoKey, manager);
      // This key is not returned. It serves as an example to read, rotate and revoke.
      const readOnly: Scope[] = ['status_pages:read'];
      await this.apiKeys.createIn(
        actor,
        { ...demoKey, id: ids.api_key, name: 'Deployment', scopes: readOnly, project_ids: [project_id] },
        manager,
      );
      return {
        ...project,
        monitor_ids: monitors.map(({ id }) => id),
        status_page_ids: statusPages.map(({ id }) => id),
        slug: statusPages.at(-1)?.slug ?? null,
        key,
      };
    });
  }

  /** Returns the remaining data of the first demo in this database. */
  async find(): Promise<FoundDemo> {
    const project = await this.projects.findForAdministrator(EXAMPLE_IDS.project);
    const [page] = await this.pageLookup.findPublicByIds([EXAMPLE_IDS.status_page]);
    return { organization_id: project?.organization_id, slug: page?.slug };
  }

  /** Returns a link that signs in once as the admin of the first demo, or undefined if the admin cannot sign in any more. */
  async signInLink(): Promise<FirstSignIn | undefined> {
    const project = await this.projects.findForAdministrator(EXAMPLE_IDS.project);
    if (!project) return undefined;
    const admin = { organization_id: project.organization_id, id: EXAMPLE_IDS.admin };
    const found = await this.members.findEnabled(admin);
    return found && { email: found.email, url: this.memberLinks.urlOf(await this.memberLinks.create(admin)) };
  }

  /** Creates the demo data if the database contains no key and no project; otherwise returns null. */
  async createIfEmpty(pages: number): Promise<Demo | null> {
    const used = (await this.apiKeys.any()) || (await this.projects.any());
    return used ? null : this.create(pages, (id) => system('demo data', id));
  }
}
