import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { Uuid } from '../../validation/fields.js';
import { PageQuery } from '../../pagination/page.js';

/** What `GET /v1/status-pages` takes (spec, section 4.1). */
export class ListStatusPagesQuery extends PageQuery {
  @Uuid({
    description: 'Project whose status pages are listed.',
    example: EXAMPLE_IDS.project,
  })
  project_id!: string;
}
