import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Range, Rows } from '../platform/database/keyset.js';
import type { RawJson } from '../platform/database/raw-json.js';
import { ResourceTable } from '../platform/database/resource-table.js';
import { StatementRunner } from '../platform/database/statement-runner.js';
import { AccessLink } from './access-link.entity.js';
import { OF_PAGE, type PageRef, parametersOf } from '../status-pages/page-ref.js';
import type { AccessLinkDto } from './dto/access-link.dto.js';

/** A link, and whether its last use was noted in the last hour. */
export type FoundLink = PageRef & Pick<AccessLink, 'id'> & { is_noted: boolean };

/** Reads and writes the table `access_links`. */
@Injectable()
export class AccessLinksRepository {
  private readonly table: ResourceTable<AccessLink, AccessLinkDto>;

  constructor(
    @InjectRepository(AccessLink) repository: Repository<AccessLink>,
    private readonly runner: StatementRunner,
  ) {
    this.table = new ResourceTable(repository, runner, [
      'id',
      'description',
      'last_used_at',
      'status_page_id',
      'created_at',
    ]);
  }

  /** Returns the links of a page, newest first. Uses `access_links_status_page_idx`. */
  async findNewest(page: PageRef, range: Range): Promise<Rows<AccessLinkDto>> {
    return this.table.list(OF_PAGE, parametersOf(page), range);
  }

  /** Returns a link of a page, or undefined. */
  async findOf(page: PageRef, id: string): Promise<RawJson<AccessLinkDto> | undefined> {
    return this.table.find(`${OF_PAGE} AND id = $3`, [...parametersOf(page), id]);
  }

  /** Returns the number of links of a page. The transaction has locked the page. */
  async countOf(page: PageRef, manager: EntityManager): Promise<number> {
    return this.runner.count(`SELECT FROM access_links WHERE ${OF_PAGE}`, parametersOf(page), manager);
  }

  async insertOne(
    link: PageRef & Pick<AccessLink, 'id' | 'description' | 'token_hash'>,
    manager: EntityManager,
  ): Promise<AccessLinkDto> {
    const created_at = new Date(); // from the same clock as the UUIDv7, so that both sort in the same order
    const { organization_id, status_page_id, id, token_hash } = link;
    const fixed = { organization_id, status_page_id, id, token_hash, created_at };
    return this.table.insert(fixed, { description: link.description }, manager);
  }

  /** Deletes a link of a page. Returns its description, or undefined if it does not exist. */
  async deleteOf(page: PageRef, id: string, manager: EntityManager): Promise<string | undefined> {
    const [deleted] = await this.runner.query<{ description: string }>(
      `DELETE FROM access_links WHERE ${OF_PAGE} AND id = $3 RETURNING description`,
      [...parametersOf(page), id],
      manager,
    );
    return deleted?.description;
  }

  /** Returns the link with this token. Requires no organization, because the token identifies the page. */
  async findByToken(tokenHash: Buffer): Promise<FoundLink | undefined> {
    const [link] = await this.runner.read<FoundLink>(
      `SELECT id, organization_id, status_page_id,
              coalesce(last_used_at > clock_timestamp() - interval '1 hour', false) AS is_noted
         FROM access_links
        WHERE token_hash = $1`,
      [tokenHash],
    );
    return link;
  }

  /** Notes that a link is used now. */
  async note({ id, ...page }: PageRef & Pick<AccessLink, 'id'>): Promise<void> {
    await this.runner.query(
      `UPDATE access_links SET last_used_at = clock_timestamp() WHERE ${OF_PAGE} AND id = $3`,
      [...parametersOf(page), id],
    );
  }
}
