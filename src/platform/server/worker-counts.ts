import { LRUCache } from 'lru-cache';
import type { CountsReply } from '../cluster/messages.js';
import { primaryLink } from '../cluster/primary-link.js';
import { type Counted, type LocalCounts, WINDOW_SECONDS } from './memory-counts.js';

/** Fraction of a limit that all workers together can count before the primary has added it up. */
const AHEAD_SHARE = 1 / 50;
/** Maximum time until counts ahead are reported, in milliseconds. */
const REPORT_MS = 50;
/** Reply timeout. After it, the worker uses its local count. */
const REPLY_MS = 200;
const MAX_SUBJECTS = 100_000;

interface Window {
  /** Latest total received from the primary. */
  total: number;
  /** Local count not yet included in `total`. */
  pending: number;
  /** Length. */
  seconds: number;
  /** Time of `performance.now()`. */
  ends_at: number;
}

/** Points that the next message adds to a subject. */
interface Addition {
  window: Window;
  points: number;
  /** `place`: the points of the addition, up to and including this one. */
  waiting: { place: number; resolve: (counted: Counted) => void }[];
}

/**
 * Counts together with the other workers, in the memory of the primary. A request waits for a round trip only if its subject is
 * new in this worker, or near its limit. Otherwise, it is counted immediately and reported later. All workers together are at
 * most 2 % of a limit ahead, so a limit of less than 50 per worker is exact.
 */
export class WorkerCounts implements LocalCounts {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_SUBJECTS });
  private readonly sent = new Map<number, [string, Addition][]>();
  private next = new Map<string, Addition>();
  private nextId = 0;
  private isSending = false;
  /** Whether the last message got no reply in time. */
  private isAlone = false;
  private reportTimer: NodeJS.Timeout | undefined;

  constructor(private readonly workers: number) {}

  open(): void {
    primaryLink.on('counted', this.receive);
  }

  close(): void {
    primaryLink.off('counted', this.receive);
  }

  /** Adds one to a count, unless it has reached `limit`. In this case, the result is above `limit`. */
  async add(name: string, limit: number, seconds: number): Promise<Counted> {
    const window = this.windowOf(name, seconds);
    const msBeforeNext = window.ends_at - performance.now();
    if (msBeforeNext > 0) {
      const used = window.total + window.pending;
      if (window.total >= limit) return { consumedPoints: used + 1, msBeforeNext };
      const ahead = Math.floor((limit * AHEAD_SHARE) / this.workers);
      if (window.pending < ahead && used + ahead * this.workers < limit) {
        this.include(name, window, 1);
        this.report();
        return { consumedPoints: used + 1, msBeforeNext };
      }
    }
    return this.ask(name, window, 1);
  }

  /** Returns the count of a subject. */
  async get(name: string, limit: number, seconds?: number): Promise<Counted> {
    const window = this.windowOf(name, seconds);
    const msBeforeNext = window.ends_at - performance.now();
    if (msBeforeNext > 0 && window.total >= limit) return { consumedPoints: window.total, msBeforeNext };
    return this.ask(name, window, 0);
  }

  private windowOf(name: string, seconds = WINDOW_SECONDS): Window {
    const known = this.windows.get(name);
    if (known) return known;
    const window = { total: 0, pending: 0, seconds, ends_at: 0 };
    this.windows.set(name, window);
    return window;
  }

  private include(name: string, window: Window, points: number): Addition {
    const addition = this.next.get(name) ?? { window, points: 0, waiting: [] };
    addition.points += points;
    window.pending += points;
    this.next.set(name, addition);
    return addition;
  }

  private async ask(name: string, window: Window, points: number): Promise<Counted> {
    const addition = this.include(name, window, points);
    if (this.isAlone) {
      this.report();
      return this.countedHere(window);
    }
    if (!this.isSending) {
      this.isSending = true;
      setImmediate(() => this.send()); // together with the counts of other requests
    }
    const place = addition.points;
    return new Promise((resolve) => addition.waiting.push({ place, resolve }));
  }

  private report(): void {
    this.reportTimer ??= setTimeout(() => this.send(), REPORT_MS).unref();
  }

  private send(): void {
    clearTimeout(this.reportTimer);
    this.reportTimer = undefined;
    this.isSending = false;
    const additions = [...this.next];
    if (additions.length === 0) return;
    this.next = new Map();
    const id = this.nextId++;
    this.sent.set(id, additions);
    const names = additions.map(([name]) => name);
    const points = additions.map(([, addition]) => addition.points);
    const seconds = additions.map(([, { window }]) => window.seconds);
    void primaryLink.send({ kind: 'count', id, names, points, seconds });
    if (additions.some(([, { waiting }]) => waiting.length > 0))
      setTimeout(() => this.answerAlone(id), REPLY_MS).unref();
  }

  private readonly receive = ({ id, used, ends_in_ms }: CountsReply): void => {
    const additions = this.sent.get(id) ?? [];
    this.sent.delete(id);
    this.isAlone = false;
    for (const [index, [, { window, points, waiting }]] of additions.entries()) {
      const msBeforeNext = ends_in_ms[index] ?? 0;
      window.total = used[index] ?? 0;
      window.pending -= points;
      window.ends_at = performance.now() + msBeforeNext;
      for (const { place, resolve } of waiting)
        resolve({ consumedPoints: window.total - (points - place), msBeforeNext });
    }
  };

  /** Resolves waiting requests with the local counts if the primary does not reply. */
  private answerAlone(id: number): void {
    const additions = this.sent.get(id);
    if (!additions) return;
    this.isAlone = true;
    for (const [, { window, waiting }] of additions)
      for (const { resolve } of waiting.splice(0)) resolve(this.countedHere(window));
  }

  private countedHere(window: Window): Counted {
    const now = performance.now();
    if (window.ends_at <= now) Object.assign(window, { total: 0, ends_at: now + window.seconds * 1000 });
    return { consumedPoints: window.total + window.pending, msBeforeNext: window.ends_at - now };
  }
}
