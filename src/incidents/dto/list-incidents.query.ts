import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { QueryFlag } from '../../platform/validation/fields.js';

/** Query parameters of `GET /v1/incidents`. */
export class ListIncidentsQuery extends ListQuery {
  @ProjectId('Project whose incidents are listed.')
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'If true, lists only open incidents; if false, only resolved incidents. Default: all.',
  })
  open?: boolean;
}
