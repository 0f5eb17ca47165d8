import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { DeletedPagesService } from '../status-pages/deleted/deleted-pages.service.js';
import type { LockedStatusPage } from '../status-pages/status-pages.repository.js';

const IMAGE = 'kind, hash, content_type, width, height, size';
const BRANDING =
  'language, time_zone, website_url, support_url, links, theme, show_response_times, updated_at';

/**
 * Keeps the branding of a deleted page with the deleted page, as JSON with up to 2 MB, because its rows are deleted with the row
 * of the page. A restore inserts them again.
 */
@Injectable()
export class BrandingArchiveRepository implements OnModuleInit {
  constructor(
    private readonly runner: StatementRunner,
    private readonly deletedPages: DeletedPagesService,
  ) {}

  onModuleInit(): void {
    this.deletedPages.register({
      kind: 'branding',
      remove: (page, manager) => this.read(page, manager),
      add: (page, [branding], manager) => this.insert(page, branding, manager),
    });
  }

  private async read({ organization_id, id }: LockedStatusPage, manager: EntityManager): Promise<string[]> {
    const rows = await this.runner.read<{ text: string }>(
      `SELECT json_build_object(
                'branding', (SELECT coalesce(json_agg(one), '[]')
                               FROM (SELECT ${BRANDING} FROM status_page_branding
                                      WHERE organization_id = $1 AND status_page_id = $2) AS one),
                'images', (SELECT coalesce(json_agg(one), '[]')
                             FROM (SELECT ${IMAGE}, encode(bytes, 'base64') AS base64 FROM status_page_images
                                    WHERE organization_id = $1 AND status_page_id = $2) AS one)
              )::text AS text`,
      [organization_id, id],
      manager,
    );
    return rows.map(({ text }) => text);
  }

  /** @param branding the result of {@link read}; undefined if the page was deleted by a version without brandings */
  private async insert(
    { organization_id, id }: LockedStatusPage,
    branding: string | undefined,
    manager: EntityManager,
  ): Promise<void> {
    if (branding === undefined) return;
    const parameters = [organization_id, id, branding];
    await this.runner.query(
      `INSERT INTO status_page_branding (organization_id, status_page_id, ${BRANDING})
       SELECT $1, $2, ${BRANDING.replace('show_response_times', 'coalesce(show_response_times, false)')}
         FROM jsonb_to_recordset($3::jsonb -> 'branding')
           AS one (language text, time_zone text, website_url text, support_url text, links jsonb, theme text,
                   show_response_times boolean, updated_at timestamptz)`,
      parameters,
      manager,
    );
    await this.runner.query(
      `INSERT INTO status_page_images (organization_id, status_page_id, ${IMAGE}, bytes)
       SELECT $1, $2, ${IMAGE}, decode(base64, 'base64')
         FROM jsonb_to_recordset($3::jsonb -> 'images')
           AS one (kind text, hash text, content_type text, width integer, height integer, size integer, base64 text)`,
      parameters,
      manager,
    );
  }
}
