import { ListQuery } from '../../platform/pagination/list-page.js';
import { Choice, Uuid } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { ENDPOINT_STATUSES, type EndpointStatus } from '../webhook-endpoint.entity.js';

/** Query parameters of `GET /v1/webhook-endpoints`. */
export class ListWebhookEndpointsQuery extends ListQuery {
  @ProjectId('Project whose webhook endpoints are listed.')
  project_id!: string;

  @Choice({
    of: ENDPOINT_STATUSES,
    optional: true,
    description: 'Lists only webhook endpoints with this status.',
  })
  status?: EndpointStatus;

  @Uuid({ optional: true, description: 'Lists only webhook endpoints of this status page.' })
  status_page_id?: string;
}
