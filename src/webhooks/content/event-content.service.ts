import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { SentEventDto } from '../../events/dto/event.dto.js';
import { EventsService } from '../../events/events.service.js';
import { IncidentUpdatesService } from '../../incidents/incident-updates.service.js';
import { IncidentsService } from '../../incidents/incidents.service.js';
import { IncidentDraftsService } from '../../incidents/drafts/incident-drafts.service.js';
import { MaintenancesService } from '../../maintenances/maintenances.service.js';
import { MonitorsService } from '../../monitors/monitors.service.js';
import type { ActorAccess } from '../../platform/auth/actor.js';
import type { RawJson } from '../../platform/database/raw-json.js';
import { Problem } from '../../platform/problems/problem.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import { StatusPagesService } from '../../status-pages/status-pages.service.js';
import { EVENTS, type EventResource } from '../../events/event-types.js';

/** An event, and its resource and update in their current state. */
export interface EventContent {
  event: SentEventDto;
  /** JSON of the resource as the API returns it; undefined: it is deleted. */
  resource: string | undefined;
  /** JSON of the incident update that caused the event; undefined: no update caused it, or it is deleted. */
  update: string | undefined;
}

/** Reads a resource that the access includes. Throws `not_found` if it does not exist. */
export type ResourceReader = (
  access: ActorAccess,
  id: string,
  manager?: EntityManager,
) => Promise<RawJson<object>>;

/** Resources of modules that import this one, which register their readers. */
type RegisteredResource = 'webhook_endpoint';
type ReadResource = Exclude<EventResource, RegisteredResource>;

/** Reads events and their resources. */
@Injectable()
export class EventContents {
  private readonly readers: Record<ReadResource, ResourceReader> &
    Partial<Record<RegisteredResource, ResourceReader>>;

  constructor(
    private readonly events: EventsService,
    private readonly updates: IncidentUpdatesService,
    incidents: IncidentsService,
    drafts: IncidentDraftsService,
    maintenances: MaintenancesService,
    monitors: MonitorsService,
    statusPages: StatusPagesService,
  ) {
    this.readers = {
      incident: (access, id, manager) => incidents.get(access, id, manager),
      incident_draft: (access, id, manager) => drafts.get(access, id, manager),
      maintenance: (access, id, manager) => maintenances.get(access, id, manager),
      monitor: (access, id, manager) => monitors.get(access, id, manager),
      status_page: (access, id, manager) => statusPages.get(access, id, manager),
    };
  }

  /** Registers the reader of another module's resource, such as `webhook_endpoint`. */
  register(kind: RegisteredResource, reader: ResourceReader): void {
    this.readers[kind] = reader;
  }

  /** Returns an event of a project with its resource, or undefined if there is no such event. */
  async find(project: ProjectRef, id: string, manager?: EntityManager): Promise<EventContent | undefined> {
    const event = await this.events.find(project, id, manager);
    if (!event) return undefined;
    const { resource_id, update_id } = event;
    const incident = { organization_id: project.organization_id, id: resource_id };
    const [resource, update] = await Promise.all([
      this.findResource(project, EVENTS[event.type].about, resource_id, manager),
      update_id === null ? undefined : this.updates.find(incident, update_id, manager),
    ]);
    return { event, resource, update: update && String(update.text) };
  }

  /** Returns the JSON of an event's resource, or undefined if it is deleted. */
  async findResource(
    { organization_id, project_id }: ProjectRef,
    kind: EventResource,
    id: string,
    manager?: EntityManager,
  ): Promise<string | undefined> {
    const read = this.readers[kind];
    const access = { organization_id, project_ids: [project_id] };
    const resource = read && (await unlessDeleted(read(access, id, manager)));
    return resource && String(resource.text);
  }
}

/** Returns what a service has read, or undefined if it is deleted. */
export async function unlessDeleted<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  }
}
