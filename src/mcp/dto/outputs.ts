import { OmitType, PickType } from '@nestjs/swagger';
import { IncidentDto } from '../../incidents/dto/incident.dto.js';
import { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';

/** An incident without its postmortem, which can have 50,000 characters. */
export class McpIncident extends OmitType(IncidentDto, ['postmortem']) {}

/** The fields by which a model recognizes a status page. */
export class McpStatusPage extends PickType(StatusPageDto, [
  'id',
  'name',
  'slug',
  'is_public',
  'description',
  'accent_color',
  'custom_domain',
  'project_id',
  'updated_at',
]) {}
