import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type FieldError, validationFailed } from '../http/problems.js';
import { MonitorsService } from '../monitors/monitors.service.js';
import { MAX_MONITORS, MAX_MONITORS_IN_SECTION, MAX_SECTIONS } from '../status-pages/dto/section.dto.js';
import { StatusPagesService } from '../status-pages/status-pages.service.js';
import type { ImportedPage, ImportReport } from './imported-page.js';
import { readStatuspage } from './statuspage.js';

/** Makes a page, with its sections and monitors, of what other status page software exports. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly monitors: MonitorsService,
    private readonly statusPages: StatusPagesService,
  ) {}

  /**
   * Imports a `components.json` of the Atlassian Statuspage format, all or nothing.
   * @throws Problem 400 `validation_failed` for a file that is not of this format, or over a limit of a page
   */
  async importStatuspage(
    project: { organization_id: string; project_id: string },
    file: object,
  ): Promise<ImportReport> {
    return this.make(project, readStatuspage(file));
  }

  private async make(
    project: { organization_id: string; project_id: string },
    { name, sections, not_imported }: ImportedPage,
  ): Promise<ImportReport> {
    refuseOverLimits(sections);
    const wanted = sections.flatMap(({ monitors }) => monitors);
    const page = await this.dataSource.transaction(async (manager) => {
      const made = await this.monitors.createIn(project, wanted, manager);
      const filled = sections.map(({ id, title, monitors }) => ({
        id,
        title,
        monitor_ids: made.splice(0, monitors.length).map((monitor) => monitor.id),
      }));
      return this.statusPages.createIn(project, { name, sections: filled }, manager);
    });
    return {
      status_page_id: page.id,
      project_id: page.project_id,
      name: page.name,
      slug: page.slug,
      sections: sections.length,
      monitors: wanted.length,
      not_imported,
    };
  }
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
