import { QueryFlag, Uuid } from '../../http/fields.js';

/** What an import takes beside the file. */
export class ImportQuery {
  @Uuid({
    description: 'Project that is to own the page.',
    example: '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01',
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
