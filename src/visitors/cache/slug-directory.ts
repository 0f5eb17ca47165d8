import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../../platform/problems/problem.js';
import type { AccessRulesService } from '../../access/access-rules.service.js';
import type { PageLookupService } from '../../status-pages/page-lookup.service.js';
import type { HeldPage } from './copy.js';
import type { VisitorTurns } from './visitor-turns.js';

const MAX_PAGES = 5_000;

/** Time for which unknown slugs are cached, in milliseconds. A new page is visible within two seconds. */
const UNKNOWN_MS = 1_500;
const MAX_UNKNOWN = 20_000;

const MAX_FORMER = 5_000;
/** Maximum time for which a lookup of a former slug is used while the database is unavailable, in milliseconds. As for copies. */
const FORMER_MS = 86_400_000;
/** Longer than for unknown slugs, so that a slug is not forgotten while it counts as unknown. */
const GATED_MS = UNKNOWN_MS + 500;
const MAX_GATED = 5_000;

/** Turn of lookups, which visitors of all pages share. */
const LOOKUPS = { owner: 'lookups' };

/** Minimum interval between statements for unknown slugs, in milliseconds. The first statement is sent immediately. */
const PAUSE_MS = 25;
const MAX_SLUGS = 1_000;
const MAX_WAITING = 4_000;

/** The page that had a slug before. */
interface FormerSlug {
  page: Pick<HeldPage, 'id' | 'slug'>;
  /** Time of the lookup, from `performance.now()`. */
  read_at: number;
}

/** A private page whose visitors have to pass a gate. */
export interface GateHead {
  id: string;
  /** Organization. */
  owner: string;
  /** Version of the rules. */
  version: string;
  /** Networks that the rules let in. */
  networks: string[];
}

/** A slug lookup. */
interface Lookup {
  found: Promise<HeldPage | undefined>;
  settle: (pages: Promise<Map<string, HeldPage>>) => void;
}

