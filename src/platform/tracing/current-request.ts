import { promiseHooks } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServerExpressAdapter } from '../server/express-adapter.js';
import type { AnyRequest } from '../server/request-end.js';

const REQUEST = Symbol('request');

/** A promise, with the request that it was created for. */
type OfRequest = Promise<unknown> & { [REQUEST]?: AnyRequest };

// One for the process, as the hooks are.
let current: AnyRequest | undefined;
let isFollowing = false;

/**
 * Finds the request that the running code works for. It follows `await` and promises, but no timers and events: code that they
 * call works for no request. An `AsyncLocalStorage` follows those, too, and costs three times as much
 * (docs/decisions/current-request.md).
 */
@Injectable()
export class CurrentRequest {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** The request that the caller works for; undefined if there is none, or before {@link follow}. */
  get(): AnyRequest | undefined {
    return current;
  }

  /** Follows all requests from now on. */
  follow(): void {
    const adapter: unknown = this.adapterHost.httpAdapter;
    if (adapter instanceof ServerExpressAdapter) adapter.enter = enter;
    if (isFollowing) return;
    isFollowing = true;
    promiseHooks.createHook({
      init: (promise: OfRequest) => {
        if (current !== undefined) promise[REQUEST] = current;
      },
      before: (promise: OfRequest) => {
        current = promise[REQUEST];
      },
      after: () => {
        current = undefined;
      },
    });
  }
}

function enter(request: AnyRequest, serve: () => void): void {
  current = request;
  try {
    serve();
  } finally {
    current = undefined;
  }
}
