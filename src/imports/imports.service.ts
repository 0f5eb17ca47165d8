import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type FieldError, Problem, validationFailed } from '../http/problems.js';
import type { CurrentApiKey } from '../auth/current-key.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { MAX_MONITORS, MAX_MONITORS_IN_SECTION, MAX_SECTIONS } from '../status-pages/dto/section.dto.js';
import type { StatusPageDto } from '../status-pages/dto/status-page.dto.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import { readGatus } from './gatus.js';
import type { ImportQuery } from './dto/import.query.js';
import type { ImportReportDto } from './dto/import-report.dto.js';
import type { ImportedPage } from './imported-page.js';
import { readStatuspage } from './statuspage.js';
import { readUpptime } from './upptime.js';

const READERS = { statuspage: readStatuspage, upptime: readUpptime, gatus: readGatus };

/** What is imported: each a format of other status page software. */
export type ImportFormat = keyof typeof READERS;

/** The project of the new page, and whose it is. */
interface OwnProject {
  organization_id: string;
  project_id: string;
}

/** Makes a page, with its sections and monitors, of what other status page software exports. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsService,
    private readonly monitors: MonitorsService,
    private readonly statusPages: StatusPagesService,
  ) {}

  /**
   * Imports a file into a project that the key can see, all or nothing.
   * @param file is ours alone, freshly parsed
   * @throws Problem 400 `validation_failed` for a file that is not of the format, or over a limit of a page; 404 `not_found`
   * for the project; 409 `conflict` when the domain that the file names is another page's
   */
  async import(
    format: ImportFormat,
    key: CurrentApiKey,
    { project_id, dry_run }: ImportQuery,
    file: object,
  ): Promise<ImportReportDto> {
    const imported = read(format, file); // 400 comes before 404
    return this.make(await this.projects.require(key, project_id), imported, dry_run);
  }

  /**
   * The same, into a project that exists.
   * @throws Problem as above
   */
  async importIn(
    format: ImportFormat,
    project: OwnProject,
    file: object,
    { dry_run = false } = {},
  ): Promise<ImportReportDto> {
    return this.make(project, read(format, file), dry_run);
  }

  /** In a dry run the transaction does all that an import does, and is then rolled back. */
  private async make(
    project: OwnProject,
    imported: ImportedPage,
    dry_run: boolean,
  ): Promise<ImportReportDto> {
    const page = await this.dataSource
      .transaction(async (manager) => {
        const made = await this.makeIn(manager, project, imported);
        if (dry_run) throw new DryRunRollback(made);
        return made;
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
      not_imported: imported.not_imported,
    };
  }

  private async makeIn(
    manager: EntityManager,
    project: OwnProject,
    { name, description, custom_domain, sections }: ImportedPage,
  ): Promise<StatusPageDto> {
    const wanted = sections.flatMap(({ monitors }) => monitors);
    const made = await this.monitors.createIn(project, wanted, manager);
    const filled = sections.map(({ id, title, monitors }) => ({
      id,
      title,
      monitor_ids: made.splice(0, monitors.length).map((monitor) => monitor.id),
    }));
    const page = { name, description, custom_domain, sections: filled };
    try {
      return await this.statusPages.createIn(project, page, manager);
    } catch (error) {
      // Its pointer is to a field of the page, which the file has not.
      if (!(error instanceof Problem) || !error.errors) throw error;
      throw new Problem('conflict', { detail: 'The domain in the file is taken by another page' });
    }
  }
}

/** Thrown to roll a transaction back; carries out of it what was made. */
class DryRunRollback extends Error {
  constructor(readonly page: StatusPageDto) {
    super('a dry run is rolled back');
  }
}

function read(format: ImportFormat, file: object): ImportedPage {
  const imported = READERS[format](file);
  refuseOverLimits(imported.sections);
  return imported;
}

function refuseOverLimits(sections: ImportedPage['sections']): void {
  const errors: FieldError[] = [];
  const refuse = (detail: string) => errors.push({ code: 'too_long', detail, pointer: '#' });
  const total = sections.reduce((sum, { monitors }) => sum + monitors.length, 0);
  if (sections.length > MAX_SECTIONS)
    refuse(`makes ${sections.length} sections; a page has at most ${MAX_SECTIONS}`);
  if (total > MAX_MONITORS) refuse(`makes ${total} monitors; a page has at most ${MAX_MONITORS}`);
  for (const { title, monitors } of sections) {
    if (monitors.length <= MAX_MONITORS_IN_SECTION) continue;
    refuse(`"${title}" has ${monitors.length} monitors; a section has at most ${MAX_MONITORS_IN_SECTION}`);
  }
  if (errors.length > 0) throw validationFailed(errors);
}
