import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { IncidentUpdateDto } from '../../incidents/dto/incident-update.dto.js';
import { IncidentDto } from '../../incidents/dto/incident.dto.js';
import { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';

/** An incident without its postmortem, which can have 50,000 characters. */
export class McpIncident extends OmitType(IncidentDto, ['postmortem']) {}

/** A new incident with the text of its first update, which a person reads before it is published. */
export class McpNewIncident extends IntersectionType(McpIncident, PickType(IncidentUpdateDto, ['body'])) {}

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
