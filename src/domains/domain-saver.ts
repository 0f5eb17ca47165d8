import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Logger } from 'pino';
import { Env } from '../platform/config/env.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { DomainDirectory } from './domain-directory.js';
import { DomainFile } from './domain-file.js';

const INTERVAL_MS = 1_000;

/** Time from a change until the file is written. Further changes are written with it. */
const DELAY_MS = 5_000;

/** Time after which each process has read a change. */
const SEEN_AFTER_MS = 2_000;

/** Time after which an unchanged file is confirmed. */
const TOUCH_MS = 3_600_000;

/** Maximum time that shutdown waits for the file. */
const FLUSH_MS = 2_000;

/** Keeps the {@link DomainFile} equal to the {@link DomainDirectory}. Only the first disk error is logged. */
@Injectable()
export class DomainSaver implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly file: DomainFile;
  private timer: NodeJS.Timeout | undefined;
  /** When the directory has changed after the last write, in milliseconds. */
  private changedAt: number | undefined;
  private checkedAt = -Infinity;
  private writing: Promise<void> | undefined;
  private hasWritten = false;
  private hasFailed = false;

  constructor(
    env: Env,
    private readonly directory: DomainDirectory,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.file = new DomainFile(env);
    directory.onChange(() => (this.changedAt ??= Date.now()));
  }

  /** Starts with the server, but not in the CLI. */
  onApplicationBootstrap(): void {
    if (!this.adapterHost.httpAdapter) return;
    this.timer = setInterval(() => void this.tick(), INTERVAL_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (!this.timer || (this.changedAt === undefined && !this.writing)) return;
    // A hanging disk must not delay shutdown.
    await Promise.race([this.save(), delay(FLUSH_MS, undefined, { ref: false })]);
  }

  /** Writes the changes now, after a write in progress. */
  async save(): Promise<void> {
    await this.writing;
    this.writing = this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private async tick(): Promise<void> {
    if (this.writing || !this.directory.isLoaded) return;
    const isDue = this.changedAt !== undefined && Date.now() - this.changedAt >= DELAY_MS;
    if (isDue || performance.now() - this.checkedAt >= TOUCH_MS) await this.save();
  }

  private async write(): Promise<void> {
    const { changedAt } = this;
    this.changedAt = undefined;
    this.checkedAt = performance.now();
    try {
      const written = await this.file.find();
      const isCurrent = written !== undefined && this.isCurrent(written, changedAt);
      if (isCurrent) await this.file.touch();
      else if (written !== undefined || this.directory.size > 0)
        await this.file.write(this.directory.values());
      this.hasWritten = true;
    } catch (error) {
      this.changedAt ??= Date.now(); // try again
      if (this.hasFailed) return;
      this.hasFailed = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ reason }, 'could not save the verified domains in DATA_DIR');
    }
  }

  /** Whether the file contains a change, because a process that had read it has written the file. */
  private isCurrent(writtenAt: number, changedAt: number | undefined): boolean {
    return this.hasWritten && (changedAt === undefined || writtenAt > changedAt + SEEN_AFTER_MS);
  }
}
