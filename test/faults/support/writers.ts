import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

import { NoAnswerError, type Service } from './service.js';

interface PageBody {
  data: {
    id: string;
    name: string;
    accent_color: string;
    sections: { title: string }[];
    updated_at: string;
  };
}

/**
 * If the connection to PostgreSQL breaks, the effect of an update in flight is unknown. PostgreSQL ends the
 * update after four seconds, or later if it is slow.
 */
export const AFTER_BREAK = { appliedWithin: 8_000 };

/** PostgreSQL is suspended, or the network delays packets: see "When 503 means unknown" in docs/reliability.md. */
export const AFTER_FREEZE = { appliedWithin: Infinity };

/**
 * The outcome of an update as the client sees it: 200, unknown because the connection ended before the
 * response, or 503.
 */
type Outcome = 'acknowledged' | 'unknown' | 'refused';

const colorOf = (version: number): string => `#${version.toString(16).padStart(6, '0')}`;

/**
 * Writes version after version to its own status page, several fields at a time, and records the outcomes.
 * `check` fails unless the page shows the latest acknowledged version, or a later one whose outcome is unknown.
 * The page may show a rejected version only if the fault can cause that, and never the fields of two versions.
 */
export class Writer {
  private version = 0;
  private readonly outcomes = new Map<number, Outcome>();
  private readonly refusedAt = new Map<number, number>();
  private etag: unknown;

  private constructor(
    private service: Service,
    readonly page: string,
    /** Updates of sections are transactions of several statements. Other updates are one statement. */
    private readonly writesSections: boolean,
  ) {}

  /** Creates writers. Every second one writes sections. */
  static create(service: Service, count: number): Promise<Writer[]> {
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const json = { project_id: service.seed.project, name: 'Version 0', accent_color: colorOf(0) };
        const { status, body } = await service.ask<PageBody>('/v1/status-pages', { method: 'POST', json });
        assert.equal(status, 201);
        const writer = new Writer(service, body.data.id, index % 2 === 1);
        await writer.write();
        return writer;
      }),
    );
  }

  count(outcome: Outcome): number {
    return [...this.outcomes.values()].filter((one) => one === outcome).length;
  }

  /** Continues with a restarted server. */
  use(service: Service): void {
    this.service = service;
  }

  /** Writes the next version. */
  async write(): Promise<Outcome> {
    const version = ++this.version;
    const json = {
      name: `Version ${version}`,
      accent_color: colorOf(version),
      ...(this.writesSections && { sections: [{ id: 's', title: String(version), monitor_ids: [] }] }),
    };
    this.outcomes.set(version, 'unknown');
    const path = `/v1/status-pages/${this.page}`;
    try {
      const { status, body, headers } = await this.service.ask<PageBody>(path, { method: 'PATCH', json });
      if (status === 200) {
        assert.equal(body.data.name, json.name);
        this.etag = headers['etag'];
      } else {
        assert.equal(status, 503);
        this.refusedAt.set(version, Date.now());
      }
      this.outcomes.set(version, status === 200 ? 'acknowledged' : 'refused');
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
    }
    return this.outcomes.get(version) ?? 'unknown';
  }

  /**
   * Reads the page, and fails if it shows a version that is not allowed.
   * @param appliedWithin how many milliseconds after its 503 an update may still be applied; by default, it must
   * not be applied
   */
  async check({ appliedWithin = -Infinity } = {}): Promise<void> {
    const { status, body, headers } = await this.service.ask<PageBody>(`/v1/status-pages/${this.page}`);
    assert.equal(status, 200);
    const { name, accent_color, sections, updated_at } = body.data;
    const shown = Number(name.replace('Version ', ''));
    assert.equal(accent_color, colorOf(shown));
    const titles = this.writesSections ? [String(shown)] : [];
    assert.deepEqual(
      sections.map(({ title }) => title),
      titles,
    );
    const acknowledged = Math.max(
      ...[...this.outcomes].filter(([, outcome]) => outcome === 'acknowledged').map(([version]) => version),
    );
    // An update with an unknown outcome can be applied last, like an update of another client.
    const isLate = appliedWithin > 0 && this.outcomes.get(shown) === 'refused';
    assert.ok(shown >= acknowledged || isLate, `lost: shows ${shown}, acknowledged ${acknowledged}`);
    if (shown === acknowledged) assert.equal(headers['etag'], this.etag);
    const after = Date.parse(updated_at) - (this.refusedAt.get(shown) ?? Infinity);
    assert.ok(
      after <= appliedWithin || this.outcomes.get(shown) !== 'refused',
      `applied ${after} ms after its 503`,
    );
  }
}

/** Fails if a page shows a version that is not allowed: see {@link Writer}. */
export async function expectSoundPages(
  writers: Writer[],
  options?: { appliedWithin: number },
): Promise<void> {
  for (const writer of writers) await writer.check(options);
}

/** A stream of updates by all writers, and of lists. */
export class Stream {
  private readonly stopping = new AbortController();
  private readonly running: Promise<void[]>;

  constructor(
    service: Service,
    private readonly writers: Writer[],
  ) {
    this.running = Promise.all([...writers.map((writer) => this.write(writer)), this.list(service)]);
    this.running.catch(() => undefined); // reported when the stream stops
  }

  /**
   * Waits for the given number of further updates with this outcome. Fails with the first error of the
   * stream.
   */
  async reaches(count: number, outcome: Outcome = 'acknowledged'): Promise<void> {
    const sum = () => this.writers.reduce((total, writer) => total + writer.count(outcome), 0);
    const goal = sum() + count;
    const deadline = performance.now() + 90_000;
    while (sum() < goal) {
      if (performance.now() > deadline) throw new Error(`waited in vain for ${count} updates: ${outcome}`);
      await Promise.race([delay(10), this.running]);
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async write(writer: Writer): Promise<void> {
    // A rejected or disconnected client waits before it retries.
    while (!this.stopping.signal.aborted) if ((await writer.write()) !== 'acknowledged') await delay(50);
  }

  private async list(service: Service): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const path = `/v1/status-pages?project_id=${service.seed.project}&limit=100`;
      await service.ask(path).catch((error: unknown) => {
        if (!(error instanceof NoAnswerError)) throw error;
      });
      await delay(50);
    }
  }
}
