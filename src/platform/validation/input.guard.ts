import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { readBody, readFile } from './body.js';
import { type Declared, declaredBy, type Handler } from './declared-input.js';
import { NO_DRY_RUN } from '../dry-run/excludes-dry-run.js';
import { DRY_RUN, dryRunErrors, hasDryRun, isDryRun, rejectDryRun } from '../dry-run/dry-run-query.js';
import { conditionErrors } from '../server/etag.js';
import { idempotencyKeyErrors } from '../server/idempotency-key.js';
import { type FieldError, validationFailed } from '../problems/problem.js';
import { readUuidParam } from './uuid.js';
import { validate, validateQuery } from './validate.js';

/** Metadata key: the handler receives the path and the query unchanged, and no body. */
export const IGNORES_INPUT = 'validation:ignores-input';

/**
 * The third global guard. Reads and validates path, query and body, and reports all errors together (415, 413, 400). Handlers
 * receive instances of their DTO classes. This is a guard, because it must run after authentication (401, 403), because a pipe
 * receives only one argument, and because an interceptor wraps each response in an Observable, which takes 20 % of the CPU time
 * of a request (docs/performance.md).
 */
@Injectable()
export class InputGuard implements CanActivate, OnModuleInit {
  private readonly cache = new WeakMap<Handler, Declared>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Checks all handlers on startup, so that an invalid declaration does not fail a request later. */
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
    if (this.reflector.get<boolean | undefined>(IGNORES_INPUT, context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const declared = this.declared(context);
    if (isDryRun(request))
      rejectDryRun(request, this.reflector.get<string | undefined>(NO_DRY_RUN, context.getHandler()));
    if (!declared.body && !declared.file) return checkInput(request, declared, undefined);
    const reading = declared.file ? readFile(request, declared.file) : readBody(request);
    return reading.then((content) => checkInput(request, declared, content));
  }

  private declared(context: ExecutionContext): Declared {
    const handler = context.getHandler();
    const cached = this.cache.get(handler);
    if (cached) return cached;
    const declared = declaredBy(context.getClass(), handler);
    this.cache.set(handler, declared);
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
  const canRunDry = hasDryRun(request.method, request.path);
  if (canRunDry) errors.push(...dryRunErrors(request));
  const checked = validateQuery(query, request.query, canRunDry ? [...named, DRY_RUN] : named);
  errors.push(...checked.errors);
  if (checked.instance) Object.defineProperty(request, 'query', { value: checked.instance });
  errors.push(...conditionErrors(request));
  if (request.method === 'POST') errors.push(...idempotencyKeyErrors(request));
  if (body && content) {
    const { instance, errors: bodyErrors } = validate(body, content, 'body');
    errors.push(...bodyErrors);
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
