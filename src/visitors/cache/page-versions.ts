import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PageLookupService } from '../../status-pages/page-lookup.service.js';
import { DocumentCache } from './document-cache.js';

const INTERVAL_MS = 1_000;
/** Maximum time that shutdown waits for copies to be written, in milliseconds. */
const FLUSH_MS = 2_000;

/**
 * Checks once per second, in one statement, which of the cached pages have changed, become private, or been deleted. So a
 * change is visible within two seconds in every process. If no page is cached, it sends no statement.
 */
@Injectable()
export class PageVersions implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private checking: { ended: Promise<void>; started_at: number } | undefined;

  constructor(
    private readonly pageLookup: PageLookupService,
    private readonly cache: DocumentCache,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** Starts with the server, but not in the CLI, which serves no visitors. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.adapterHost.httpAdapter) return;
    await this.cache.saved.load();
    this.timer = setInterval(() => this.tick(), INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.checking?.ended;
    const { cache } = this;
    const written = cache.settle().then(() => cache.saved.flush(Infinity)); // before the database closes
    // A hanging disk must not delay shutdown.
    await Promise.race([written, delay(FLUSH_MS, undefined, { ref: false })]);
  }

  private tick(): void {
    void this.cache.saved.flush();
    void this.cache.dropLostDomains();
    const { checking } = this;
    // The database does not respond, so serve cached copies without waiting.
    if (checking && performance.now() - checking.started_at >= INTERVAL_MS)
      this.cache.outage.begin(new Error('the check of page versions has not finished within 1 second'));
    void this.check();
    this.cache.refresh(); // copies that are out of date because time has passed
  }

  /** Checks the versions now, or waits for the check in progress. */
  async check(): Promise<void> {
    this.checking ??= {
      ended: this.read().finally(() => (this.checking = undefined)),
      started_at: performance.now(),
    };
    return this.checking.ended;
  }

  private async read(): Promise<void> {
    const { cache } = this;
    const held = cache.directory.all();
    const pages = [...held, ...cache.directory.formerPages(), ...cache.saved.pages()];
    if (pages.length === 0) return;
    const read_at = performance.now();
    const ids = [...new Set(pages.map(({ id }) => id))];
    const found = await this.pageLookup.findPublicByIds(ids).catch((error: unknown) => {
      cache.outage.begin(error);
      return undefined;
    });
    if (!found) return;
    cache.outage.end();
    const current = new Map(found.map((page) => [page.id, page]));
    for (const page of held) {
      const { version, organization_id: owner } = current.get(page.id) ?? {};
      if (version === undefined) continue;
      if (version !== page.version) page.changed_at = performance.now();
      Object.assign(page, { version, owner, read_at });
    }
    cache.refresh();
    const gone = new Map(
      pages
        .filter(({ id, slug }) => current.get(id)?.slug !== slug)
        .map((page) => [`${page.id} ${page.slug}`, page]),
    );
    await Promise.all([...gone.values()].map((page) => cache.drop(page)));
  }
}
