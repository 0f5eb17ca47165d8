import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { HostName } from './custom-domain.js';
import { PageSlug } from './slug-field.js';

/** Query parameters of `GET /v1/status-pages` (spec, section 4.1). */
export class ListStatusPagesQuery extends ListQuery {
  @ProjectId('Project whose status pages are listed.')
  project_id!: string;

  @PageSlug({ optional: true, description: 'Return only the status page with this slug.' })
  slug?: string;

  @HostName({
    optional: true,
    description: 'Return only the status page with this custom domain (case-insensitive).',
  })
  custom_domain?: string;
}
