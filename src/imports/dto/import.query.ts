import { ProjectId } from '../../projects/dto/project-id.js';
import { QueryFlag } from '../../validation/fields.js';

/** What an import takes beside the file. */
export class ImportQuery {
  @ProjectId('Project that is to own the page.')
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'Only tell what would be made: everything is done and checked, then undone.',
    default: false,
    example: true,
  })
  dry_run: boolean = false;
}
