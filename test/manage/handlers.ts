import { type INestApplication, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';

/** Returns the metadata of all handlers of an application, by `METHOD /path`. */
export function handlersOf<Value>(app: INestApplication, key: string): Map<string, Value> {
  const scanner = new MetadataScanner();
  const found = new Map<string, Value>();
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    if (typeof metatype !== 'function') continue;
    for (const name of scanner.getAllMethodNames(metatype.prototype)) {
      const handler: object = Reflect.get(metatype.prototype, name);
      const method: RequestMethod | undefined = Reflect.getMetadata(METHOD_METADATA, handler);
      if (method === undefined) continue;
      const path = [Reflect.getMetadata(PATH_METADATA, metatype), Reflect.getMetadata(PATH_METADATA, handler)]
        .map((part) => String(part).replaceAll(/^\/|\/$/g, ''))
        .filter(Boolean)
        .join('/');
      const value: Value | undefined = Reflect.getMetadata(key, handler);
      if (value !== undefined) found.set(`${RequestMethod[method]} /${path}`, value);
    }
  }
  return found;
}
