import { EXAMPLE_IDS } from '../../http/example-ids.js';
import { Uuid } from '../../http/fields.js';
import { PageQuery } from '../../http/page.js';

/** What `GET /v1/monitors` takes. */
export class ListMonitorsQuery extends PageQuery {
  @Uuid({
    description: 'Project whose monitors are listed.',
    example: EXAMPLE_IDS.project,
  })
  project_id!: string;
}
