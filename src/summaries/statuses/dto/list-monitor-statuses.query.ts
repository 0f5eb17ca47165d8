import { ListQuery } from '../../../platform/pagination/list-page.js';
import { ProjectId } from '../../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/monitor-statuses`. */
export class ListMonitorStatusesQuery extends ListQuery {
  @ProjectId('Project that owns the monitors.')
  project_id!: string;
}
