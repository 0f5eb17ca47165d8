import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { declaredBy, type Handler } from '../../src/platform/validation/declared-input.js';
import type { TestServer } from './server.js';

/** The body of an operation. */
export interface BodyDto {
  method: string;
  /** As the OpenAPI document writes it: `/v1/monitors/{id}`. */
  path: string;
  dto: Type<object>;
}

/** The bodies of all handlers of a server, except for files. */
export function bodiesOf({ app }: TestServer): BodyDto[] {
  const controllers = app.get(DiscoveryService, { strict: false }).getControllers();
  const scanner = app.get(MetadataScanner, { strict: false });
  return controllers.flatMap(({ metatype }) => {
    if (!isClass(metatype)) return [];
    const start: unknown = Reflect.getMetadata(PATH_METADATA, metatype);
    return scanner.getAllMethodNames(metatype.prototype).flatMap((name): BodyDto[] => {
      const handler: Handler = Reflect.get(metatype.prototype, name);
      const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
      const dto = typeof method === 'number' ? declaredBy(metatype, handler).body : undefined;
      if (!dto) return [];
      const path = [start, Reflect.getMetadata(PATH_METADATA, handler)].join('/').split('/').filter(Boolean);
      const documented = path.map((part) => part.replace(/^:(\w+)$/, '{$1}'));
      return [{ method: RequestMethod[Number(method)] ?? '', path: `/${documented.join('/')}`, dto }];
    });
  });
}

function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function';
}
