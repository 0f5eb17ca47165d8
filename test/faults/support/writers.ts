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
 * If the connection to PostgreSQL breaks, nobody can tell whether the update on it takes effect. PostgreSQL ends the update
 * after four seconds, or after more if it is slow.
 */
export const AFTER_BREAK = { appliedWithin: 8_000 };

/** PostgreSQL is frozen, or the network late: see "The exception" in docs/reliability.md. */
export const AFTER_FREEZE = { appliedWithin: Infinity };

/** What a client knows of an update: 200, nothing because the connection ended before the answer, or 503. */
type Outcome = 'acknowledged' | 'unknown' | 'refused';

const colorOf = (version: number): string => `#${version.toString(16).padStart(6, '0')}`;

/**
 * Writes version after version to a page of its own, several fields at once, and keeps account of the answers. So it knows
 * what the page may show: the last version that was acknowledged, or a later one that got no answer. One that was refused
 * only where the fault explains it, and never the fields of two versions.
 */
export class Writer {
  private version = 0;
  private readonly outcomes = new Map<number, Outcome>();
  private readonly refusedAt = new Map<number, number>();
  private etag: unknown;

  private constructor(
    private service: Service,
    readonly page: string,
    /** Updates of sections are transactions of several statements; others are one statement. */
    private readonly writesSections: boolean,
  ) {}

  /** Makes writers, every other of which writes sections. */
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

  /** Goes on with a server that was started anew. */
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
   * Reads the page, and fails if it shows what it must not show.
   * @param appliedWithin the time in milliseconds after its 503 within which an update may be applied; by default never
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
    // An update whose outcome is unknown can come last, like one of another client.
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

/** Fails if a page shows what it must not show: see {@link Writer}. */
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
    this.running.catch(() => undefined); // reported when it is stopped
  }

  /** Waits until so many more updates have had this outcome; fails with the first error of the stream. */
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
    // A client that was refused or cut off waits before it tries again.
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
