import { ListQuery } from '../../platform/pagination/list-page.js';
import { Uuid } from '../../platform/validation/fields.js';
import { ProjectId } from '../../projects/dto/project-id.js';

/** Query parameters of `GET /v1/maintenances`. */
export class ListMaintenancesQuery extends ListQuery {
  @ProjectId('Project whose maintenance windows are listed.')
  project_id!: string;

  @Uuid({
    optional: true,
    description: 'Lists only maintenance windows that this status page of the project shows.',
  })
  status_page_id?: string;

  @Uuid({
    optional: true,
    description: 'Lists only maintenance windows that affect this monitor of the project.',
  })
  monitor_id?: string;
}

/** The conditions of a list. A maintenance window must meet all of them. */
export type ListFilter = Pick<ListMaintenancesQuery, 'status_page_id' | 'monitor_id'>;
