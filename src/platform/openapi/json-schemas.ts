import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, SwaggerModule } from '@nestjs/swagger';

type Schema = Record<string, unknown>;

const REF = '#/components/schemas/';

/**
 * Returns the JSON Schema (draft 2020-12) of each DTO, as in the OpenAPI document but without examples, with the schemas that it references in `$defs`.
 * @param module a module without documented operations, because a document contains some module
 */
export function jsonSchemas(
  app: INestApplication,
  module: Type,
  dtos: readonly Type<object>[],
): ReadonlyMap<Type<object>, Schema> {
  const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const { components } = SwaggerModule.createDocument(app, config, {
    include: [module],
    extraModels: [...dtos],
  });
  const schemas: Schema = { ...components?.schemas };
  return new Map(dtos.map((dto) => [dto, schemaOf(getSchemaPath(dto).slice(REF.length), schemas)]));
}

function schemaOf(name: string, schemas: Schema): Schema {
  const $defs: Schema = {};
  const adapt = (key: string, value: unknown): unknown => {
    if (key === 'example' || key === 'examples') return undefined;
    if (typeof value !== 'string' || !value.startsWith(REF)) return value;
    const referenced = value.slice(REF.length);
    if (!(referenced in $defs)) {
      $defs[referenced] = {}; // ends a circle
      $defs[referenced] = copy(schemas[referenced], adapt);
    }
    return `#/$defs/${referenced}`;
  };
  const schema = copy(schemas[name], adapt);
  return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema;
}

function copy(schema: unknown, adapt: (key: string, value: unknown) => unknown): Schema {
  const adapted: Schema = JSON.parse(JSON.stringify(schema, adapt));
  return adapted;
}
