import { promiseHooks } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ServerExpressAdapter } from '../server/express-adapter.js';
import type { AnyRequest } from '../server/request-end.js';

const REQUEST = Symbol('request');

/** A promise, with the request for which it was created. */
type OfRequest = Promise<unknown> & { [REQUEST]?: AnyRequest };

// One per process, like the hooks.
let current: AnyRequest | undefined;
let isFollowing = false;

/**
 * Finds the request for which the current code runs. It follows `await` and promises, but not timers and events, whose
 * callbacks run outside of a request. An `AsyncLocalStorage` also follows those, and costs three times as much
 * (docs/decisions/current-request.md).
 */
@Injectable()
export class CurrentRequest {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  /** Returns the current request, or undefined outside a request. */
  get(): AnyRequest | undefined {
    return current;
  }

  /** Starts to follow all requests. */
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
