import { ProjectId } from '../../projects/dto/project-id.js';
import { QueryFlag } from '../../platform/validation/fields.js';

/** Query parameters of an import. */
export class ImportQuery {
  @ProjectId('Project that owns the status page.')
  project_id!: string;

  @QueryFlag({
    optional: true,
    description: 'Dry run: run the import in a transaction, roll it back, and return the import summary.',
    default: false,
    example: true,
  })
  dry_run: boolean = false;
}
