import { ListQuery } from '../../platform/pagination/list-page.js';
import { Slug } from '../../platform/validation/slug.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/monitors`. */
export class ListMonitorsQuery extends ListQuery {
  @ProjectId('Project whose monitors are listed.')
  project_id!: string;

  @Slug({ optional: true, description: 'Return only the monitor with this key.' })
  key?: string;
}
