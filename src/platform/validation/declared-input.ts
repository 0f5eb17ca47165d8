import type { ExecutionContext, Type } from '@nestjs/common';
// Metadata of parameter decorators. Nest has no public API for it; @nestjs/swagger also reads it. For the reason, see
// `docs/decisions/input-guard.md`.
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { type BodyFormat, fileTakenBy } from './body.js';
import { fieldsOf } from './dto-fields.js';
import { uuidParamsOf } from './uuid.js';

/** Input that a handler declares with its parameter decorators. */
export interface Declared {
  /** Names of the path parameters with `@UuidParam`. */
  uuids: string[];
  /** DTO of all path parameters. */
  params: Type<object> | undefined;
  /** Names of the query parameters with `@Query('name')`, whose values are not converted. */
  named: string[];
  /** DTO of the other query parameters. */
  query: Type<object> | undefined;
  body: Type<object> | undefined;
  /** Format of a file, which replaces the DTO of the body. */
  file: BodyFormat | undefined;
}

/** A method of a controller. */
export type Handler = ReturnType<ExecutionContext['getHandler']>;

interface RouteArgument {
  index: number;
  data?: string;
  pipes: unknown[];
}

/**
 * Returns the input of a handler, according to the decorators of its parameters.
 * @throws Error for input that would not be validated, and for a DTO that `fieldsOf` rejects
 */
export function declaredBy(controller: Type, handler: Handler): Declared {
  const { name } = handler;
  const at = `${controller.name}.${name}`;
  const routeArguments: Record<string, RouteArgument> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {};
  const types: Type<object>[] = Reflect.getMetadata('design:paramtypes', controller.prototype, name) ?? [];
  const of = (kind: RouteParamtypes) =>
    Object.entries(routeArguments).flatMap(([key, argument]) =>
      key.startsWith(`${kind}:`) ? [argument] : [],
    );
  const dto = (kind: RouteParamtypes) => {
    const argument = of(kind).find(({ data }) => data === undefined);
    const type = argument && types[argument.index];
    const isUntyped = !type || type === Object;
    // `import type` of a DTO class leaves only Object in the metadata, so that it would not be validated.
    if (argument && isUntyped && kind !== RouteParamtypes.PARAM)
      throw new Error(`${at}: import its DTO class as a value`);
    return isUntyped ? undefined : type;
  };
  if (of(RouteParamtypes.BODY).some(({ data }) => data !== undefined))
    throw new Error(`${at}: take the body as one DTO class, not field by field`);
  const file = fileTakenBy(handler);
  const declared = {
    uuids: uuidParamsOf(controller.prototype, name),
    params: dto(RouteParamtypes.PARAM),
    named: of(RouteParamtypes.QUERY).flatMap(({ data }) => data ?? []),
    query: dto(RouteParamtypes.QUERY),
    body: file ? undefined : dto(RouteParamtypes.BODY),
    file,
  };
  try {
    for (const one of [declared.params, declared.query, declared.body]) if (one) checkFields(one);
  } catch (error) {
    throw new Error(`${at}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return declared;
}

/** Reads the fields of a DTO and of nested DTOs. Throws for unsupported validators. */
function checkFields(dto: new () => object, seen = new Set<object>()): void {
  if (seen.has(dto)) return;
  seen.add(dto);
  for (const { item } of fieldsOf(dto).values()) if (item) checkFields(item, seen);
}
