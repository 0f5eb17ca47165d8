import { PageQuery } from '../../pagination/page.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** The query parameters of `GET /v1/status-pages` (spec, section 4.1). */
export class ListStatusPagesQuery extends PageQuery {
  @ProjectId('Project whose status pages are listed.')
  project_id!: string;
}
