import { ListQuery } from '../../../platform/pagination/list-page.js';
import { ProjectId } from '../../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/incident-templates`. */
export class ListIncidentTemplatesQuery extends ListQuery {
  @ProjectId('Project whose incident templates are listed.')
  project_id!: string;
}
