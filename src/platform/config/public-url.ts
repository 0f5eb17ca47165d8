import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Env } from './env.js';

/** Public URL of the server: `PUBLIC_URL`, never the header `Host`. */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly env: Env,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** Normalized, without a trailing slash. Without `PUBLIC_URL`, localhost with the port on which the server listens. */
  get value(): string {
    if (this.env.PUBLIC_URL !== undefined) return normalizeUrl(this.env.PUBLIC_URL);
    const address: unknown = this.adapterHost.httpAdapter?.getHttpServer()?.address?.();
    const isNetwork = typeof address === 'object' && address !== null && 'port' in address;
    return `http://localhost:${isNetwork ? String(address.port) : this.env.PORT}`;
  }

  /** Host name of {@link value}, without a port. */
  get host(): string {
    return new URL(this.value).hostname;
  }
}

/** Returns whether there is a console. It needs a host of its own, because its paths and its cookie begin at `/`. */
export function hasConsole({ CONSOLE, PUBLIC_URL }: NodeJS.ProcessEnv | Env): boolean {
  const hasPath = PUBLIC_URL && URL.canParse(PUBLIC_URL) && new URL(PUBLIC_URL).pathname !== '/';
  return CONSOLE !== 'off' && !hasPath;
}

/**
 * Returns a URL without a trailing slash, in the form of the URL standard: its host in lower case, its path percent-encoded.
 */
export function normalizeUrl(url: string): string {
  return new URL(url).href.replace(/(?<!\/)\/+$/, '');
}
