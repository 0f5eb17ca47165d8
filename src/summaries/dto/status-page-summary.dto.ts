import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import type { MonitorStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { MAX_SECTIONS } from '../../status-pages/dto/section.dto.js';
import { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { UUID_SCHEMA } from '../../platform/validation/uuid.js';
import type { Headline } from '../headline.js';
import {
  OpenIncidentDto,
  SectionSummaryDto,
  Status,
  StatusCountsDto,
  UpcomingMaintenanceDto,
} from './page-parts.dto.js';

/** The headline of a status page. */
@ApiSchema({ name: 'Headline' })
export class HeadlineDto implements Headline {
  @Status(
    'The worst status of the monitors, but `major_outage` only if all are; worse, if an open incident affects no monitor and has a greater impact.',
  )
  status!: MonitorStatus;

  @ApiProperty({
    type: 'string',
    maxLength: 200,
    description: 'The status and the number of open incidents, in English.',
    example: 'Partial outage of 1 of 20 systems, 1 open incident',
  })
  text!: string;
}

/** What a status page shows now. */
@ApiSchema({ name: 'StatusPageSummary' })
export class StatusPageSummaryDto extends PickType(StatusPageDto, ['name', 'slug', 'history_days']) {
  @ApiProperty({ ...UUID_SCHEMA, description: 'The status page.', example: EXAMPLE_IDS.status_page })
  status_page_id!: string;

  @ApiProperty({
    format: 'date-time',
    maxLength: 24,
    description: 'When it was read. All of it is from one moment.',
    example: '2026-11-20T12:00:00.000Z',
  })
  as_of!: Date;

  @Status('The worst status of its monitors; `unknown` without monitors.')
  status!: MonitorStatus;

  @ApiProperty({ description: 'What to say first.' })
  headline!: HeadlineDto;

  @ApiProperty({ description: 'Its monitors by status. A monitor in several sections counts once.' })
  counts!: StatusCountsDto;

  @ApiProperty({
    type: () => SectionSummaryDto,
    isArray: true,
    maxItems: MAX_SECTIONS,
    description: 'In the order of the page.',
  })
  sections!: SectionSummaryDto[];

  @ApiProperty({
    type: () => OpenIncidentDto,
    isArray: true,
    maxItems: 100,
    description: 'Open incidents, the newest start first.',
  })
  incidents!: OpenIncidentDto[];

  @ApiProperty({
    type: () => UpcomingMaintenanceDto,
    isArray: true,
    maxItems: 100,
    description: 'Maintenances in progress, and those that start within 30 days, by start.',
  })
  maintenances!: UpcomingMaintenanceDto[];
}
