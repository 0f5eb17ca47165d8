import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import {
  METHOD_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';
import { DiscoveryService, ExternalContextCreator, MetadataScanner } from '@nestjs/core';
import type { Request } from 'express';
import { plainDataOf } from '../database/raw-json.js';

type Read = (request: Request) => Promise<unknown>;

/** A resource before a write, as GET returns it. */
export interface Before {
  data: object;
  /** Whether the write changes it. Otherwise, it does only if the result has the same ID. */
  isTarget: boolean;
}

/** Reads the resource that a write changes by the GET operation of its path, without guards and limits. */
@Injectable()
export class CurrentResource implements OnModuleInit {
  private readonly reads = new Map<string, Read>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly contexts: ExternalContextCreator,
  ) {}

  onModuleInit(): void {
    for (const { instance, metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      for (const name of this.scanner.getAllMethodNames(metatype.prototype)) {
        const handler: unknown = Reflect.get(metatype.prototype, name);
        if (typeof handler !== 'function') continue;
        if (Reflect.getMetadata(METHOD_METADATA, handler) !== RequestMethod.GET) continue;
        const paths = [
          Reflect.getMetadata(PATH_METADATA, metatype),
          Reflect.getMetadata(PATH_METADATA, handler),
        ];
        const route = `/${paths
          .map((path) => String(path).replaceAll(/^\/|\/$/g, ''))
          .filter(Boolean)
          .join('/')}`;
        if (route.startsWith('/v1/')) this.reads.set(route, this.reader(instance, name));
      }
    }
  }

  /**
   * Returns the resources of the path of a request and of the paths above it. A list is no resource.
   * @throws Problem 404 `not_found`
   */
  async of(request: Request): Promise<Before[]> {
    const route: string = request.route?.path ?? '';
    const found: Before[] = [];
    for (let path = route; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const isTarget = path === route && request.method !== 'POST';
      const endsWithParameter = path.slice(path.lastIndexOf('/')).startsWith('/:');
      const body = isTarget || endsWithParameter ? await this.reads.get(path)?.(request) : undefined;
      const data = plainDataOf(body);
      if (typeof data === 'object' && data !== null && !Array.isArray(data)) found.push({ data, isTarget });
    }
    return found;
  }

  private reader(instance: InstanceType<Type>, name: string): Read {
    const handle = this.contexts.create(
      instance,
      Reflect.get(instance, name),
      name,
      ROUTE_ARGS_METADATA,
      { exchangeKeyForValue: (type, data, [request]) => argumentOf(type, data, request) },
      undefined,
      undefined,
      { guards: false, interceptors: false, filters: false },
    );
    return (request) => handle(request);
  }
}

/** Returns the argument of a handler for a parameter decorator of NestJS. */
function argumentOf(type: RouteParamtypes, name: unknown, request: Request): unknown {
  const source = { [RouteParamtypes.PARAM]: request.params, [RouteParamtypes.QUERY]: request.query };
  if (type === RouteParamtypes.REQUEST) return request;
  const values: unknown = Reflect.get(source, type);
  const isNamed = typeof name === 'string' && typeof values === 'object' && values !== null;
  return isNamed ? Reflect.get(values, name) : values;
}
