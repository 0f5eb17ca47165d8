import { Injectable, type Type } from '@nestjs/common';
import { plainDataOf } from '../platform/database/raw-json.js';
import { IncidentTools } from './incident-tools.js';
import { PageTools } from './page-tools.js';
import type { Tool, ToolResult } from './tool.js';

type Schema = Record<string, unknown>;

/** All tools, their descriptions by the JSON Schemas of their DTOs, and the fields of their results. */
@Injectable()
export class ToolCatalogue {
  readonly tools: readonly Tool[];
  /** Returns the JSON Schemas of DTOs. Set by `createApp`, because they are part of the OpenAPI document. */
  schemasOf: (dtos: Type<object>[]) => ReadonlyMap<Type<object>, Schema> = () => new Map();
  private schemas: ReadonlyMap<Type<object>, Schema> | undefined;

  constructor(pages: PageTools, incidents: IncidentTools) {
    this.tools = [...pages.tools, ...incidents.tools];
  }

  /** Returns a result with only the fields of the tool's output. */
  select({ output }: Tool, { data, ...rest }: ToolResult): ToolResult {
    const names = Object.keys(Object(this.schemaOf(output)['properties']));
    const one = (item: object) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
    const plain = plainDataOf({ data });
    return { data: Array.isArray(plain) ? plain.map(one) : one(Object(plain)), ...rest };
  }

  /** Returns a tool as `tools/list` lists it. */
  describe({ name, title, description, annotations, input, output, isList }: Tool) {
    const { $defs, ...schema } = typesOnly(this.schemaOf(output));
    const outputSchema = {
      type: 'object' as const,
      required: ['data'],
      properties: {
        data: isList ? { type: 'array', items: schema } : schema,
        ...(isList && { pagination: PAGINATION }),
        shortened: { type: 'boolean', const: true },
        ...(!annotations.readOnlyHint && { dry_run: DRY_RUN_OUTPUT }),
      },
      ...($defs !== undefined && { $defs }),
    };
    const { properties, ...inputs } = this.schemaOf(input);
    const inputSchema = {
      ...inputs,
      type: 'object' as const,
      properties: { ...Object(properties), ...(!annotations.readOnlyHint && { dry_run: DRY_RUN_INPUT }) },
      additionalProperties: false,
    };
    return { name, title, description, inputSchema, outputSchema, annotations: { title, ...annotations } };
  }

  private schemaOf(dto: Type<object>): Schema {
    this.schemas ??= this.schemasOf(this.tools.flatMap(({ input, output }) => [input, output]));
    return this.schemas.get(dto) ?? {};
  }
}

const NOT_TYPES: ReadonlySet<string> = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);

/** Returns an output schema without descriptions, and without limits that shortened values could violate. */
function typesOnly(schema: Schema): Schema {
  const keep = (key: string, value: unknown) =>
    NOT_TYPES.has(key) || (key === 'description' && typeof value === 'string') ? undefined : value;
  return JSON.parse(JSON.stringify(schema, keep));
}

const DRY_RUN_INPUT = {
  type: 'boolean',
  default: false,
  description:
    'If true, nothing is changed or sent. The result is the same as without it, with the effects in `dry_run`; its IDs are made up.',
};

const DRY_RUN_OUTPUT = {
  type: 'object',
  required: ['changes', 'notifications'],
  properties: {
    changes: { type: 'array', items: { type: 'object' } },
    notifications: {
      type: 'object',
      properties: {
        email: { type: 'integer' },
        webhook: { type: 'integer' },
        pages: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};

const PAGINATION = {
  type: 'object',
  required: ['next_cursor', 'has_more'],
  properties: {
    next_cursor: {
      type: ['string', 'null'],
      description: 'Value of `cursor` for the next results; null: none.',
    },
    has_more: { type: 'boolean' },
  },
};
