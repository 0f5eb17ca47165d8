import { ListQuery } from '../../platform/pagination/list-page.js';
import { ProjectId } from '../../projects/dto/project-id.js';
import { QueryFlag, Uuid } from '../../platform/validation/fields.js';

/** Query parameters of `GET /v1/incidents`. */
export class ListIncidentsQuery extends ListQuery {
  @ProjectId('Project whose incidents are listed.')
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'If true, lists only open incidents; if false, only resolved incidents. Default: all.',
  })
  open?: boolean;

  @Uuid({
    optional: true,
    description: 'Lists only incidents that this status page of the project shows.',
  })
  status_page_id?: string;

  @Uuid({
    optional: true,
    description: 'Lists only incidents that affect or have affected this monitor of the project.',
  })
  monitor_id?: string;
}

/** The conditions of a list. An incident must meet all of them. */
export type ListFilter = Pick<ListIncidentsQuery, 'open' | 'status_page_id' | 'monitor_id'>;
