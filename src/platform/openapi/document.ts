import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BASIC_SCHEME, SECURITY_SCHEME } from '../auth/access.decorators.js';
import { RESPONSE_PROBLEMS } from './responses.js';
import { DESCRIPTION } from './description.js';
import { serveDocsPage } from './docs-page.js';
import { DryRunDto } from '../dry-run/dry-run.dto.js';
import { DRY_RUN, hasDryRun } from '../dry-run/dry-run-query.js';
import { describeDryRun } from './dry-run.js';
import { exampleIdFor } from './example-ids.js';
import { ACCEPT_PATCH } from '../server/methods.js';
import { STORED_ERRORS } from '../server/stored-response.js';
import {
  EXAMPLES,
  headerRefs,
  HEADERS,
  COMMON_HEADERS,
  IF_NONE_MATCH,
  PROBLEM_SCHEMA,
  stringSchema,
} from './components.js';
import { adaptSchemas, exampleBody, firstText, type SentMessages } from './schemas.js';
import { sortTags } from './tags.js';
import { isProblemCode, type ProblemCode, PROBLEMS } from '../problems/catalogue.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = Operation['responses'];
type ResponseObject = Extract<Responses[string], { description: string }>;
type Components = NonNullable<OpenAPIObject['components']>;
type Schemas = NonNullable<Components['schemas']>;

/**
 * Serves the OpenAPI 3.1 document at `/openapi.json`, built on its first request, and Swagger UI at `/docs`.
 * @param sent the section `webhooks` of the document
 */
export function serveOpenApi(app: INestApplication, sent: SentMessages): void {
  let document: string | undefined;
  app.getHttpAdapter().get('/openapi.json', (_request: Request, response: Response) => {
    document ??= JSON.stringify({ ...buildDocument(app, sent.schemas), webhooks: sent.webhooks });
    response.type('json').send(document);
  });
  serveDocsPage(app);
}

function buildDocument(app: INestApplication, schemas: Schemas): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Status Pages API')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', undefined, undefined, { 'x-internal': false })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'sp_…', description: 'An API key.' },
      SECURITY_SCHEME,
    )
    .addBasicAuth(
      {
        type: 'http',
        scheme: 'basic',
        description: 'An API key as the password, with any user name. Only receivers accept it.',
      },
      BASIC_SCHEME,
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, { extraModels: [DryRunDto] });
  const components = (document.components ??= {});
  components.schemas = { ...components.schemas, ...schemas, Problem: PROBLEM_SCHEMA };
  components.headers = HEADERS;
  components.examples = EXAMPLES;
  const tags = new Set<string>();
  const requests = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = item[method];
      if (!operation) continue;
      completeOperation(path, method, operation, components);
      for (const tag of operation.tags ?? []) tags.add(tag);
      for (const name of requestSchemasOf(operation)) requests.add(name);
    }
  }
  adaptSchemas(components.schemas, requests);
  document.tags = sortTags(tags).map((name) => ({ name }));
  return document;
}

/** Adds the parts that all operations share, so that handlers do not repeat them. */
function completeOperation(path: string, method: string, operation: Operation, components: Components): void {
  operation.security ??= [];
  const scopes = operation.security.flatMap((requirement) => Object.values(requirement).flat());
  // Swagger UI and similar pages do not show the scopes of a bearer scheme.
  const required = scopes.length > 0 ? [`Required scope: \`${scopes.join('` and `')}\`.`] : [];
  operation.description = [operation.description, ...required].filter(Boolean).join('\n\n');
  completeParameters(path, operation);
  completeBody(operation, components.schemas ?? {}, method);
  if (hasDryRun(method, path)) describeDryRun(operation);
  completeResponses(method, operation, components);
}

/** Name of the parameter of `@AcceptsIdempotencyKey()`. */
const IDEMPOTENCY_KEY = 'Idempotency-Key';
const IDEMPOTENCY_CODES = [
  'idempotency_key_in_use',
  'idempotency_response_not_kept',
  'idempotency_key_reused',
] as const;

function completeParameters(path: string, { parameters = [] }: Operation): void {
  parameters.sort((a, b) => Number(isRequired(b)) - Number(isRequired(a)));
  for (const parameter of parameters) {
    const isId = 'in' in parameter && parameter.in === 'path' && /^(.+_)?id$/.test(parameter.name);
    if (!isId) continue;
    const own: unknown = Reflect.get(parameter.schema ?? {}, 'example'); // of @ApiParam
    parameter.schema = { ...stringSchema(36), format: 'uuid' };
    parameter.example = own ?? exampleIdFor(path.slice(0, path.indexOf(`/{${parameter.name}}`)));
  }
}

function completeBody({ requestBody }: Operation, schemas: Schemas, method: string): void {
  const json = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  if (!json || !requestBody || !('content' in requestBody)) return;
  if (!json.schema || !('$ref' in json.schema)) return; // a file
  const schema = schemas[schemaNameOf(json.schema)];
  // A POST without a body counts as `{}`.
  requestBody.required =
    method !== 'post' || Boolean(schema && 'required' in schema && schema.required?.length);
  json.example = method === 'patch' ? firstText(exampleBody(schema)) : exampleBody(schema);
  requestBody.content = Object.fromEntries(ACCEPT_PATCH.split(', ').map((type) => [type, json]));
  // Validation rejects unknown fields.
  Object.assign(schema ?? {}, { additionalProperties: false });
}

