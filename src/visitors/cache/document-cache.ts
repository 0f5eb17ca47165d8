import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { AccessRulesService } from '../../access/access-rules.service.js';
import { LOGGER } from '../../platform/logging/logging.module.js';
import { isUnavailable } from '../../platform/problems/problem.filter.js';
import { PageLookupService } from '../../status-pages/page-lookup.service.js';
import { PageRenderer } from '../../page-documents/rendering/page-renderer.service.js';
import { Content } from './content.js';
import { type Address, type Copy, type HeldPage, isGood, keyOf, staleSince } from './copy.js';
import { SavedCopies } from './saved-copies.js';
import { Outage } from './outage.js';
import { SlugDirectory } from './slug-directory.js';
import { placeOfRendering } from './rendering-place.js';
import { Sites } from './sites.js';
import { VisitorTurns } from './visitor-turns.js';
import { within } from './within.js';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_COPY_BYTES = 8 * 1024 * 1024;
/** Memory of a copy in addition to its bytes. */
const OVERHEAD_BYTES = 2_048;

/**
 * Time for which a stale copy is still served while it is rendered again, in milliseconds, so that visitors do not wait during
 * a traffic spike.
 */
const GRACE_MS = 800;
/** Time for which a visitor waits for a rendering if there is an older copy, in milliseconds. */
const PATIENCE_MS = 1_000;
/** The same if the older copy is only on disk, where it can be a day old. */
const DISK_PATIENCE_MS = 3_000;
/** Maximum time to wait for the deletion of saved copies, in milliseconds. */
const DISK_WAIT_MS = 800;
/** Stale copies that were used within this time, in milliseconds, are rendered again without waiting for a visitor's request. */
const IN_USE_MS = 10_000;

/** Time for which the cache remembers that a part of a page does not exist, in milliseconds, unless its version changes. */
const MISSING_MS = 60_000;
const MAX_MISSING = 20_000;

/** A rendering in progress. */
interface Rendering {
  copy: Promise<Copy | undefined>;
  started_at: number;
}

