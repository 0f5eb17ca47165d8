import createFetchClient, { type Client } from 'openapi-fetch';
import { type DryRun, DryRunSender } from './dry-run.js';
import { type Problem, StatusPagesError } from './error.js';
import { List, type Page } from './list.js';
import { type RetryOptions, withRetries } from './retry.js';
import type { components, operations, paths, webhooks } from './schema.js';
import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './webhook.js';

export { type DryRun, List, type Page, type Problem, type RetryOptions, StatusPagesError };
export { verifyWebhook, WebhookVerificationError };
export type {
  VerifyOptions,
  WebhookEvent,
  WebhookEventOf,
  WebhookEventType,
  WebhookHeaders,
  WebhookVerificationCode,
};
export type { components, operations, paths, webhooks };

type Schemas = components['schemas'];
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;
/** The query of a list. The client passes the cursor itself. */
type ListQuery<Name extends keyof operations> = Omit<Query<Name>, 'cursor'>;

export type StatusPage = Schemas['StatusPage'];
export type StatusPageCreate = Schemas['StatusPageCreate'];
export type StatusPageUpdate = Schemas['StatusPageUpdate'];
export type StatusPageSettingsUpdate = Schemas['StatusPageSettingsUpdate'];
export type StatusPageRevision = Schemas['StatusPageRevision'];
export type StatusPageRevisionWithPage = Schemas['StatusPageRevisionWithPage'];
export type StatusPageRestore = Schemas['StatusPageRestore'];
export type DeletedStatusPage = Schemas['DeletedStatusPage'];
/** A restored status page in `data`, and the IDs of deleted monitors in `omitted_monitor_ids`. */
export type RestoredStatusPage =
  operations['restoreStatusPage']['responses']['200']['content']['application/json'];
export type StatusPageSummary = Schemas['StatusPageSummary'];
export type Branding = Schemas['Branding'];
export type StatusPageDomain = Schemas['StatusPageDomain'];
export type BrandingUpdate = Schemas['BrandingUpdate'];
/** The content of a picture file. */
export type Picture = Blob | Uint8Array;
export type Access = Schemas['Access'];
export type AccessReplace = Schemas['AccessReplace'];
export type AccessLink = Schemas['AccessLink'];
export type AccessLinkCreate = Schemas['AccessLinkCreate'];
export type NewAccessLink = WithSecret<Schemas['NewAccessLink'], 'token' | 'url'>;
export type PreviewLink = WithSecret<Schemas['PreviewLink'], 'url'>;
export type Section = Schemas['Section'];
export type Project = Schemas['Project'];
export type ProjectCreate = Schemas['ProjectCreate'];
export type ProjectUpdate = Schemas['ProjectUpdate'];
export type Monitor = Schemas['Monitor'];
export type MonitorCreate = Schemas['MonitorCreate'];
export type MonitorUpdate = Schemas['MonitorUpdate'];
export type MonitorStatus = Schemas['MonitorStatus'];
export type MonitorDays = Schemas['MonitorDays'];
export type ResponseTimes = Schemas['ResponseTimes'];
export type MonitorReports = Schemas['MonitorReports'];
export type MonitorReportsResult = Schemas['MonitorReportsResult'];
export type AlertmanagerDelivery =
  operations['receiveAlertmanager']['requestBody']['content']['application/json'];
