import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/maintenances`. */
export class ListMaintenancesQuery extends ListQuery {
  @ProjectId('Project whose maintenance windows are listed.')
  project_id!: string;
}
