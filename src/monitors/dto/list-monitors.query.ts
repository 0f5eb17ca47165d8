import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { Uuid } from '../../validation/fields.js';
import { PageQuery } from '../../pagination/page.js';

/** What `GET /v1/monitors` takes. */
export class ListMonitorsQuery extends PageQuery {
  @Uuid({
    description: 'Project whose monitors are listed.',
    example: EXAMPLE_IDS.project,
  })
  project_id!: string;
}
