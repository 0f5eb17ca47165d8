import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
// What a handler's decorators declared. Nest keeps it there for its own packages (its Swagger reads it, too) and
// offers no other way to it; `docs/architecture.md` says why validation needs it.
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';
import { type BodyFormat, fileTakenBy, readBody, readBytes } from './body.js';
import { conditionErrors } from '../server/etag.js';
import { type FieldError, validationFailed } from '../problems/problem.js';
import { readUuidParam, uuidParamsOf } from './uuid.js';
import { validate, validateQuery } from './validate.js';

/** What a handler takes from a request. */
interface Declared {
  /** Names of path parameters that are UUIDs. */
  uuids: string[];
  /** The DTO of all path parameters. */
  params: Type<object> | undefined;
  /** Names of query parameters that the handler takes one by one, as the text that was sent. */
  named: string[];
  /** The DTO of the other query parameters. */
  query: Type<object> | undefined;
  body: Type<object> | undefined;
  /** In the place of a body: a file, of which the handler gets the bytes. */
  file: BodyFormat | undefined;
}

/**
 * The third global guard: reads and validates all that a handler declares, and tells every fault of path, query and body
 * at once (415, 413, 400). Handlers get instances of their DTO classes. A guard, because the body must not be looked at
 * before the other guards (401, 403), because pipes see one argument each, and because an interceptor would make an
 * Observable of each answer, a fifth of the processor time of a request (docs/performance.md).
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly known = new WeakMap<object, Declared>();

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const declared = this.declared(context);
    if (!declared.body && !declared.file) return checkInput(request, declared, undefined);
    const reading = declared.file ? readBytes(request, declared.file) : readBody(request);
    return reading.then((content) => checkInput(request, declared, content));
  }

  private declared(context: ExecutionContext): Declared {
    const handler = context.getHandler();
    const known = this.known.get(handler);
    if (known) return known;
    const declared = declaredBy(context);
    this.known.set(handler, declared);
    return declared;
  }
}

/** @throws Problem 400 `validation_failed` */
function checkInput(request: Request, declared: Declared, content: object | undefined): true {
  const { uuids, params, named, query, body } = declared;
  const errors: FieldError[] = uuids.flatMap((name) => readUuidParam(request, name));
  if (params) {
    const checked = validate(params, { ...request.params }, 'path');
    errors.push(...checked.errors);
    Object.assign(request.params, checked.instance);
  }
  const checked = validateQuery(query, request.query, named);
  errors.push(...checked.errors);
  if (checked.instance) Object.defineProperty(request, 'query', { value: checked.instance });
  errors.push(...conditionErrors(request));
  if (body && content) {
    const { instance, errors: found } = validate(body, content, 'body');
    errors.push(...found);
    request.body = instance;
  } else {
    request.body = content;
  }
  if (errors.length > 0) throw validationFailed(errors);
  return true;
}

interface RouteArgument {
  index: number;
  data?: string;
  pipes: unknown[];
}

function declaredBy(context: ExecutionContext): Declared {
  const [controller, { name }] = [context.getClass(), context.getHandler()];
  const declared: Record<string, RouteArgument> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {};
  const types: Type<object>[] = Reflect.getMetadata('design:paramtypes', controller.prototype, name) ?? [];
  const of = (kind: RouteParamtypes) =>
    Object.entries(declared).flatMap(([key, argument]) => (key.startsWith(`${kind}:`) ? [argument] : []));
  const dto = (kind: RouteParamtypes) => {
    const argument = of(kind).find(({ data }) => data === undefined);
    const type = argument && types[argument.index];
    const isUntyped = !type || type === Object;
    // A DTO class that is imported as a type alone leaves Object: better no answer than no validation.
    if (argument && isUntyped && kind !== RouteParamtypes.PARAM)
      throw new Error(`${name}: import its DTO class as a value`);
    return isUntyped ? undefined : type;
  };
  if (of(RouteParamtypes.BODY).some(({ data }) => data !== undefined))
    throw new Error(`${name}: take the body as one DTO class, not field by field`);
  const file = fileTakenBy(context.getHandler());
  return {
    uuids: uuidParamsOf(controller.prototype, name),
    params: dto(RouteParamtypes.PARAM),
    named: of(RouteParamtypes.QUERY).flatMap(({ data }) => data ?? []),
    query: dto(RouteParamtypes.QUERY),
    body: file ? undefined : dto(RouteParamtypes.BODY),
    file,
  };
}
