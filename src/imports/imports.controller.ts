import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AcceptsIdempotencyKey } from '../platform/idempotency/accepts-idempotency-key.js';
import { RequireScope } from '../platform/auth/access.decorators.js';
import { type Actor, CurrentActor } from '../platform/auth/actor.js';
import { RespondsWithCreated, RespondsWithOne, RespondsWithProblems } from '../platform/openapi/responses.js';
import { TakesFile } from '../platform/validation/body.js';
import { ImportQuery } from './dto/import.query.js';
import { ImportReportDto } from './dto/import-report.dto.js';
import { EXAMPLE_GATUS, EXAMPLE_STATUSPAGE, EXAMPLE_UPPTIME } from './example-files.js';
import { ImportsService } from './imports.service.js';

// RFC 9512. The others are deprecated aliases of the first.
const YAML = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

const locationOf = ({ status_page_id }: ImportReportDto) =>
  status_page_id === null ? null : `/v1/status-pages/${status_page_id}`;

@ApiTags('Imports')
@Controller('v1/imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @Post('statuspage')
  @RequireScope('status_pages:write', 'monitors:write')
  @ApiOperation({
    operationId: 'importStatuspage',
    summary: 'Import a components.json or summary.json file of Atlassian Statuspage',
    description:
      'Component statuses, incidents and maintenance windows are imported only if the key also has the scope `monitor_reports:write`, `incidents:write` or `maintenances:write`, respectively. `not_imported` lists the parts that were left out.',
  })
  @TakesFile(
    ['application/json'],
    'A `components.json` or `summary.json` file of the public API, at most 5 MiB.',
    EXAMPLE_STATUSPAGE,
  )
  @RespondsWithCreated(ImportReportDto, locationOf)
  @RespondsWithOne(ImportReportDto)
  @RespondsWithProblems('malformed_json', 'conflict')
  @AcceptsIdempotencyKey()
  async statuspage(
    @CurrentActor() actor: Actor,
    @Query() query: ImportQuery,
    @Body() file: Uint8Array,
  ): Promise<{ data: ImportReportDto }> {
    return { data: await this.imports.import('statuspage', actor, query, file) };
  }

  @Post('upptime')
  @RequireScope('status_pages:write', 'monitors:write')
  @ApiOperation({
    operationId: 'importUpptime',
    summary: 'Import a .upptimerc.yml file of Upptime',
  })
  @TakesFile(YAML, 'A `.upptimerc.yml` file, at most 5 MiB.', EXAMPLE_UPPTIME)
  @RespondsWithCreated(ImportReportDto, locationOf)
  @RespondsWithOne(ImportReportDto)
  @RespondsWithProblems('malformed_yaml', 'conflict')
  @AcceptsIdempotencyKey()
  async upptime(
    @CurrentActor() actor: Actor,
    @Query() query: ImportQuery,
    @Body() file: Uint8Array,
  ): Promise<{ data: ImportReportDto }> {
    return { data: await this.imports.import('upptime', actor, query, file) };
  }

  @Post('gatus')
  @RequireScope('status_pages:write', 'monitors:write')
  @ApiOperation({
    operationId: 'importGatus',
    summary: 'Import a config.yaml file of Gatus',
  })
  @TakesFile(YAML, 'A `config.yaml` file, at most 5 MiB.', EXAMPLE_GATUS)
  @RespondsWithCreated(ImportReportDto, locationOf)
  @RespondsWithOne(ImportReportDto)
  @RespondsWithProblems('malformed_yaml', 'conflict')
  @AcceptsIdempotencyKey()
  async gatus(
    @CurrentActor() actor: Actor,
    @Query() query: ImportQuery,
    @Body() file: Uint8Array,
  ): Promise<{ data: ImportReportDto }> {
    return { data: await this.imports.import('gatus', actor, query, file) };
  }
}
