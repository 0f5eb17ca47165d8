import { Uuid } from '../../http/fields.js';
import { PageQuery } from '../../http/page.js';

/** What `GET /v1/monitors` takes. */
export class ListMonitorsQuery extends PageQuery {
  @Uuid({
    description: 'Project whose monitors are listed.',
    example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01',
  })
  project_id!: string;
}
