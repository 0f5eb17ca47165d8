import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Problem } from '../platform/problems/problem.js';
import { BrandingService } from '../branding/branding.service.js';
import { EventsService } from '../events/events.service.js';
import { IncidentsService } from '../incidents/incidents.service.js';
import { MaintenancesService } from '../maintenances/maintenances.service.js';
import type { Actor } from '../platform/auth/actor.js';
import { WriteLog } from '../platform/database/write-log.repository.js';
import { MonitorCreation } from '../monitors/monitor-creation.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ReportsService } from '../reports/reports.service.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import type { ImportQuery } from './dto/import.query.js';
import type { ImportReportDto } from './dto/import-report.dto.js';
import { withinScopes } from './import-parts.js';
import type { ImportedPage } from './imported-page.js';
import type { ImportFormat } from './read.js';
import { ReaderThreads } from './reader-threads.js';

/** Creates a status page with sections, monitors and their history from a file of other status page software. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorCreation,
    private readonly statusPages: StatusPagesService,
    private readonly reports: ReportsService,
    private readonly incidents: IncidentsService,
    private readonly maintenances: MaintenancesService,
    private readonly readers: ReaderThreads,
    private readonly events: EventsService,
    private readonly branding: BrandingService,
    private readonly log: WriteLog,
  ) {}

  /**
   * Imports a file into a project that the actor can access, all or nothing, without the parts that require a scope that the actor
   * lacks. Checks the project first, because reading a file is expensive.
   * @throws Problem 404 `not_found` for the project; 400 for a file with another format, or over a limit of a page; 413 and 503
   * as `ReaderThreads.read`; 409 `conflict` if another page uses the domain in the file
   */
  async import(
    format: ImportFormat,
    actor: Actor,
    { project_id, dry_run }: ImportQuery,
    file: Uint8Array,
  ): Promise<ImportReportDto> {
    await this.projects.require(actor, project_id);
    const imported = await this.readers.read(actor.organization_id, format, file);
    return this.createPage(format, actor, project_id, withinScopes(imported, actor.scopes), dry_run);
  }

  /**
   * Imports a parsed file into an existing project. Reads it on the current thread, for the CLI.
   * @param file freshly parsed; is modified
   * @throws Problem 400 and 409 as above
   */
  async importIn(
    format: ImportFormat,
    actor: Actor,
    project_id: string,
    file: object,
    { dry_run = false } = {},
  ): Promise<ImportReportDto> {
    const { readParsed } = await import('./read.js'); // loads the parsers, which a server uses only in threads
    return this.createPage(format, actor, project_id, readParsed(format, file), dry_run);
  }

  /** Creates the page in a transaction. A dry run then rolls it back. */
  private async createPage(
    format: ImportFormat,
    actor: Actor,
    project_id: string,
    imported: ImportedPage,
    dry_run: boolean,
  ): Promise<ImportReportDto> {
    const project = this.projects.projectRef(actor, project_id);
    const page = await this.dataSource
      .transaction(async (manager) => {
        const { page: created, keys } = await this.createPageIn(manager, actor, project_id, imported);
        const { time_zone } = imported;
        if (time_zone !== undefined) await this.branding.createIn(actor, created, { time_zone }, {}, manager);
        await this.createHistoryIn(manager, actor, created, imported);
        await this.monitors.setFreeKeys(project, keys, manager);
        const monitorIds = created.sections.flatMap(({ monitor_ids }) => monitor_ids);
        await this.events.silence(project.organization_id, [created.id, ...monitorIds], manager);
        const data = { format, monitors: monitorIds.length, incidents: imported.incidents?.length ?? 0 };
        const entry = { actor, project_id, resource_id: created.id, data };
        await this.log.record({ type: 'import.completed', ...entry }, manager);
        if (dry_run) throw new DryRunRollback(created);
        return created;
      })
      .catch((error: unknown) => {
        if (error instanceof DryRunRollback) return error.page;
        throw error;
      });
    return {
      dry_run,
      status_page_id: dry_run ? null : page.id,
      project_id: page.project_id,
      name: page.name,
      slug: page.slug,
      custom_domain: page.custom_domain,
      sections: page.sections.length,
      monitors: page.sections.flatMap(({ monitor_ids }) => monitor_ids).length,
      monitor_keys: imported.sections.flatMap(({ monitors }) => monitors).filter(({ key }) => key).length,
      reports: imported.reports?.length ?? 0,
      incidents: imported.incidents?.length ?? 0,
      maintenances: imported.maintenances?.length ?? 0,
      not_imported: imported.not_imported,
    };
  }

  private async createPageIn(
    manager: EntityManager,
    actor: Actor,
    project_id: string,
    { name, description, custom_domain, sections }: ImportedPage,
  ): Promise<{ page: StatusPageDto; keys: { id: string; key: string }[] }> {
    const monitorsToCreate = sections.flatMap(({ monitors }) => monitors);
    const withoutKeys = monitorsToCreate.map((monitor) => ({ ...monitor, key: null }));
    const created = await this.monitors.createIn(actor, project_id, withoutKeys, manager);
    const keys = created.flatMap(({ id }, index) => {
      const key = monitorsToCreate[index]?.key;
      return key ? [{ id, key }] : [];
    });
    const filled = sections.map(({ id, title, monitors }) => ({
      id,
      title,
      monitor_ids: created.splice(0, monitors.length).map((monitor) => monitor.id),
    }));
    const page = { name, description, custom_domain, sections: filled };
    try {
      return { page: await this.statusPages.createIn(actor, project_id, page, manager), keys };
    } catch (error) {
      // The pointer refers to a field of the page, not of the file.
      if (!(error instanceof Problem) || !error.errors) throw error;
      throw new Problem('conflict', {
        detail: 'Another status page already uses the custom domain in the file',
      });
    }
  }

  private async createHistoryIn(
    manager: EntityManager,
    actor: Actor,
    page: StatusPageDto,
    { reports = [], starts = [], incidents = [], maintenances = [] }: ImportedPage,
  ): Promise<void> {
    const { project_id } = page;
    const all = [...starts, ...reports];
    if (all.length > 0) await this.reports.record(actor, project_id, all, manager);
    // Other status pages of the project must not show incidents and maintenance windows without monitors.
    for (const incident of incidents) {
      const status_page_ids = incident.updates.some(({ monitors }) => monitors?.length) ? null : [page.id];
      await this.incidents.createIn(actor, project_id, { ...incident, status_page_ids }, manager);
    }
    for (const maintenance of maintenances) {
      const status_page_ids = maintenance.monitor_ids?.length ? null : [page.id];
      await this.maintenances.createIn(actor, project_id, { ...maintenance, status_page_ids }, manager);
    }
  }
}

/** Rolls back a transaction, and carries its result. */
class DryRunRollback extends Error {
  constructor(readonly page: StatusPageDto) {
    super('dry run: rolled back');
  }
}
