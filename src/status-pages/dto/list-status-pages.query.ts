import { PageQuery } from '../../pagination/page.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** What `GET /v1/status-pages` takes (spec, section 4.1). */
export class ListStatusPagesQuery extends PageQuery {
  @ProjectId('Project whose status pages are listed.')
  project_id!: string;
}
