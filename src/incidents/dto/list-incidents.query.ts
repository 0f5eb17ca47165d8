import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { QueryFlag } from '../../platform/validation/fields.js';

/** The query parameters of `GET /v1/incidents`. */
export class ListIncidentsQuery extends ListQuery {
  @ProjectId('Project whose incidents are listed.')
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'true: only open incidents; false: only resolved ones. Default: all.',
  })
  open?: boolean;
}
