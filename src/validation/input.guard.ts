import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
// What a handler's decorators declared. Nest keeps it there for its own packages (its Swagger reads it, too) and
// offers no other way to it; `docs/architecture.md` says why validation needs it.
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';
import { type BodyFormat, fileTakenBy, readBody, readBytes } from './body.js';
import { conditionErrors } from '../server/etag.js';
import { type FieldError, validationFailed } from '../problems/problem.js';
import { UuidPipe, uuidErrors } from './uuid.js';
import { validate, unknownParameter } from './validate.js';

/** What a handler takes from a request. */
interface Declared {
  /** Names of path parameters that are UUIDs. */
  uuids: string[];
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
function checkInput(request: Request, { uuids, query, body }: Declared, content: object | undefined): true {
  const errors: FieldError[] = uuids.flatMap((name) => uuidErrors(name, request.params[name]));
  if (query) {
    const checked = validate(query, { ...request.query }, 'query');
    errors.push(...checked.errors);
    Object.defineProperty(request, 'query', { value: checked.instance });
  } else {
    errors.push(...Object.keys(request.query).map(unknownParameter));
  }
  errors.push(...conditionErrors(request));
  if (body && content) {
    const checked = validate(body, content, 'body');
    errors.push(...checked.errors);
    request.body = checked.instance;
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
    const [argument] = of(kind);
    const type = argument && types[argument.index];
    // A DTO class that is imported as a type alone leaves Object: better no answer than no validation.
    if (argument && (!type || type === Object)) throw new Error(`${name}: import its DTO class as a value`);
    return type;
  };
  const file = fileTakenBy(context.getHandler());
  return {
    uuids: of(RouteParamtypes.PARAM).flatMap(({ data, pipes }) =>
      data && pipes.includes(UuidPipe) ? [data] : [],
    ),
    query: dto(RouteParamtypes.QUERY),
    body: file ? undefined : dto(RouteParamtypes.BODY),
    file,
  };
}
