// The served OpenAPI document, as the fuzzer reads it. The fuzzer itself contains no operation, path or field.

/** The part of JSON Schema (2020-12) that the document uses. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  /** With parameters in braces: `/v1/monitors/{id}`. */
  path: string;
  parameters: Parameter[];
  /** Its media types, and their common schema. */
  body: { types: string[]; schema: Schema } | undefined;
  /** The schema of `data` in a success response. */
  data: Schema | undefined;
  /** The documented statuses. */
  statuses: number[];
  /** The scopes that a key needs; undefined: no key is needed. */
  scopes: string[] | undefined;
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

interface DocumentedOperation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
  security?: Record<string, string[]>[];
}

/** The document that a server serves. */
export class ServedDocument {
  readonly operations: Operation[];

  private constructor(private readonly document: Document) {
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => this.read(path, method.toUpperCase(), operation)),
    );
  }

  static async of(url: string): Promise<ServedDocument> {
    return new ServedDocument(JSON.parse(await (await fetch(`${url}/openapi.json`)).text()));
  }

  /** The schema itself. References are resolved. */
  resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    const found = this.document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`no schema ${schema.$ref}`);
    return this.resolve(found);
  }

  /** The operation of this method and path, as written in the document. */
  find(method: string, path: string): Operation | undefined {
    return this.operations.find((one) => one.method === method && one.path === path);
  }

  private read(path: string, method: string, operation: DocumentedOperation): Operation {
    const contents = Object.entries(operation.requestBody?.content ?? {});
    const [first] = contents;
    const security = operation.security ?? [];
    return {
      id: operation.operationId,
      method,
      path,
      parameters: (operation.parameters ?? []).map((one) => ('$ref' in one ? this.parameter(one.$ref) : one)),
      body: first && { types: contents.map(([type]) => type), schema: first[1].schema },
      data: this.dataOf(operation),
      statuses: Object.keys(operation.responses).map(Number),
      scopes: security.length === 0 ? undefined : Object.values(security[0] ?? {}).flat(),
    };
  }

  private dataOf({ responses }: DocumentedOperation): Schema | undefined {
    const schema = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
    const data = schema && this.resolve(schema).properties?.['data'];
    return data && this.resolve(data);
  }

  private parameter(reference: string): Parameter {
    const found = this.document.components.parameters?.[reference.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`no parameter ${reference}`);
    return found;
  }
}
