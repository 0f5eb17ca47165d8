import type { OpenAPIObject } from '@nestjs/swagger';
import { DRY_RUN } from '../dry-run/dry-run-query.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;

const PARAMETER = {
  name: DRY_RUN,
  in: 'query',
  required: false,
  description:
    'If true, the operation runs with all checks and is rolled back: nothing is changed, sent or stored. The response is the same as without it, with the header `Dry-Run: true`, and with the effects in `dry_run` beside `data`. IDs and times in it are made up.',
  schema: { type: 'boolean', default: false },
} as const;

/** Header of the response to a dry run. */
export const DRY_RUN_HEADER = {
  description: 'Sent with a dry run: nothing has changed.',
  schema: { type: 'string', const: 'true' },
};

/** Documents `dry_run` for an operation. */
export function describeDryRun(operation: Operation): void {
  operation.parameters = [...(operation.parameters ?? []), PARAMETER];
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2') || !response || !('description' in response)) continue;
    response.headers = { ...response.headers, 'Dry-Run': { $ref: '#/components/headers/Dry-Run' } };
    const schema = response.content?.['application/json']?.schema;
    if (schema && 'properties' in schema)
      schema.properties = { ...schema.properties, dry_run: { $ref: '#/components/schemas/DryRun' } };
  }
}
