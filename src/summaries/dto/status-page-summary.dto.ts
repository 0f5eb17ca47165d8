import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import type { MonitorStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { TimeOf } from '../../platform/openapi/response-fields.js';
import { MAX_SECTIONS } from '../../status-pages/dto/section.dto.js';
import { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { UUID_SCHEMA } from '../../platform/validation/uuid.js';
import { type Headline, HEADLINE_TEXTS } from '../headline.js';
import {
  OpenIncidentDto,
  SectionSummaryDto,
  Status,
  StatusCountsDto,
  UpcomingMaintenanceDto,
} from './page-parts.dto.js';

/** The headline of a status page. */
@ApiSchema({ name: 'Headline' })
export class HeadlineDto implements Pick<Headline, 'status'> {
  @Status(
    'The worst status of the monitors, but `partial_outage` if only some monitors have a `major_outage`. An open incident that affects no monitor of the page, and whose status is not `monitoring`, also counts: minor impact as `degraded_performance`, major and critical as `partial_outage`.',
  )
  status!: MonitorStatus;

  @ApiProperty({
    type: 'string',
    maxLength: 200,
    description:
      'Headline text in English. It is the number of open incidents if all monitors are operational while incidents are open, or if an incident determines the status. With status `operational`, show this number with a neutral sign instead of a green one.',
    example: HEADLINE_TEXTS.partial_outage,
  })
  text!: string;
}

/** Current contents of a status page. */
@ApiSchema({ name: 'StatusPageSummary' })
export class StatusPageSummaryDto extends PickType(StatusPageDto, ['name', 'slug', 'history_days']) {
  @ApiProperty({ ...UUID_SCHEMA, description: 'The status page.', example: EXAMPLE_IDS.status_page })
  status_page_id!: string;

  @ApiProperty({
    format: 'uri',
    maxLength: 2_500,
    description: 'URL at which visitors find the status page: on its verified domain, or below `PUBLIC_URL`.',
    example: 'https://status.example.com/status/acme-cloud',
  })
  url!: string;

  @TimeOf('Time of the snapshot. All values are from the same point in time.')
  as_of!: Date;

  @Status('Worst status of the monitors; `unknown` if there are no monitors.')
  status!: MonitorStatus;

  @ApiProperty({ description: 'Headline of the status page.' })
  headline!: HeadlineDto;

  @ApiProperty({
    description: 'Number of monitors by status. A monitor in several sections is counted once.',
  })
  counts!: StatusCountsDto;

  @ApiProperty({
    type: () => SectionSummaryDto,
    isArray: true,
    maxItems: MAX_SECTIONS,
    description: 'Sections in the order of the status page.',
  })
  sections!: SectionSummaryDto[];

  @ApiProperty({
    type: () => OpenIncidentDto,
    isArray: true,
    maxItems: 100,
    description: 'Open incidents, most recently started first.',
  })
  incidents!: OpenIncidentDto[];

  @ApiProperty({
    type: () => UpcomingMaintenanceDto,
    isArray: true,
    maxItems: 100,
    description: 'Maintenance windows that are in progress or start within 30 days, ordered by start.',
  })
  maintenances!: UpcomingMaintenanceDto[];
}
