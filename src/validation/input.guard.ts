import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Request } from 'express';
import { readBody, readBytes } from './body.js';
import { type Declared, declaredBy, type Handler } from './declared-input.js';
import { conditionErrors } from '../server/etag.js';
import { type FieldError, validationFailed } from '../problems/problem.js';
import { readUuidParam } from './uuid.js';
import { validate, validateQuery } from './validate.js';

/**
 * The third global guard: reads and validates all that a handler declares, and tells every fault of path, query and body
 * at once (415, 413, 400). Handlers get instances of their DTO classes. A guard, because the body must not be looked at
 * before the other guards (401, 403), because pipes see one argument each, and because an interceptor would make an
 * Observable of each answer, a fifth of the processor time of a request (docs/performance.md).
 */
@Injectable()
export class InputGuard implements CanActivate, OnModuleInit {
  private readonly known = new WeakMap<Handler, Declared>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Looks at every handler, so that one that cannot be validated ends the start, not a request. */
  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (!isClass(metatype)) continue;
      for (const name of this.scanner.getAllMethodNames(metatype.prototype)) {
        const handler: Handler = Reflect.get(metatype.prototype, name);
        if (Reflect.hasMetadata(PATH_METADATA, handler)) declaredBy(metatype, handler);
      }
    }
  }

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
    const declared = declaredBy(context.getClass(), handler);
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

function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function';
}
