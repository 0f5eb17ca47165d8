import { PageQuery } from '../../pagination/page.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** What `GET /v1/monitors` takes. */
export class ListMonitorsQuery extends PageQuery {
  @ProjectId('Project whose monitors are listed.')
  project_id!: string;
}
