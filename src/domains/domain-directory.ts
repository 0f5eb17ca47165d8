import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PublicUrl } from '../platform/config/public-url.js';
import { DomainMap, type KnownDomain, type ServedDomain } from './domain-map.js';
import { DomainsRepository } from './domains.repository.js';

const POLL_MS = 1_000;

/** Changes of this time are read again at each poll, in seconds, because a transaction can commit late. */
const OVERLAP_SECONDS = 60;

/** Time after which all domains are read again, in milliseconds, in case a change was missed. */
const RELOAD_MS = 600_000;

/** Number of domains that one statement reads. More would block the event loop. */
const BATCH_SIZE = 2_000;

/** Number of changes that a poll reads, the newest ones. Older ones are known from earlier polls. */
const MAX_CHANGES = 2_000;

type Listener = (pageIds: string[]) => void;
type ServedListener = (domain: string, isServed: boolean) => void;

/**
 * The verified domains of all organizations, in memory. Each process reads the changes once a second, and keeps what it has while
 * the database is unavailable.
 */
@Injectable()
export class DomainDirectory implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly domains = new DomainMap();
  private readonly listeners: Listener[] = [];
  private readonly servedListeners: ServedListener[] = [];
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | undefined;
  /** The host of PUBLIC_URL, which is never served as a domain. */
  private ownHost = '';
  /** Times of `performance.now()`. */
  private reloadedAt = -Infinity;
  private readAt = -Infinity;

  constructor(
    private readonly repository: DomainsRepository,
    private readonly publicUrl: PublicUrl,
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

  /** Whether all domains have been read. */
  get isLoaded(): boolean {
    return this.readAt > 0;
  }

  get size(): number {
    return this.domains.size;
  }

  /** Returns the verified domain that a `Host` header names, in any spelling. */
  get(host: string | undefined): ServedDomain | undefined {
    return this.domains.get(host);
  }

  /** Returns the verified domain of a page. */
  ofPage(pageId: string): string | undefined {
    return this.domains.ofPage(pageId);
  }

  /** Returns all domains, in any order. */
  values(): Iterable<KnownDomain> {
    return this.domains.values();
  }

  /** Calls `listener` with the pages whose domain, slug or visibility has changed. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Calls `listener` for each domain that has changed. */
  onServed(listener: ServedListener): void {
    this.servedListeners.push(listener);
  }

  /** Reads the changes now, or waits for the read in progress. */
  async refresh(): Promise<void> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<void> {
    const now = performance.now();
    // After an outage, older changes can be unknown.
    const isContinuous = now - this.readAt < (OVERLAP_SECONDS * 1_000) / 2;
    if (isContinuous && now - this.reloadedAt < RELOAD_MS) await this.readChanges();
    else {
      await this.reload();
      this.reloadedAt = now;
    }
    this.readAt = now;
  }

  private async readChanges(): Promise<void> {
    this.ownHost = this.publicUrl.host;
    for (const { domain, page_id, slug, is_public } of await this.repository.findChanged(
      OVERLAP_SECONDS,
      MAX_CHANGES,
    ))
      this.change(domain, page_id === null ? undefined : { domain, page_id, slug, is_public });
  }

  /** Reads all domains, in case a change was missed. */
  async reload(): Promise<void> {
    this.ownHost = this.publicUrl.host;
    const names = new Set<string>();
    for (let after = ''; ;) {
      const batch = await this.repository.findServed(after, BATCH_SIZE);
      for (const known of batch) {
        names.add(known.domain);
        this.change(known.domain, known);
      }
      const last = batch.at(-1);
      if (!last || batch.length < BATCH_SIZE) break;
      after = last.domain;
    }
    for (const { domain } of this.domains.values()) if (!names.has(domain)) this.change(domain, undefined);
  }

  private change(domain: string, known: KnownDomain | undefined): void {
    // Otherwise, an instance would lose its API if its PUBLIC_URL changes to the domain of a page.
    const served = domain === this.ownHost ? undefined : known;
    const pages = this.domains.set(domain, served);
    if (pages.length === 0) return;
    for (const listener of this.listeners) listener(pages);
    for (const listener of this.servedListeners) listener(domain, served !== undefined);
  }
}