/** Renders and caches the documents of public pages (docs/decisions/page-cache.md). */
@Injectable()
export class DocumentCache {
  /** Visits that were served immediately, and visits that waited for a rendering. */
  readonly counts = { hits: 0, misses: 0 };
  readonly directory: SlugDirectory;
  private readonly copies = new LRUCache<string, Copy>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_COPY_BYTES,
    sizeCalculation: ({ content }) => content.size + OVERHEAD_BYTES,
  });
  private readonly missing = new LRUCache<string, string>({ max: MAX_MISSING, ttl: MISSING_MS });
  private readonly renderings = new Map<string, Rendering>();

  constructor(
    pageLookup: PageLookupService,
    accessRules: AccessRulesService,
    private readonly pages: PageRenderer,
    private readonly sites: Sites,
    readonly saved: SavedCopies,
    readonly outage: Outage,
    private readonly turns: VisitorTurns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.directory = new SlugDirectory(pageLookup, accessRules, turns);
  }

  /**
   * Returns a copy that can be served without waiting, or undefined if the caller must use {@link get}.
   * @param key see {@link keyOf}
   */
  ready(key: string): Copy | undefined {
    const copy = this.copies.get(key);
    const page = copy && this.directory.get(copy.slug);
    if (!page || page.id !== copy.page_id || !this.hasDomain(copy)) return undefined;
    const now = performance.now();
    const since = staleSince(copy, page, now);
    if (since !== undefined) {
      if (!isGood(copy)) return undefined;
      if (!this.outage.isPausing) {
        const { started_at } = this.render(key, copy);
        if (now - since >= GRACE_MS && now - started_at < PATIENCE_MS) return undefined;
      }
    }
    copy.used_at = now;
    return copy;
  }

  /**
   * Returns a part of a public page, or undefined if it does not exist. If it cannot be rendered, returns the latest copy in
   * memory or on disk.
   * @throws Problem `unavailable` if there is no copy and the database is unavailable or too many renderings wait
   */
  async get(address: Address): Promise<Copy | undefined> {
    const key = keyOf(address);
    const ready = this.ready(key);
    if (ready) {
      this.counts.hits += 1;
      return ready;
    }
    this.counts.misses += 1;
    const { copy, started_at } = this.render(key, address);
    try {
      const older = this.copies.peek(key);
      const patience =
        older && isGood(older) ? PATIENCE_MS : this.saved.has(key) ? DISK_PATIENCE_MS : undefined;
      const found = await (patience === undefined
        ? copy
        : within(copy, started_at + patience - performance.now()));
      if (found) found.used_at = performance.now();
      return found;
    } catch (error) {
      return this.lastGood(key, address.slug, error);
    }
  }

  private async lastGood(key: string, slug: string, error: unknown): Promise<Copy> {
    const copy = this.copies.get(key) ?? (await this.saved.find(key));
    const held = this.directory.get(slug);
    // Another page may use the slug now.
    if (!copy || !isGood(copy) || (held && held.id !== copy.page_id)) throw error;
    if (!isUnavailable(error)) this.logger.error({ slug, err: error }, 'could not render a public page');
    // Cache its page, so that its version is checked like the versions of other pages.
    const { page_id: id, version } = copy;
    if (!held) this.directory.add({ id, slug, owner: id, version, read_at: 0, changed_at: 0 });
    if (!this.copies.has(key)) this.copies.set(key, copy);
    return copy;
  }

  /** Starts a rendering, unless the part is already being rendered. */
  private render(key: string, address: Address): Rendering {
    const running = this.renderings.get(key);
    if (running) return running;
    const copy = this.load(key, address).finally(() => this.renderings.delete(key));
    copy.catch(() => undefined); // visitors can get an older copy instead of the error
    const rendering = { copy, started_at: performance.now() };
    this.renderings.set(key, rendering);
    return rendering;
  }

  private async load(key: string, address: Address): Promise<Copy | undefined> {
    const { slug, part } = address;
    const page = await this.directory.find(slug);
    if (!page || this.missing.get(key) === page.version || !this.sites.serves(page.id, address.host))
      return undefined;
    const { id, version } = page;
    const read = await this.turns.run(placeOfRendering(page, part), () => this.read(page, address));
    const copy = read === 'moved' ? undefined : read;
    if (!this.directory.has(page)) {
      // The page has become private, lost its slug, or is no longer cached, so store no copy.
      const now = await this.directory.find(slug);
      return now === undefined || now.id === id ? now && copy : this.load(key, address);
    }
    if (copy && !this.sites.serves(id, address.host)) return undefined; // the page has lost the domain
    if (copy) {
      copy.used_at = this.copies.peek(key)?.used_at ?? copy.used_at;
      this.copies.set(key, copy);
      this.saved.save(copy);
    } else if (read === 'moved' || part.kind === 'overview') {
      await this.drop(page);
      await this.directory.find(slug); // whether it is a former slug now
    } else {
      this.missing.set(key, version);
      await this.saved.removePart(key);
      if (this.copies.get(key)?.page_id === id) this.copies.delete(key);
    }
    return copy;
  }

  /** Returns 'moved' if the page has another slug now. */
  private async read({ id }: HeldPage, { slug, part, host }: Address): Promise<Copy | 'moved' | undefined> {
    const read_at = performance.now();
    const domain = this.sites.domainOf(id);
    const found = await this.pages.serve(id, part, this.sites.of(id, host));
    if (!found) return undefined;
    if (found.slug !== slug) return 'moved';
    const { page_id, slug: _slug, version, until, ...document } = found;
    return {
      content: new Content(document),
      slug,
      part,
      host,
      domain,
      page_id,
      version,
      until: until.getTime(),
      rendered_at: Date.now(),
      read_at,
      used_at: read_at,
    };
  }

  /** Waits for the renderings in progress. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.renderings.values()].map(({ copy }) => copy));
  }

  /** Updates the size of a copy after a compression. */
  resized(copy: Copy): void {
    const key = keyOf(copy);
    if (this.copies.peek(key) !== copy) return;
    this.copies.delete(key); // `set` updates the size only for another value
    this.copies.set(key, copy);
  }

  /** Renders stale copies again if visitors have used them recently. */
  refresh(): void {
    if (this.outage.isPausing) return;
    const now = performance.now();
    for (const [key, copy] of this.copies.entries()) {
      if (now - copy.used_at > IN_USE_MS) continue;
      const page = this.directory.get(copy.slug);
      if (page?.id !== copy.page_id) continue;
      if (staleSince(copy, page, now) !== undefined || !this.hasDomain(copy)) this.render(key, copy);
    }
  }

  /** Drops the copies on domains that their pages no longer have. */
  async dropLostDomains(): Promise<void> {
    const isLost = ({ page_id, host }: Pick<Copy, 'page_id' | 'host'>) => !this.sites.serves(page_id, host);
    for (const [key, copy] of this.copies.entries()) if (isLost(copy)) this.copies.delete(key);
    if (this.saved.hasSome(isLost)) await this.saved.removeAll(isLost);
  }

  /** Returns whether the absolute URLs of a copy contain the current domain of its page. */
  private hasDomain({ domain, page_id }: Copy): boolean {
    return domain === this.sites.domainOf(page_id);
  }

  /** Drops a page that has become private, was deleted, or has another slug, first on disk, then in memory. */
  async drop(page: Pick<HeldPage, 'id' | 'slug'>): Promise<void> {
    const { id, slug } = page;
    const isOfPage = (one: Pick<Copy, 'page_id' | 'slug'>) => one.page_id === id && one.slug === slug;
    // A hanging disk must not keep the page in memory.
    await Promise.race([this.saved.removeAll(isOfPage), delay(DISK_WAIT_MS, undefined, { ref: false })]);
    for (const [key, copy] of this.copies.entries()) if (isOfPage(copy)) this.copies.delete(key);
    const held = this.directory.get(slug);
    if (held?.id === id) this.directory.remove(held);
    this.directory.removeFormer(page);
    void this.saved.removeAll(isOfPage); // copies that were rendered in the meantime
  }
}
