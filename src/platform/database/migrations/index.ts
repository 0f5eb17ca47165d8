import { Foundation1763640000000 } from './1763640000000-foundation.js';
import { PagesOfAMonitor1763650000000 } from './1763650000000-pages-of-a-monitor.js';
import { ListProjects1763650100000 } from './1763650100000-list-projects.js';
import { ListMonitors1763650200000 } from './1763650200000-list-monitors.js';
import { ListApiKeys1763650300000 } from './1763650300000-list-api-keys.js';
import { ListApiKeysOfProjects1763650400000 } from './1763650400000-list-api-keys-of-projects.js';
import { Reports1763650600000 } from './1763650600000-reports.js';
import { Incidents1763650700000 } from './1763650700000-incidents.js';
import { Maintenances1763650800000 } from './1763650800000-maintenances.js';
import { MonitorDays1763650900000 } from './1763650900000-monitor-days.js';
import { PageVersions1763651000000 } from './1763651000000-page-versions.js';
import { PreviewLinks1763651100000 } from './1763651100000-preview-links.js';
import { IdempotencyKeys1763652000000 } from './1763652000000-idempotency-keys.js';
import { StatusPageRevisions1763652100000 } from './1763652100000-status-page-revisions.js';
import { DeletedStatusPages1763652200000 } from './1763652200000-deleted-status-pages.js';
import { ActiveApiKeys1763652300000 } from './1763652300000-active-api-keys.js';
import { HeapOnlyUpdates1763652400000 } from './1763652400000-heap-only-updates.js';
import { LineageOfApiKeys1763652700000 } from './1763652700000-lineage-of-api-keys.js';
import { StoredBodies1763652710000 } from './1763652710000-stored-bodies.js';
import { OperationalUntilReported1763652800000 } from './1763652800000-operational-until-reported.js';
import { UnreportedMonitors1763652800100 } from './1763652800100-unreported-monitors.js';
import { IncidentsWithoutMonitors1763652810000 } from './1763652810000-incidents-without-monitors.js';
import { IncidentsOnAllPages1763652810100 } from './1763652810100-incidents-on-all-pages.js';
import { IncidentsOnAllPagesIndex1763652810200 } from './1763652810200-incidents-on-all-pages-index.js';
import { KeyOfMaintenances1763652820000 } from './1763652820000-key-of-maintenances.js';
import { MaintenanceUpdates1763652821000 } from './1763652821000-maintenance-updates.js';
import { MonitorKey1763652830000 } from './1763652830000-monitor-key.js';
import { UniqueMonitorKey1763652830100 } from './1763652830100-unique-monitor-key.js';
import { IncidentTemplates1763652840000 } from './1763652840000-incident-templates.js';
import { Branding1763652910000 } from './1763652910000-branding.js';
import { Secrets1763653000000 } from './1763653000000-secrets.js';
import { Events1763653100000 } from './1763653100000-events.js';
import { Deliveries1763653200000 } from './1763653200000-deliveries.js';
import { Subscribers1763653300000 } from './1763653300000-subscribers.js';
import { Webhooks1763653400000 } from './1763653400000-webhooks.js';
import { DeliveriesOfEndpoints1763653400100 } from './1763653400100-deliveries-of-endpoints.js';
import { Domains1763653500000 } from './1763653500000-domains.js';
import { DomainsOfOrganizations1763653500100 } from './1763653500100-domains-of-organizations.js';
import { UnprovenDomains1763653500200 } from './1763653500200-unproven-domains.js';
import { FormerSlugs1763653600000 } from './1763653600000-former-slugs.js';
import { Access1763653700000 } from './1763653700000-access.js';
import { AccessEmailRequests1763653710000 } from './1763653710000-access-email-requests.js';
import { RetiredSecrets1763653720000 } from './1763653720000-retired-secrets.js';
import { TurnsOfDeliveries1763653730000 } from './1763653730000-turns-of-deliveries.js';
import { Announced1763653740000 } from './1763653740000-announced.js';
import { ListsByStatusAndType1763653750000 } from './1763653750000-lists-by-status-and-type.js';
import { DeferredStatusChanges1763653760000 } from './1763653760000-deferred-status-changes.js';
import { FormerPages1763653770000 } from './1763653770000-former-pages.js';
import { MailPerAddress1763653780000 } from './1763653780000-mail-per-address.js';
import { BouncedMessages1763653795000 } from './1763653795000-bounced-messages.js';
import { CountedStatusChanges1763653800000 } from './1763653800000-counted-status-changes.js';
import { OpenEventTypes1763653820000 } from './1763653820000-open-event-types.js';
import { ValidEventTypes1763653820100 } from './1763653820100-valid-event-types.js';
import { ActorsOfEvents1763653910000 } from './1763653910000-actors-of-events.js';
import { LogOfEvents1763653930000 } from './1763653930000-log-of-events.js';
import { Log1763654000000 } from './1763654000000-log.js';
import { Members1763654100000 } from './1763654100000-members.js';
import { ActorsOfRevisions1763653900000 } from './1763653900000-actors-of-revisions.js';
import {
  BoundsOfApiKeys1763653950010,
  BoundsOfIncidentUpdates1763653950050,
  BoundsOfIncidents1763653950040,
  BoundsOfMaintenances1763653950060,
  BoundsOfMonitors1763653950020,
  BoundsOfProjects1763653950000,
  BoundsOfStatusPages1763653950030,
} from './1763653950000-bounds-of-texts.js';
import { ValidBoundsOfTexts1763653950100 } from './1763653950100-valid-bounds-of-texts.js';
import { IdempotencyKeysOfMembers1763654200000 } from './1763654200000-idempotency-keys-of-members.js';
import { FailedDeliveries1763654200100 } from './1763654200100-failed-deliveries.js';
import { ResponseTimes1763654400000 } from './1763654400000-response-times.js';
import { Checks1763654500000 } from './1763654500000-checks.js';
import { IncidentDrafts1763654600000 } from './1763654600000-incident-drafts.js';
import { DraftTemplateIndexes1763654600100 } from './1763654600100-draft-template-indexes.js';
import { DraftTemplateKey1763654600200 } from './1763654600200-draft-template-key.js';
import { ValidDraftTemplateKey1763654600300 } from './1763654600300-valid-draft-template-key.js';
import { ShownResponseTimes1763654700000 } from './1763654700000-shown-response-times.js';
import { MemberPasskeys1763654800000 } from './1763654800000-member-passkeys.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  Foundation1763640000000,
  PagesOfAMonitor1763650000000,
  ListProjects1763650100000,
  ListMonitors1763650200000,
  ListApiKeys1763650300000,
  ListApiKeysOfProjects1763650400000,
  Reports1763650600000,
  Incidents1763650700000,
  Maintenances1763650800000,
  MonitorDays1763650900000,
  PageVersions1763651000000,
  PreviewLinks1763651100000,
  IdempotencyKeys1763652000000,
  StatusPageRevisions1763652100000,
  DeletedStatusPages1763652200000,
  ActiveApiKeys1763652300000,
  HeapOnlyUpdates1763652400000,
  LineageOfApiKeys1763652700000,
  StoredBodies1763652710000,
  OperationalUntilReported1763652800000,
  UnreportedMonitors1763652800100,
  IncidentsWithoutMonitors1763652810000,
  IncidentsOnAllPages1763652810100,
  IncidentsOnAllPagesIndex1763652810200,
  KeyOfMaintenances1763652820000,
  MaintenanceUpdates1763652821000,
  MonitorKey1763652830000,
  UniqueMonitorKey1763652830100,
  IncidentTemplates1763652840000,
  Branding1763652910000,
  Secrets1763653000000,
  Events1763653100000,
  Deliveries1763653200000,
  Subscribers1763653300000,
  Webhooks1763653400000,
  DeliveriesOfEndpoints1763653400100,
  Domains1763653500000,
  DomainsOfOrganizations1763653500100,
  UnprovenDomains1763653500200,
  FormerSlugs1763653600000,
  Access1763653700000,
  AccessEmailRequests1763653710000,
  RetiredSecrets1763653720000,
  TurnsOfDeliveries1763653730000,
  Announced1763653740000,
  ListsByStatusAndType1763653750000,
  DeferredStatusChanges1763653760000,
  FormerPages1763653770000,
  MailPerAddress1763653780000,
  BouncedMessages1763653795000,
  CountedStatusChanges1763653800000,
  OpenEventTypes1763653820000,
  ValidEventTypes1763653820100,
  ActorsOfRevisions1763653900000,
  ActorsOfEvents1763653910000,
  LogOfEvents1763653930000,
  BoundsOfProjects1763653950000,
  BoundsOfApiKeys1763653950010,
  BoundsOfMonitors1763653950020,
  BoundsOfStatusPages1763653950030,
  BoundsOfIncidents1763653950040,
  BoundsOfIncidentUpdates1763653950050,
  BoundsOfMaintenances1763653950060,
  ValidBoundsOfTexts1763653950100,
  Log1763654000000,
  Members1763654100000,
  IdempotencyKeysOfMembers1763654200000,
  FailedDeliveries1763654200100,
  ResponseTimes1763654400000,
  Checks1763654500000,
  IncidentDrafts1763654600000,
  DraftTemplateIndexes1763654600100,
  DraftTemplateKey1763654600200,
  ValidDraftTemplateKey1763654600300,
  ShownResponseTimes1763654700000,
  MemberPasskeys1763654800000,
];
