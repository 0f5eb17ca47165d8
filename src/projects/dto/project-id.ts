import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import { Uuid } from '../../platform/validation/fields.js';

/** Project that owns a resource, or whose resources are listed. */
export const ProjectId = (description: string) => Uuid({ description, example: EXAMPLE_IDS.project });
