import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** Messages that the service sends, and their schemas. */
export interface SentMessages {
  webhooks: Record<string, object>;
  schemas: Schemas;
}

/**
 * Adapts the schemas of DTOs to their use, because a DTO declares a field once for input and output.
 * - Removes `examples` from request schemas. "Try it out" must not send them, because the values are unique.
 * - In response schemas, shows the first of them as `example`, and omits lower bounds that are 0 or implied by a format.
 * @param requests names of the schemas of request bodies
 */
export function adaptSchemas(schemas: Schemas, requests: ReadonlySet<string>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    if (!('properties' in schema)) continue;
    for (const property of Object.values(schema.properties ?? {})) {
      if ('$ref' in property) continue;
      const [example] = Array.isArray(property.examples) ? property.examples : [];
      delete property.examples;
      if (requests.has(name)) continue;
      if (example !== undefined) property.example = example;
      if (property.minLength === 0 || property.format !== undefined) delete property.minLength;
    }
  }
}

/** Returns a body of all fields with an example. It is valid without changes, and can be sent repeatedly. */
export function exampleBody(schema: Schemas[string] | undefined): Record<string, unknown> {
  const properties = Object.entries((schema && 'properties' in schema && schema.properties) || {});
  return Object.fromEntries(
    properties.flatMap(([name, property]) => ('example' in property ? [[name, property.example]] : [])),
  );
}

/** Returns the first text of an example. A PATCH that is sent unchanged then replaces no list of the resource. */
export function firstText(example: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(example)
      .filter(([, value]) => typeof value === 'string')
      .slice(0, 1),
  );
}
