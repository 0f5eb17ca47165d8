import { beforeAll } from 'vitest';
import { type TestServer, useTestServer } from '../support/server.js';

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { $ref: string; example?: unknown } }> };
  responses: Record<
    string,
    { headers: object; content?: Record<string, { schema: { $ref?: string }; examples?: object }> }
  >;
}

export type Schema = {
  type?: unknown;
  required?: string[];
  properties: Record<string, Record<string, unknown>>;
};

export interface Document {
  openapi: string;
  info: { description: string };
  servers: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
}

/** A server and its OpenAPI document, with references of headers and examples resolved. */
export function useDocument(): {
  server: TestServer;
  document: Document;
  operation: (method: string, path: string) => Operation;
} {
  const server = useTestServer();
  const document: Document = {
    openapi: '',
    info: { description: '' },
    servers: [],
    tags: [],
    paths: {},
    components: { schemas: {}, securitySchemes: {} },
  };
  beforeAll(async () => {
    const { text } = await server.ask('/openapi.json');
    Object.assign(document, resolved(text));
  });

  const operation = (method: string, path: string): Operation => {
    const found = document.paths[path]?.[method];
    if (!found) throw new Error(`no ${method} ${path}`);
    return found;
  };

  return { server, document, operation };
}

/** The document with references of headers and examples resolved. */
function resolved(json: string): Document {
  const { components }: { components: Record<string, Record<string, object>> } = JSON.parse(json);
  const resolve = (_key: string, value: object | null): object | null => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const [, kind = '', name = ''] =
      /^#\/components\/(headers|examples|responses)\/(.+)$/.exec(String(value.$ref)) ?? [];
    const found = components[kind]?.[name];
    return found ? JSON.parse(JSON.stringify(found), resolve) : value;
  };
  return JSON.parse(json, resolve);
}
