import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Media {
  schema: object;
}
interface DocumentedHeader {
  required?: boolean;
  schema: object;
}
interface DocumentedResponse {
  headers?: Record<string, DocumentedHeader | { $ref: string }>;
  content?: Record<string, Media>;
}
interface Operation {
  responses: Record<string, DocumentedResponse | { $ref: string }>;
}
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: { content: Record<string, Media> } } }>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, DocumentedHeader>;
    responses: Record<string, DocumentedResponse>;
  };
}

/**
 * Statuses that any request can get, see the description of the document. Responses with these statuses, and
 * responses outside of operations, are errors.
 */
const GENERAL = new Set([405, 408, 431]);

/** The body of a response that does not belong to an operation. */
const PROBLEM = { $ref: 'openapi#/components/schemas/Problem' };

const contracts = new Map<string, Contract>();

/** The contract of a server. Servers with the same document share one, because compiling its schemas takes long. */
export async function contractOf(url: string): Promise<Contract> {
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const contract = contracts.get(text) ?? new Contract(JSON.parse(text));
  contracts.set(text, contract);
  return contract;
}

/**
 * Checks responses against the OpenAPI document: status, headers, media type, and body, by the JSON Schema (2020-12)
 * of the operation and status. Bodies must not contain properties that their schema does not define.
 */
export class Contract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new WeakMap<object, ValidateFunction>();
  private readonly routes: { pattern: RegExp; path: string }[];

  constructor(private readonly document: OpenApiDocument) {
    formats.default(this.ajv);
    this.ajv.addFormat('uri-reference', true);
    this.ajv.addSchema({ $id: 'openapi', components: closed(document.components) });
    // Literal segments before parameters, as routers match.
    this.routes = Object.keys(document.paths)
      .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  }

  /** The deviations of a response from the document; empty if it matches. */
  faultsOf(
    method: string,
    pathname: string,
    { status, headers, text }: { status: number; headers: Headers; text: string },
  ): string[] {
    if (method === 'OPTIONS') return [];
    const path = this.routes.find(({ pattern }) => pattern.test(pathname))?.path;
    const item = path === undefined ? undefined : this.document.paths[path];
    const operation = item?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()];
    const at = `${method} ${path ?? pathname} ${status}`;
    if (!operation || GENERAL.has(status)) {
      if (status < 400) return pathname.startsWith('/v1/') ? [`${at}: no such operation`] : [];
      return method === 'HEAD' ? [] : this.bodyFaults(at, PROBLEM, text);
    }
    const found = operation.responses[status];
    const documented = found && '$ref' in found ? this.responseNamed(found.$ref) : found;
    if (!documented) return [`${at}: the status is not documented`];
    const faults = Object.entries(documented.headers ?? {}).flatMap(([name, header]) => {
      const { required, schema } = '$ref' in header ? this.headerNamed(header.$ref) : header;
      const value = headers.get(name);
      if (value === null) return required ? [`${at}: the header ${name} is missing`] : [];
      const typed = /"integer"/.test(JSON.stringify(schema)) ? Number(value) : value;
      return this.valueFaults(`${at}: ${name}`, schema, typed);
    });
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    const media = documented.content?.[type];
    if (!documented.content) return [...faults, ...(text === '' ? [] : [`${at}: has a body`])];
    if (!media) return [...faults, `${at}: the type ${type} is not documented`];
    return method === 'HEAD' ? faults : [...faults, ...this.bodyFaults(at, media.schema, text)];
  }

  /** The deviations of a webhook message from the document; empty if it matches. */
  faultsOfMessage(type: string, text: string): string[] {
    const media = this.document.webhooks[type]?.post.requestBody.content['application/json'];
    return media ? this.bodyFaults(type, media.schema, text) : [`${type}: the type is not documented`];
  }

  private responseNamed(reference: string): DocumentedResponse {
    const response = this.document.components.responses[reference.split('/').at(-1) ?? ''];
    if (!response) throw new Error(`no response ${reference}`);
    return response;
  }

  private headerNamed(reference: string): DocumentedHeader {
    const header = this.document.components.headers[reference.split('/').at(-1) ?? ''];
    if (!header) throw new Error(`no header ${reference}`);
    return header;
  }

  private bodyFaults(at: string, schema: object, text: string): string[] {
    return this.valueFaults(at, schema, JSON.parse(text));
  }

  private valueFaults(at: string, schema: object, value: unknown): string[] {
    let validate = this.validators.get(schema);
    if (!validate) {
      validate = this.ajv.compile(closed(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))));
      this.validators.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${at}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

/** A schema in which no object can contain additional properties. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'type' in value
      ? { unevaluatedProperties: false, ...value }
      : value,
  );
}
