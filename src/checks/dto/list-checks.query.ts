import { ListQuery } from '../../platform/pagination/list-page.js';
import { Uuid } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/checks`. */
export class ListChecksQuery extends ListQuery {
  @ProjectId('Project whose checks are listed.')
  project_id!: string;

  @Uuid({ optional: true, description: 'Return only the check of this monitor.' })
  monitor_id?: string;
}