export type AlertmanagerResult = Schemas['AlertmanagerResult'];
export type BouncesResult = Schemas['BouncesResult'];
export type Incident = Schemas['Incident'];
export type IncidentCreate = Schemas['IncidentCreate'];
export type IncidentPatch = Schemas['IncidentPatch'];
export type AffectedMonitor = Schemas['AffectedMonitor'];
export type IncidentUpdate = Schemas['IncidentUpdate'];
export type IncidentUpdateCreate = Schemas['IncidentUpdateCreate'];
export type IncidentUpdatePatch = Schemas['IncidentUpdatePatch'];
export type Maintenance = Schemas['Maintenance'];
export type MaintenanceCreate = Schemas['MaintenanceCreate'];
export type MaintenanceUpdate = Schemas['MaintenanceUpdate'];
export type MaintenanceWindowUpdate = Schemas['MaintenanceWindowUpdate'];
export type MaintenanceWindowUpdateCreate = Schemas['MaintenanceWindowUpdateCreate'];
export type MaintenanceWindowUpdatePatch = Schemas['MaintenanceWindowUpdatePatch'];
export type Event = Schemas['Event'];
export type IncidentTemplate = Schemas['IncidentTemplate'];
export type IncidentTemplateCreate = Schemas['IncidentTemplateCreate'];
export type IncidentTemplateUpdate = Schemas['IncidentTemplateUpdate'];
export type Subscriber = Schemas['Subscriber'];
export type SubscriberCreate = Schemas['SubscriberCreate'];
export type SubscriberUpdate = Schemas['SubscriberUpdate'];
export type SubscriberBatch = Schemas['SubscriberBatch'];
export type SubscriberBatchResult = Schemas['SubscriberBatchResult'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type NewWebhookEndpoint = WithSecret<Schemas['NewWebhookEndpoint'], 'secret'>;
export type WebhookEndpointCreate = Schemas['WebhookEndpointCreate'];
export type WebhookTest = Schemas['WebhookTest'];
export type WebhookReplay = Schemas['WebhookReplay'];
export type WebhookReplayRequest = Schemas['WebhookReplayRequest'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookEndpointUpdate = Schemas['WebhookEndpointUpdate'];
export type Member = Schemas['Member'];
export type MemberCreate = Schemas['MemberCreate'];
export type MemberUpdate = Schemas['MemberUpdate'];

export type Check = Schemas['Check'];
export type CheckCreate = Schemas['CheckCreate'];
export type CheckRun = Schemas['CheckRun'];
export type CheckState = Schemas['CheckState'];
export type CheckUpdate = Schemas['CheckUpdate'];
export type IncidentDraft = Schemas['IncidentDraft'];
export type IncidentDraftCreate = Schemas['IncidentDraftCreate'];
export type IncidentDraftPublish = Schemas['IncidentDraftPublish'];
export type IncidentDraftUpdate = Schemas['IncidentDraftUpdate'];
export type ApiKey = Schemas['ApiKey'];
export type ApiKeyCreate = Schemas['ApiKeyCreate'];
export type ApiKeyRotation = Schemas['ApiKeyRotation'];
export type NewApiKey = WithSecret<Schemas['NewApiKey'], 'key'>;
export type Me = Schemas['Me'];
export type ImportReport = Schemas['ImportReport'];

export interface ClientOptions extends RetryOptions {
  /** The URL of the API without `/v1`, such as `https://status.example.com`. */
  baseUrl: string;
  /** The API key, `sp_…`, sent as a bearer token. */
  apiKey: string;
  /** Replacement for the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Makes a change conditional. It fails with 412 `precondition_failed` if the resource has changed. */
export interface IfUnchanged {
  /** The resource as you read it, or its `updated_at`. */
  ifUnchanged?: { updated_at: string } | string;
}

// An interface instead of an alias, for which tsc would emit a default import into dist/cjs, which needs
// esModuleInterop.
/** The openapi-fetch client of this API: `http.GET('/v1/me')` resolves to `data` or `error`, and `response`. */
export interface HttpClient extends Client<paths> {}

/**
 * Creates a client of the Status Pages API. Methods return the `data` of the response, and throw {@link StatusPagesError}
 * for an error response. The client retries requests after 429 and 503, see {@link RetryOptions}.
 *
 *     const client = createClient({ baseUrl: 'https://status.example.com', apiKey });
 *     const page = await client.statusPages.get(id);
 */
export function createClient({ baseUrl, apiKey, fetch: own, ...retry }: ClientOptions) {
  const send: Send = own ?? ((request) => fetch(request));
  const headers = { Authorization: `Bearer ${apiKey}` };
  const operationsBy = (by: Send) =>
    operationsOf(createFetchClient<paths>({ baseUrl, headers, fetch: withRetries(by, retry) }));

  return {
    ...operationsBy(send),

    /**
     * Runs writes with all checks, and without their effects: the service changes, stores and sends nothing. IDs and times of
     * new resources are made up, so a write cannot refer to the result of another.
     *
     *     const { dry_run } = await client.dryRun((dry) => dry.incidents.create(incident));
     *     console.log(dry_run.notifications.email, dry_run.changes);
     */
    dryRun: async <Result>(
      write: (client: StatusPagesOperations) => Promise<Result>,
    ): Promise<{ result: Result; dry_run: DryRun }> => {
      const sender = new DryRunSender(send);
      const result = await write(operationsBy((request) => sender.send(request)));
      return { result, dry_run: sender.effects };
    },
  };
}

type Send = (request: Request) => Promise<Response>;

export type StatusPagesClient = ReturnType<typeof createClient>;

/** The operations of a {@link StatusPagesClient}. */
export type StatusPagesOperations = ReturnType<typeof operationsOf>;

function operationsOf(http: HttpClient) {
  return {
    /** All operations of the OpenAPI document, with key and retries. Returns errors instead of throwing them. */
    http,

    /** The calling key. */
    me: async (): Promise<Me> => dataOf(await http.GET('/v1/me')),

    statusPages: {
      list: (query: ListQuery<'listStatusPages'>): List<StatusPage> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/status-pages', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: StatusPageCreate): Promise<StatusPage> =>
        dataOf(await http.POST('/v1/status-pages', { body })),
      get: async (id: string): Promise<StatusPage> =>
        dataOf(await http.GET('/v1/status-pages/{id}', { params: { path: { id } } })),
      /** The current summary of a status page. */
      summary: async (id: string): Promise<StatusPageSummary> =>
        dataOf(await http.GET('/v1/status-pages/{id}/summary', { params: { path: { id } } })),
      /** Language, time zone, links, theme and pictures of the public page. */
      branding: async (id: string): Promise<Branding> =>
        dataOf(await http.GET('/v1/status-pages/{id}/branding', { params: { path: { id } } })),
      updateBranding: async (id: string, body: BrandingUpdate, condition?: IfUnchanged): Promise<Branding> =>
        dataOf(await http.PATCH('/v1/status-pages/{id}/branding', { params: paramsOf(id, condition), body })),
      /** @param file a PNG, JPEG, WebP or SVG picture */
      putLogo: async (id: string, file: Picture, condition?: IfUnchanged): Promise<Branding> =>
        dataOf(
          await http.PUT('/v1/status-pages/{id}/branding/logo', {
            params: paramsOf(id, condition),
            ...fileBody(file),
          }),
        ),
      deleteLogo: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(
          await http.DELETE('/v1/status-pages/{id}/branding/logo', { params: paramsOf(id, condition) }),
        ),
      /** The logo for dark backgrounds. */
      putDarkLogo: async (id: string, file: Picture, condition?: IfUnchanged): Promise<Branding> =>
        dataOf(
          await http.PUT('/v1/status-pages/{id}/branding/logo-dark', {
            params: paramsOf(id, condition),
            ...fileBody(file),
          }),
        ),
      deleteDarkLogo: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(
          await http.DELETE('/v1/status-pages/{id}/branding/logo-dark', { params: paramsOf(id, condition) }),
        ),
      putFavicon: async (id: string, file: Picture, condition?: IfUnchanged): Promise<Branding> =>
        dataOf(
          await http.PUT('/v1/status-pages/{id}/branding/favicon', {
            params: paramsOf(id, condition),
            ...fileBody(file),
          }),
        ),
      deleteFavicon: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(
          await http.DELETE('/v1/status-pages/{id}/branding/favicon', { params: paramsOf(id, condition) }),
        ),
      /** The state of `custom_domain`, and the DNS record that proves it. Fails with 404 if it is null. */
      domain: async (id: string): Promise<StatusPageDomain> =>
        dataOf(await http.GET('/v1/status-pages/{id}/domain', { params: { path: { id } } })),
      /** Checks the domain now, which takes up to 25 seconds. */
      verifyDomain: async (id: string): Promise<StatusPageDomain> =>
        dataOf(await http.POST('/v1/status-pages/{id}/domain/verify', { params: { path: { id } } })),
      /** The rules of who may see a private status page. */
      access: async (id: string): Promise<Access> =>
        dataOf(await http.GET('/v1/status-pages/{id}/access', { params: { path: { id } } })),
      /** Replaces all rules. Omitted secrets are kept. A change ends the sessions of visitors. */
      replaceAccess: async (id: string, body: AccessReplace, condition?: IfUnchanged): Promise<Access> =>
        dataOf(await http.PUT('/v1/status-pages/{id}/access', { params: paramsOf(id, condition), body })),
      /** The links with tokens to a private status page. */
      accessLinks: (id: string) => ({
        list: (query: ListQuery<'listAccessLinks'> = {}): List<AccessLink> =>
          new List(async (cursor) =>
            pageOf(
              await http.GET('/v1/status-pages/{id}/access/links', {
                params: { path: { id }, query: { ...query, cursor } },
              }),
            ),
          ),
        /** Creates a link. Only this response contains the token. */
        create: async (body: AccessLinkCreate): Promise<NewAccessLink> => {
          const params = { path: { id } };
          const link = dataOf(await http.POST('/v1/status-pages/{id}/access/links', { params, body }));
          return withSecret('url', withSecret('token', link));
        },
        delete: async (link_id: string): Promise<void> =>
          requireSuccess(
            await http.DELETE('/v1/status-pages/{id}/access/links/{link_id}', {
              params: { path: { id, link_id } },
            }),
          ),
      }),
      /** Creates a link that shows a public or private status page for 24 hours. Only this response contains it. */
      createPreviewLink: async (id: string): Promise<PreviewLink> =>
        withSecret(
          'url',
          dataOf(
            await http.POST('/v1/status-pages/{id}/preview-links', { params: { path: { id } }, body: {} }),
          ),
        ),
      update: async (id: string, body: StatusPageUpdate, condition?: IfUnchanged): Promise<StatusPage> =>
        dataOf(await http.PATCH('/v1/status-pages/{id}', { params: paramsOf(id, condition), body })),
      updateSettings: async (
        id: string,
        body: StatusPageSettingsUpdate,
        condition?: IfUnchanged,
      ): Promise<StatusPage> =>
        dataOf(await http.PATCH('/v1/status-pages/{id}/settings', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/status-pages/{id}', { params: paramsOf(id, condition) })),
      /** The deleted status pages of a project that can be restored. */
      deleted: (query: ListQuery<'listDeletedStatusPages'>): List<DeletedStatusPage> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/deleted-status-pages', { params: { query: { ...query, cursor } } })),
        ),
      /** @param body a slug and a domain that replace the previous ones */
      restore: async (id: string, body: StatusPageRestore = {}): Promise<RestoredStatusPage> =>
        bodyOf(await http.POST('/v1/status-pages/{id}/restore', { params: { path: { id } }, body })),
      /** The revisions of a status page: `client.statusPages.revisions(id).restore(3)`. */
      revisions: (id: string) => ({
        list: (query: ListQuery<'listStatusPageRevisions'> = {}): List<StatusPageRevision> =>
          new List(async (cursor) =>
            pageOf(
              await http.GET('/v1/status-pages/{id}/revisions', {
                params: { path: { id }, query: { ...query, cursor } },
              }),
            ),
          ),
        get: async (number: number): Promise<StatusPageRevisionWithPage> =>
          dataOf(
            await http.GET('/v1/status-pages/{id}/revisions/{number}', { params: { path: { id, number } } }),
          ),
        restore: async (number: number, condition?: IfUnchanged): Promise<RestoredStatusPage> =>
          bodyOf(
            await http.POST('/v1/status-pages/{id}/revisions/{number}/restore', {
              params: { path: { id, number }, header: headerOf(condition) },
              body: {},
            }),
          ),
      }),
    },

    projects: {
      list: (query: ListQuery<'listProjects'> = {}): List<Project> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/projects', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: ProjectCreate): Promise<Project> =>
        dataOf(await http.POST('/v1/projects', { body })),
      get: async (id: string): Promise<Project> =>
        dataOf(await http.GET('/v1/projects/{id}', { params: { path: { id } } })),
      update: async (id: string, body: ProjectUpdate, condition?: IfUnchanged): Promise<Project> =>
        dataOf(await http.PATCH('/v1/projects/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/projects/{id}', { params: paramsOf(id, condition) })),
    },

    monitors: {
      list: (query: ListQuery<'listMonitors'>): List<Monitor> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/monitors', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: MonitorCreate): Promise<Monitor> =>
        dataOf(await http.POST('/v1/monitors', { body })),
      get: async (id: string): Promise<Monitor> =>
        dataOf(await http.GET('/v1/monitors/{id}', { params: { path: { id } } })),
      update: async (id: string, body: MonitorUpdate, condition?: IfUnchanged): Promise<Monitor> =>
        dataOf(await http.PATCH('/v1/monitors/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/monitors/{id}', { params: paramsOf(id, condition) })),
      /** The current status of a monitor. */
      status: async (id: string): Promise<MonitorStatus> =>
        dataOf(await http.GET('/v1/monitors/{id}/status', { params: { path: { id } } })),
      /** The statuses of all monitors of a project. */
      statuses: (query: ListQuery<'listMonitorStatuses'>): List<MonitorStatus> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/monitor-statuses', { params: { query: { ...query, cursor } } })),
        ),
      /** The days of a monitor in UTC, by default the last 90. */
      days: async (id: string, query: Query<'getMonitorDays'> = {}): Promise<MonitorDays> =>
        dataOf(await http.GET('/v1/monitors/{id}/days', { params: { path: { id }, query } })),
      /** The response times of a monitor, by default of the last 24 hours. */
      responseTimes: async (
        id: string,
        query: Query<'getMonitorResponseTimes'> = {},
      ): Promise<ResponseTimes> =>
        dataOf(await http.GET('/v1/monitors/{id}/response-times', { params: { path: { id }, query } })),
    },

    monitorReports: {
      /** Reports the status of monitors of a project: 1 to 1,000 reports, all or nothing. */
      create: async (body: MonitorReports): Promise<MonitorReportsResult> =>
        dataOf(await http.POST('/v1/monitor-reports', { body })),
    },

    receivers: {
      /** @param delivery the body of Alertmanager's webhook */
      alertmanager: async (
        delivery: AlertmanagerDelivery,
        query: Query<'receiveAlertmanager'>,
      ): Promise<AlertmanagerResult> =>
        dataOf(await http.POST('/v1/receivers/alertmanager', { params: { query }, body: delivery })),
      /** Records a bounce of, or a complaint about, mail to a subscriber. */
      bounces: async (body: { email: string; type: 'hard' | 'soft' | 'complaint' }): Promise<BouncesResult> =>
        dataOf(await http.POST('/v1/receivers/bounces', { body })),
      /** Reports the current status of a monitor. */
      push: async (query: Query<'push'>): Promise<MonitorReportsResult> =>
        dataOf(await http.POST('/v1/receivers/push', { params: { query } })),
      /** The same as {@link push}, with GET. */
      pushByGet: async (query: Query<'pushByGet'>): Promise<MonitorReportsResult> =>
        dataOf(await http.GET('/v1/receivers/push', { params: { query } })),
    },

    incidents: {
      list: (query: ListQuery<'listIncidents'>): List<Incident> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/incidents', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: IncidentCreate): Promise<Incident> =>
        dataOf(await http.POST('/v1/incidents', { body })),
      get: async (id: string): Promise<Incident> =>
        dataOf(await http.GET('/v1/incidents/{id}', { params: { path: { id } } })),
      update: async (id: string, body: IncidentPatch, condition?: IfUnchanged): Promise<Incident> =>
        dataOf(await http.PATCH('/v1/incidents/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/incidents/{id}', { params: paramsOf(id, condition) })),
      /** The updates of an incident: `client.incidents.updates(id).create({ status: 'resolved', body: 'Fixed.' })`. */
      updates: (id: string) => ({
        list: (query: ListQuery<'listIncidentUpdates'> = {}): List<IncidentUpdate> =>
          new List(async (cursor) =>
            pageOf(
              await http.GET('/v1/incidents/{id}/updates', {
                params: { path: { id }, query: { ...query, cursor } },
              }),
            ),
          ),
        /** @param condition of the incident, not of an update */
        create: async (body: IncidentUpdateCreate, condition?: IfUnchanged): Promise<IncidentUpdate> =>
          dataOf(await http.POST('/v1/incidents/{id}/updates', { params: paramsOf(id, condition), body })),
        get: async (update_id: string): Promise<IncidentUpdate> =>
          dataOf(
            await http.GET('/v1/incidents/{id}/updates/{update_id}', { params: { path: { id, update_id } } }),
          ),
        update: async (
          update_id: string,
          body: IncidentUpdatePatch,
          condition?: IfUnchanged,
        ): Promise<IncidentUpdate> =>
          dataOf(
            await http.PATCH('/v1/incidents/{id}/updates/{update_id}', {
              params: { path: { id, update_id }, header: headerOf(condition) },
              body,
            }),
          ),
        delete: async (update_id: string, condition?: IfUnchanged): Promise<void> =>
          requireSuccess(
            await http.DELETE('/v1/incidents/{id}/updates/{update_id}', {
              params: { path: { id, update_id }, header: headerOf(condition) },
            }),
          ),
      }),
    },

    maintenances: {
      list: (query: ListQuery<'listMaintenances'>): List<Maintenance> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/maintenances', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: MaintenanceCreate): Promise<Maintenance> =>
        dataOf(await http.POST('/v1/maintenances', { body })),
      get: async (id: string): Promise<Maintenance> =>
        dataOf(await http.GET('/v1/maintenances/{id}', { params: { path: { id } } })),
      update: async (id: string, body: MaintenanceUpdate, condition?: IfUnchanged): Promise<Maintenance> =>
        dataOf(await http.PATCH('/v1/maintenances/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/maintenances/{id}', { params: paramsOf(id, condition) })),
      /** The updates of a maintenance window: `client.maintenances.updates(id).create({ body: 'Half done.' })`. */
      updates: (id: string) => ({
        list: (query: ListQuery<'listMaintenanceUpdates'> = {}): List<MaintenanceWindowUpdate> =>
          new List(async (cursor) =>
            pageOf(
              await http.GET('/v1/maintenances/{id}/updates', {
                params: { path: { id }, query: { ...query, cursor } },
              }),
            ),
          ),
        /** @param condition of the maintenance window, not of an update */
        create: async (
          body: MaintenanceWindowUpdateCreate,
          condition?: IfUnchanged,
        ): Promise<MaintenanceWindowUpdate> =>
          dataOf(await http.POST('/v1/maintenances/{id}/updates', { params: paramsOf(id, condition), body })),
        get: async (update_id: string): Promise<MaintenanceWindowUpdate> =>
          dataOf(
            await http.GET('/v1/maintenances/{id}/updates/{update_id}', {
              params: { path: { id, update_id } },
            }),
          ),
        update: async (
          update_id: string,
          body: MaintenanceWindowUpdatePatch,
          condition?: IfUnchanged,
        ): Promise<MaintenanceWindowUpdate> =>
          dataOf(
            await http.PATCH('/v1/maintenances/{id}/updates/{update_id}', {
              params: { path: { id, update_id }, header: headerOf(condition) },
              body,
            }),
          ),
        delete: async (update_id: string, condition?: IfUnchanged): Promise<void> =>
          requireSuccess(
            await http.DELETE('/v1/maintenances/{id}/updates/{update_id}', {
              params: { path: { id, update_id }, header: headerOf(condition) },
            }),
          ),
      }),
    },

    events: {
      /** The log of changes, newest first: by default, of all projects of the key. */
      list: (query: ListQuery<'listEvents'> = {}): List<Event> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/events', { params: { query: { ...query, cursor } } })),
        ),
    },

    incidentTemplates: {
      list: (query: ListQuery<'listIncidentTemplates'>): List<IncidentTemplate> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/incident-templates', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: IncidentTemplateCreate): Promise<IncidentTemplate> =>
        dataOf(await http.POST('/v1/incident-templates', { body })),
      get: async (id: string): Promise<IncidentTemplate> =>
        dataOf(await http.GET('/v1/incident-templates/{id}', { params: { path: { id } } })),
      update: async (
        id: string,
        body: IncidentTemplateUpdate,
        condition?: IfUnchanged,
      ): Promise<IncidentTemplate> =>
        dataOf(await http.PATCH('/v1/incident-templates/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/incident-templates/{id}', { params: paramsOf(id, condition) })),
    },

    subscribers: {
      list: (query: ListQuery<'listSubscribers'>): List<Subscriber> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/subscribers', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: SubscriberCreate): Promise<Subscriber> =>
        dataOf(await http.POST('/v1/subscribers', { body })),
      createBatch: async (body: SubscriberBatch): Promise<SubscriberBatchResult> =>
        dataOf(await http.POST('/v1/subscribers/batch', { body })),
      get: async (id: string): Promise<Subscriber> =>
        dataOf(await http.GET('/v1/subscribers/{id}', { params: { path: { id } } })),
      update: async (id: string, body: SubscriberUpdate, condition?: IfUnchanged): Promise<Subscriber> =>
        dataOf(await http.PATCH('/v1/subscribers/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/subscribers/{id}', { params: paramsOf(id, condition) })),
    },

    webhookEndpoints: {
      list: (query: ListQuery<'listWebhookEndpoints'>): List<WebhookEndpoint> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/webhook-endpoints', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: WebhookEndpointCreate): Promise<NewWebhookEndpoint> =>
        withSecret('secret', dataOf(await http.POST('/v1/webhook-endpoints', { body }))),
      get: async (id: string): Promise<WebhookEndpoint> =>
        dataOf(await http.GET('/v1/webhook-endpoints/{id}', { params: { path: { id } } })),
      update: async (
        id: string,
        body: WebhookEndpointUpdate,
        condition?: IfUnchanged,
      ): Promise<WebhookEndpoint> =>
        dataOf(await http.PATCH('/v1/webhook-endpoints/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/webhook-endpoints/{id}', { params: paramsOf(id, condition) })),
      /** Replaces the secret. The former one signs as well for 24 hours. */
      rotateSecret: async (id: string, condition?: IfUnchanged): Promise<NewWebhookEndpoint> =>
        withSecret(
          'secret',
          dataOf(
            await http.POST('/v1/webhook-endpoints/{id}/rotate-secret', { params: paramsOf(id, condition) }),
          ),
        ),
      /** Sends a test message, and returns what came back from the endpoint. */
      test: async (id: string): Promise<WebhookTest> =>
        dataOf(await http.POST('/v1/webhook-endpoints/{id}/test', { params: { path: { id } } })),
      /** Sends all events since a time again, by default since a day ago. */
      replay: async (id: string, body: WebhookReplayRequest = {}): Promise<WebhookReplay> =>
        dataOf(await http.POST('/v1/webhook-endpoints/{id}/replay', { params: { path: { id } }, body })),
    },

    deliveries: {
      list: (query: ListQuery<'listDeliveries'>): List<WebhookDelivery> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/deliveries', { params: { query: { ...query, cursor } } })),
        ),
      /** Sends a delivery again, whether it was delivered or not. */
      retry: async (id: string): Promise<WebhookDelivery> =>
        dataOf(await http.POST('/v1/deliveries/{id}/retry', { params: { path: { id } } })),
    },

    members: {
      list: (query: ListQuery<'listMembers'> = {}): List<Member> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/members', { params: { query: { ...query, cursor } } })),
        ),
      /** Invites a member. If the instance can send mail, the member gets a link to sign in. */
      create: async (body: MemberCreate): Promise<Member> => dataOf(await http.POST('/v1/members', { body })),
      get: async (id: string): Promise<Member> =>
        dataOf(await http.GET('/v1/members/{id}', { params: { path: { id } } })),
      update: async (id: string, body: MemberUpdate, condition?: IfUnchanged): Promise<Member> =>
        dataOf(await http.PATCH('/v1/members/{id}', { params: paramsOf(id, condition), body })),
      /** Ends all sessions of the member. */
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/members/{id}', { params: paramsOf(id, condition) })),
    },

    checks: {
      list: (query: ListQuery<'listChecks'>): List<Check> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/checks', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: CheckCreate): Promise<Check> => dataOf(await http.POST('/v1/checks', { body })),
      get: async (id: string): Promise<Check> =>
        dataOf(await http.GET('/v1/checks/{id}', { params: { path: { id } } })),
      update: async (id: string, body: CheckUpdate, condition?: IfUnchanged): Promise<Check> =>
        dataOf(await http.PATCH('/v1/checks/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/checks/{id}', { params: paramsOf(id, condition) })),
      /** Returns the last run of the check, and the next one. */
      state: async (id: string): Promise<CheckState> =>
        dataOf(await http.GET('/v1/checks/{id}/state', { params: { path: { id } } })),
      /** Runs the check now. Records nothing. */
      run: async (id: string): Promise<CheckRun> =>
        dataOf(await http.POST('/v1/checks/{id}/run', { params: { path: { id } } })),
    },

    incidentDrafts: {
      list: (query: ListQuery<'listIncidentDrafts'>): List<IncidentDraft> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/incident-drafts', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: IncidentDraftCreate): Promise<IncidentDraft> =>
        dataOf(await http.POST('/v1/incident-drafts', { body })),
      get: async (id: string): Promise<IncidentDraft> =>
        dataOf(await http.GET('/v1/incident-drafts/{id}', { params: { path: { id } } })),
      update: async (
        id: string,
        body: IncidentDraftUpdate,
        condition?: IfUnchanged,
      ): Promise<IncidentDraft> =>
        dataOf(await http.PATCH('/v1/incident-drafts/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/incident-drafts/{id}', { params: paramsOf(id, condition) })),
      publish: async (
        id: string,
        body: IncidentDraftPublish = {},
        condition?: IfUnchanged,
      ): Promise<Incident> =>
        dataOf(
          await http.POST('/v1/incident-drafts/{id}/publish', { params: paramsOf(id, condition), body }),
        ),
    },

    apiKeys: {
      list: (query: ListQuery<'listApiKeys'> = {}): List<ApiKey> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/api-keys', { params: { query: { ...query, cursor } } })),
        ),
      /** Only this response contains the key itself. */
      create: async (body: ApiKeyCreate): Promise<NewApiKey> =>
        withSecret('key', dataOf(await http.POST('/v1/api-keys', { body }))),
      get: async (id: string): Promise<ApiKey> =>
        dataOf(await http.GET('/v1/api-keys/{id}', { params: { path: { id } } })),
      revoke: async (id: string): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })),
      /** Only this response contains the new key itself. */
      rotate: async (id: string, body: ApiKeyRotation = {}): Promise<NewApiKey> =>
        withSecret(
          'key',
          dataOf(await http.POST('/v1/api-keys/{id}/rotate', { params: { path: { id } }, body })),
        ),
    },

    imports: {
      /** @param file a `components.json`, as text */
      statuspage: async (file: string, query: Query<'importStatuspage'>): Promise<ImportReport> =>
        dataOf(
          await http.POST('/v1/imports/statuspage', {
            params: { query },
            ...rawBody(file, 'application/json'),
            body: {}, // the type requires an object; the serializer sends the file
          }),
        ),
      /** @param file a `.upptimerc.yml`, as text */
      upptime: async (file: string, query: Query<'importUpptime'>): Promise<ImportReport> =>
        dataOf(
          await http.POST('/v1/imports/upptime', {
            params: { query },
            ...rawBody(file, 'application/yaml'),
          }),
        ),
      /** @param file a configuration of Gatus, as text */
      gatus: async (file: string, query: Query<'importGatus'>): Promise<ImportReport> =>
        dataOf(
          await http.POST('/v1/imports/gatus', {
            params: { query },
            ...rawBody(file, 'application/yaml'),
          }),
        ),
    },
  };
}