/** Caches the public pages that visitors have requested, former slugs of them, and the slugs that no public page has. */
export class SlugDirectory {
  private readonly pages = new LRUCache<string, HeldPage>({ max: MAX_PAGES });
  private readonly unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: UNKNOWN_MS });
  private readonly former = new LRUCache<string, FormerSlug>({ max: MAX_FORMER });
  /** Private pages with rules of who may see them, by slug, which {@link find} handles as unknown. */
  private readonly gated = new LRUCache<string, GateHead>({ max: MAX_GATED, ttl: GATED_MS });
  private readonly lookups = new Map<string, Lookup>();
  private readonly waiting = new Set<string>();
  private isLookingUp = false;

  constructor(
    private readonly pageLookup: Pick<PageLookupService, 'findPublic'>,
    private readonly accessRules: Pick<AccessRulesService, 'gatedAmong'>,
    private readonly turns: Pick<VisitorTurns, 'run'>,
  ) {}

  /** Returns the page with this slug if it is cached. */
  get(slug: string): HeldPage | undefined {
    return this.pages.get(slug);
  }

  /** Returns whether this page is cached (not an earlier page with the same slug). */
  has(page: HeldPage): boolean {
    return this.pages.peek(page.slug) === page;
  }

  /** Returns all cached pages. */
  all(): HeldPage[] {
    return [...this.pages.values()];
  }

  /**
   * Returns the private page whose visitors may have to pass a gate, by the latest lookup of {@link find}. Up to 1.5 seconds old, so
   * it only decides who goes first.
   */
  gateOf(slug: string): GateHead | undefined {
    return this.gated.get(slug);
  }

  add(page: HeldPage): void {
    this.pages.set(page.slug, page);
  }

  remove(page: HeldPage): void {
    if (this.has(page)) this.pages.delete(page.slug);
  }

  /** Returns the pages of the former slugs in memory. */
  formerPages(): FormerSlug['page'][] {
    return [...this.former.values()].map(({ page }) => page);
  }

  /** Removes the former slugs that lead to a page that is no longer public, or to a slug that it has lost, until the next lookup. */
  removeFormer({ id, slug: lost }: FormerSlug['page']): void {
    for (const [slug, { page }] of this.former.entries())
      if (page.id === id && page.slug === lost) this.former.delete(slug);
  }

  /**
   * Returns the public page that had this slug before, by the latest lookup of {@link find}, also if the database is unavailable
   * since then, for a day at most.
   */
  findFormer(slug: string): Pick<HeldPage, 'id' | 'slug'> | undefined {
    const former = this.pages.has(slug) ? undefined : this.former.get(slug);
    return former && performance.now() - former.read_at < FORMER_MS ? former.page : undefined;
  }

  /**
   * Returns the public page with this slug. One statement at a time serves all waiting slugs, and private pages are handled
   * like unknown slugs.
   * @throws Problem `unavailable` if too many slugs wait
   */
  async find(slug: string): Promise<HeldPage | undefined> {
    const held = this.pages.get(slug);
    if (held || this.unknown.has(slug)) return held;
    const former = this.former.get(slug);
    if (former && performance.now() - former.read_at < UNKNOWN_MS) return undefined;
    return (this.lookups.get(slug) ?? this.lookUp(slug)).found;
  }

  private lookUp(slug: string): Lookup {
    if (this.waiting.size >= MAX_WAITING) throw unavailable();
    let settle: Lookup['settle'] = () => undefined;
    const found = new Promise<HeldPage | undefined>((resolve) => {
      settle = (pages) => resolve(pages.then((all) => all.get(slug)));
    });
    const lookup = { found, settle };
    this.lookups.set(slug, lookup);
    this.waiting.add(slug);
    void this.sendLookups();
    return lookup;
  }

  private async sendLookups(): Promise<void> {
    if (this.isLookingUp) return;
    this.isLookingUp = true;
    while (this.waiting.size > 0) {
      const slugs = [...this.waiting].slice(0, MAX_SLUGS);
      for (const slug of slugs) this.waiting.delete(slug);
      const pages = this.read(slugs);
      for (const slug of slugs) this.lookups.get(slug)?.settle(pages);
      await pages.catch(() => undefined); // each lookup throws it
      for (const slug of slugs) this.lookups.delete(slug);
      await delay(PAUSE_MS, undefined, { ref: false });
    }
    this.isLookingUp = false;
  }

  private async read(slugs: string[]): Promise<Map<string, HeldPage>> {
    const read_at = performance.now();
    const { rows, gates } = await this.turns.run(LOOKUPS, async () => {
      const found = await this.pageLookup.findPublic(slugs);
      const taken = new Set(found.map(({ slug, former_slug }) => former_slug ?? slug));
      const rest = slugs.filter((slug) => !taken.has(slug));
      return { rows: found, gates: rest.length === 0 ? [] : await this.accessRules.gatedAmong(rest) };
    });
    const pages = new Map<string, HeldPage>();
    const former = new Map<string, HeldPage>();
    for (const { id, slug, organization_id: owner, version, former_slug } of rows) {
      const page: HeldPage = { id, slug, owner, version, read_at, changed_at: read_at };
      if (former_slug === null) pages.set(slug, page);
      else former.set(former_slug, page);
    }
    const others = slugs.filter((slug) => !pages.has(slug) && !former.has(slug));
    for (const { slug, organization_id: owner, id, version, networks } of gates)
      this.gated.set(slug, { id, owner, version, networks });
    for (const slug of others) this.unknown.set(slug, true);
    for (const slug of slugs) this.former.delete(slug);
    for (const page of pages.values()) this.add(page);
    for (const [slug, page] of former) {
      this.former.set(slug, { page, read_at });
      // Earlier lookups of the present slug are outdated. Visitors would be redirected to a 404 page, or back.
      this.unknown.delete(page.slug);
      this.former.delete(page.slug);
    }
    return pages;
  }
}
