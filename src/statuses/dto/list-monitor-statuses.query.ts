import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** The query parameters of `GET /v1/monitor-statuses`. */
export class ListMonitorStatusesQuery extends ListQuery {
  @ProjectId('Project of the monitors.')
  project_id!: string;
}