/** Sends a file unchanged as the body. */
function rawBody(file: string, type: string) {
  return { headers: { 'Content-Type': type }, body: file, bodySerializer: () => file };
}

/** The ID as a path parameter, and the version as `If-Match`. */
function paramsOf(id: string, condition?: IfUnchanged) {
  return { path: { id }, header: headerOf(condition) };
}

/** The version as `If-Match`. */
function headerOf({ ifUnchanged }: IfUnchanged = {}) {
  const version = typeof ifUnchanged === 'object' ? ifUnchanged.updated_at : ifUnchanged;
  return version === undefined ? {} : { 'If-Match': `"${version}"` };
}

/** A file as the body of a request. The service recognizes its format. */
function fileBody(file: Picture) {
  return {
    body: '', // replaced by the serializer, because the type of a file in `paths` is a text
    bodySerializer: () => file,
    headers: { 'Content-Type': 'application/octet-stream' },
  };
}

interface FetchResult<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

function dataOf<T>({ data, error, response }: FetchResult<{ data: T }>): T {
  if (!data) throw toError(response, error);
  return data.data;
}

type WithSecret<T, Field extends keyof T> = Omit<T, Field> & { [Name in Field]: string };

/**
 * A resource with its secret. Throws if only a retry of the request got a response, because a replay contains no
 * secrets.
 */
function withSecret<T extends { [Name in Field]: string | null }, Field extends keyof T>(
  field: Field,
  resource: T,
): WithSecret<T, Field> {
  const secret = resource[field];
  if (secret !== null) return { ...resource, [field]: secret };
  throw new Error(
    'The response with the secret was lost, and the server does not store it: create another one',
  );
}

function bodyOf<T>({ data, error, response }: FetchResult<T>): T {
  if (!data) throw toError(response, error);
  return data;
}

function pageOf<T>(result: FetchResult<Page<T>>): Page<T> {
  return bodyOf(result);
}

function requireSuccess({ error, response }: FetchResult<unknown>): void {
  if (!response.ok) throw toError(response, error);
}

function toError(response: Response, error: unknown): StatusPagesError {
  return new StatusPagesError(response, isProblem(error) ? error : undefined);
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'request_id' in error;
}
