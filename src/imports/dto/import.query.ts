import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { QueryFlag, Uuid } from '../../validation/fields.js';

/** What an import takes beside the file. */
export class ImportQuery {
  @Uuid({
    description: 'Project that is to own the page.',
    example: EXAMPLE_IDS.project,
  })
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'Only tell what would be made: everything is done and checked, then undone.',
    default: false,
    example: true,
  })
  dry_run: boolean = false;
}
