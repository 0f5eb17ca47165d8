import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ActorAccess } from '../../platform/auth/actor.js';
import type { Range, Rows } from '../../platform/database/keyset.js';
import { OWN, ownRowParameters } from '../../platform/database/own-rows.js';
import { ResourceTable } from '../../platform/database/resource-table.js';
import { StatementRunner } from '../../platform/database/statement-runner.js';
import type { RevisedFieldsDto, RevisionDto } from './dto/revision.dto.js';
import type { StatusPageDto } from '../dto/status-page.dto.js';
import { Revision } from './revision.entity.js';
import { MAX_REVISIONS } from '../revision-statements.js';
import type { StatusPage } from '../status-page.entity.js';
import { StatusPagesRepository } from '../status-pages.repository.js';

/** An existing page, with the number of its last revision. */
export type RevisedPage = Pick<StatusPage, 'id' | 'organization_id' | 'revision'>;

/** Type with times as text, as in JSON. */
type WithTimeText<Of extends { created_at: Date }> = Omit<Of, 'created_at'> & { created_at: string };

/** A stored revision, and the values from which the page after it is derived. */
export interface FoundRevision {
  revision: WithTimeText<RevisionDto> & { before: RevisedFieldsDto };
  /** Current page. */
  today: WithTimeText<StatusPageDto>;
  /** For each field that a later revision changed, the value before the earliest of these revisions. */
  replaced: RevisedFieldsDto;
}

const MAX_DAYS = 365;

/** Returns an SQL condition that excludes revisions beyond the limit, which the cleanup may not have deleted yet. */
const isKept = (last: string) =>
  `number > ${last} - ${MAX_REVISIONS} AND created_at > now() - interval '${MAX_DAYS} days'`;

const API_KEY = `CASE WHEN api_key_id IS NOT NULL
                      THEN json_build_object('id', api_key_id, 'name', api_key_name) END`;

/** SQL of the actor. Rows of the former version contain only the API key, or none for the command line. */
const ACTOR = `json_build_object(
                      'type', coalesce(actor_type, CASE WHEN api_key_id IS NULL THEN 'command_line' ELSE 'api_key' END),
                      'id', coalesce(actor_id, api_key_id),
                      'name', coalesce(actor_name, api_key_name, 'cli'))`;

/** SQL of a UUID that represents the number in cursors. */
const NUMBER_AS_ID = `lpad(to_hex(number), 32, '0')::uuid`;
const asNumber = (id: string) => `('x' || right(${id}::uuid::text, 8))::bit(32)::integer`;

/** Reads the table `status_page_revisions`. `revision-statements.ts` writes it. */
@Injectable()
export class RevisionsRepository {
  private readonly table: ResourceTable<Revision, RevisionDto>;

  constructor(
    @InjectRepository(Revision) repository: Repository<Revision>,
    private readonly runner: StatementRunner,
    private readonly pages: StatusPagesRepository,
  ) {
    this.table = new ResourceTable(repository, runner, [
      'number',
      'operation',
      'changed_fields',
      { as: 'actor', sql: ACTOR },
      { as: 'api_key', sql: API_KEY },
      'created_at',
    ]);
  }

  /** Returns the status page of a list of revisions. */
  async findPage(access: ActorAccess, id: string): Promise<RevisedPage | undefined> {
    const [page] = await this.runner.read<RevisedPage>(
      `SELECT organization_id, id, revision FROM status_pages WHERE ${OWN}`,
      ownRowParameters(access, id),
    );
    return page;
  }

  /**
   * Returns the revisions of a page, newest first. Uses the primary key. Rows are small, because they do not contain values.
   */
  async findNewest({ organization_id, id, revision }: RevisedPage, range: Range): Promise<Rows<RevisionDto>> {
    // Times increase with the numbers. Both are compared, because the statement must use all of its parameters.
    const after = range.after ? `AND created_at < $5::timestamptz AND number < ${asNumber('$6')}` : '';
    return this.table.listBy(
      `SELECT ${this.table.columns}, ${NUMBER_AS_ID} AS id
         FROM status_page_revisions
        WHERE organization_id = $1 AND status_page_id = $2 AND ${isKept('$3::integer')} ${after}
        ORDER BY number DESC
        LIMIT $4::int + 1`,
      [organization_id, id, revision],
      range,
    );
  }

  /**
   * Reads a revision in one statement, so from one snapshot.
   * @returns undefined if the page does not exist; null if the page has no such revision
   */
  async findRevision(
    access: ActorAccess,
    id: string,
    number: number,
  ): Promise<FoundRevision | null | undefined> {
    const [row] = await this.runner.read<{ found: FoundRevision | null }>(
      `WITH page AS (
         SELECT organization_id, id, revision, ${this.pages.table.json} AS today FROM status_pages WHERE ${OWN}
       ), replaced AS (
         SELECT DISTINCT ON (field) field, before
           FROM status_page_revisions, unnest(changed_fields) AS field
          WHERE organization_id = $1 AND status_page_id = $3 AND number > $4
          ORDER BY field, number
       ), one AS (
         SELECT number, operation, changed_fields, ${ACTOR} AS actor, ${API_KEY} AS api_key, created_at, before
           FROM status_page_revisions
          WHERE organization_id = $1 AND status_page_id = $3 AND number = $4
            AND ${isKept('(SELECT revision FROM page)')}
       )
       SELECT (SELECT json_build_object(
                 'revision', row_to_json(one),
                 'today', page.today,
                 'replaced', (SELECT coalesce(jsonb_object_agg(field, before -> field), '{}') FROM replaced)
               ) FROM one) AS found
         FROM page`,
      [...ownRowParameters(access, id), number],
    );
    return row && row.found;
  }

  /**
   * Deletes at most `limit` outdated revisions of any organization. Skips rows that another process is deleting.
   * @returns the number of deleted revisions
   */
  async deleteOld(limit: number): Promise<number> {
    return this.runner.count(
      `WITH old AS (
         SELECT status_page_id, number
           FROM status_page_revisions
          WHERE created_at <= now() - interval '${MAX_DAYS} days'
          ORDER BY created_at
          LIMIT $1
            FOR UPDATE SKIP LOCKED
       )
       DELETE FROM status_page_revisions AS revision
        USING old
        WHERE revision.status_page_id = old.status_page_id AND revision.number = old.number
       RETURNING 1`,
      [limit],
    );
  }
}
