import { EXAMPLE_IDS } from '../../openapi/example-ids.js';
import { Uuid } from '../../validation/fields.js';

/** The project that a resource belongs to, or that is to be listed. */
export const ProjectId = (description: string) => Uuid({ description, example: EXAMPLE_IDS.project });
