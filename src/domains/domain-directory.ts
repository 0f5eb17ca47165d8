import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { normalizedHost } from '../platform/server/host.js';
import { DomainsRepository, type ServedDomain } from './domains.repository.js';

const POLL_MS = 1_000;

/** Changes of this time are read again at each poll, in seconds, because a transaction can commit late. */
const OVERLAP_SECONDS = 60;

/** Time after which all domains are read again, in milliseconds, in case a change was missed. */
const RELOAD_MS = 600_000;

const BATCH_SIZE = 5_000;

type Listener = (pageIds: string[]) => void;

/**
 * The verified domains of all organizations, in memory. Each process reads the changes once a second, and keeps what it has while
 * the database is unavailable.
 */
@Injectable()
export class DomainDirectory implements OnApplicationBootstrap, OnApplicationShutdown {
  private byDomain = new Map<string, ServedDomain>();
  private byPage = new Map<string, string>();
  private readonly listeners: Listener[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  private reloadedAt = -Infinity;
  private readAt = -Infinity;

  constructor(
    private readonly repository: DomainsRepository,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** Starts with the server, but not in the CLI, which serves no visitors. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.adapterHost.httpAdapter) return;
    await this.refresh();
    this.timer = setInterval(() => void this.refresh().catch(() => undefined), POLL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.reading?.catch(() => undefined);
  }

  /** Returns the verified domain that a `Host` header names, in any spelling. */
  get(host: string | undefined): ServedDomain | undefined {
    if (this.byDomain.size === 0 || host === undefined) return undefined;
    const exact = this.byDomain.get(host);
    if (exact) return exact;
    const name = normalizedHost(host);
    return name === undefined ? undefined : this.byDomain.get(name);
  }

  /** Returns the verified domain of a page. */
  ofPage(pageId: string): string | undefined {
    return this.byPage.get(pageId);
  }

  /** Calls `listener` with the pages whose domain or slug has changed. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Reads the changes now, or waits for the read in progress. */
  async refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<void> {
    const now = performance.now();
    const isComplete = now - this.reloadedAt < RELOAD_MS && now - this.readAt < (OVERLAP_SECONDS * 1_000) / 2;
    if (isComplete) {
      for (const { domain, ...page } of await this.repository.findChanged(OVERLAP_SECONDS))
        this.change(domain, page.page_id === null ? undefined : { domain, ...page });
    } else {
      await this.reload();
      this.reloadedAt = now;
    }
    this.readAt = now;
  }

  private async reload(): Promise<void> {
    const found = new Map<string, ServedDomain>();
    for (let after = ''; ;) {
      const batch = await this.repository.findServed(after, BATCH_SIZE);
      for (const served of batch) found.set(served.domain, served);
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) break;
      after = last.domain;
    }
    for (const domain of this.byDomain.keys()) if (!found.has(domain)) this.change(domain, undefined);
    for (const [domain, served] of found) this.change(domain, served);
  }

  private change(domain: string, served: ServedDomain | undefined): void {
    const former = this.byDomain.get(domain);
    if (former?.page_id === served?.page_id && former?.slug === served?.slug) return;
    if (former && this.byPage.get(former.page_id) === domain) this.byPage.delete(former.page_id);
    if (served) {
      this.byDomain.set(domain, served);
      this.byPage.set(served.page_id, domain);
    } else this.byDomain.delete(domain);
    const pages = [former?.page_id, served?.page_id].filter((id) => id !== undefined);
    for (const listener of this.listeners) listener([...new Set(pages)]);
  }
}