function requestSchemasOf({ requestBody }: Operation): string[] {
  const schema = requestBody && 'content' in requestBody && requestBody.content['application/json']?.schema;
  return schema && '$ref' in schema ? [schemaNameOf(schema)] : [];
}

function completeResponses(method: string, operation: Operation, components: Components): void {
  const { schemas = {} } = components;
  for (const response of Object.values(operation.responses)) {
    if (!response || !('description' in response)) continue;
    const versioned = isVersioned(response, schemas);
    const replayed = hasParameter(operation, IDEMPOTENCY_KEY) ? ['Idempotency-Replayed'] : [];
    const names = [...(versioned ? ['ETag'] : []), ...replayed, ...Object.keys(COMMON_HEADERS)];
    response.headers = { ...response.headers, ...headerRefs(names) };
    if (!versioned || method !== 'get') continue;
    operation.parameters = [...(operation.parameters ?? []), IF_NONE_MATCH];
    const headers = headerRefs(names);
    operation.responses['304'] = { description: 'The resource has not changed.', headers };
  }
  operation.responses = {
    ...operation.responses,
    ...problemResponses(method, problemCodesOf(operation), components),
  };
}

/** Returns whether a response is one resource with `updated_at`, so that it has an ETag (`etag.ts`). */
function isVersioned({ content }: ResponseObject, schemas: Schemas): boolean {
  const schema = content?.['application/json']?.schema;
  const data = schema && 'properties' in schema ? schema.properties?.['data'] : undefined;
  const dto = data && '$ref' in data ? schemas[schemaNameOf(data)] : undefined;
  return dto !== undefined && 'properties' in dto && dto.properties?.['updated_at'] !== undefined;
}

function schemaNameOf({ $ref }: { $ref: string }): string {
  return $ref.split('/').at(-1) ?? '';
}

function hasParameter({ parameters = [] }: Operation, name: string): boolean {
  return parameters.some((parameter) => 'name' in parameter && parameter.name === name);
}

function isRequired(parameter: object): boolean {
  return 'required' in parameter && parameter.required === true;
}

/** Returns the error codes of an operation, derived from its parameters, body and security. */
function problemCodesOf(operation: Operation): ProblemCode[] {
  const { parameters = [], requestBody, security = [] } = operation;
  const scopes = security.flatMap((requirement) => Object.values(requirement).flat());
  const takesPath = parameters.some((parameter) => 'in' in parameter && parameter.in === 'path');
  return [
    'validation_failed',
    ...codesIf(hasParameter(operation, DRY_RUN), 'dry_run_not_possible'),
    ...codesIf(hasParameter(operation, 'cursor'), 'invalid_cursor'),
    ...codesIf(hasJsonBody(operation), 'malformed_json'),
    ...codesIf(requestBody, 'malformed_request', 'payload_too_large', 'unsupported_media_type'),
    ...codesIf(security.length > 0, 'missing_api_key', 'invalid_api_key', 'rate_limited'),
    ...codesIf(scopes.length > 0, 'insufficient_scope'),
    ...codesIf(takesPath || hasParameter(operation, 'project_id'), 'not_found'),
    ...codesIf(hasParameter(operation, 'If-Match'), 'precondition_failed'),
    ...codesIf(hasParameter(operation, IDEMPOTENCY_KEY), ...IDEMPOTENCY_CODES),
    ...removeExtension(operation, RESPONSE_PROBLEMS).filter(isProblemCode),
    'internal_error',
    'unavailable',
  ];
}

/** Returns whether the body is JSON. Operations that accept a file declare their parse errors themselves. */
function hasJsonBody({ requestBody }: Operation): boolean {
  return Boolean(
    requestBody && 'content' in requestBody && requestBody.content['application/merge-patch+json'],
  );
}

/** Removes an extension that a decorator has set for this file, and returns its values. */
function removeExtension(operation: Operation, name: string): string[] {
  const values: unknown = Reflect.get(operation, name) ?? [];
  Reflect.deleteProperty(operation, name);
  return [values].flat().map(String);
}

function codesIf(condition: unknown, ...codes: ProblemCode[]): ProblemCode[] {
  return condition ? codes : [];
}

/** Returns the error responses by status, as references to shared components. */
function problemResponses(method: string, codes: ProblemCode[], components: Components): Responses {
  const shared = (components.responses ??= {});
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => PROBLEMS[code].status === status);
      const headers = headersOfStatus(status, method);
      const name = [...ofStatus, ...headers].join('.');
      shared[name] ??= {
        description: ofStatus.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        headers: headerRefs([...headers, ...Object.keys(COMMON_HEADERS)]),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      };
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function headersOfStatus(status: number, method: string): string[] {
  if (method === 'post' && status === 409) return ['Idempotency-Replayed', 'Location'];
  if (method === 'post' && STORED_ERRORS.has(status)) return ['Idempotency-Replayed'];
  if (status === 401 || status === 403) return ['WWW-Authenticate'];
  if (status === 415 && method === 'patch') return ['Accept-Patch'];
  return status === 429 || status === 503 ? ['Retry-After'] : [];
}
