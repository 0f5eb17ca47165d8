import { ListQuery } from '../../../platform/pagination/list-page.js';
import { ProjectId } from '../../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/incident-drafts`. */
export class ListIncidentDraftsQuery extends ListQuery {
  @ProjectId('Project whose incident drafts are listed.')
  project_id!: string;
}
