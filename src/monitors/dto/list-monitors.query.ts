import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/monitors`. */
export class ListMonitorsQuery extends ListQuery {
  @ProjectId('Project whose monitors are listed.')
  project_id!: string;
}
