import { ProjectId } from '../../projects/dto/project-id.js';
import { QueryFlag } from '../../platform/validation/fields.js';

/** The query parameters of an import. */
export class ImportQuery {
  @ProjectId('Project that owns the page.')
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'Create nothing: run the import in a transaction, roll it back, and return the report.',
    default: false,
    example: true,
  })
  dry_run: boolean = false;
}
