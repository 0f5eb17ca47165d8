import type { Socket } from 'node:net';
import type { Engine } from './engine.js';
import { message } from './wire-input.js';

/** The `application_name` of this project's connections. */
export const APPLICATION_NAME = 'status-pages';

/** A transaction that its client leaves idle for so long is rolled back: everybody else waits for it. */
const IDLE_MS = 10_000;
/** Groups of one connection that may wait; then it is not read from until they have run. */
const MAX_WAITING = 64;

/** A connection to the session. */
export interface Connection {
  readonly socket: Socket;
  /** One of this project: it leaves the session as it found it. Any other is a guest. */
  isOwn: boolean;
  isGone: boolean;
  waiting: number;
  hasRun: boolean;
  /** Whether it may have changed settings since they were saved. */
  hasChangedSettings: boolean;
  /** What it has set, as JSON, while the session is not its own. */
  settings: string | null;
}

// CommandComplete of the statements that change settings. `set_config()` has the tag SELECT: see mayChangeSettings.
const CHANGES_SETTINGS = ['SET', 'RESET', 'DISCARD ALL'].map((tag) => message('C', `${tag}\0`));

/** Hexadecimal: readable in every client_encoding. A role comes last: it may not be allowed to set the others. */
const SAVE = `
  SELECT encode(convert_to(json_agg(json_build_array(name, setting))::text, 'UTF8'), 'hex') AS settings FROM (
    SELECT name, setting FROM pg_catalog.pg_show_all_settings() WHERE source = 'session' AND name NOT LIKE 'transaction\\_%'
    UNION ALL SELECT 'session_authorization', session_user WHERE session_user <> 'postgres'
    UNION ALL SELECT 'role', current_setting('role') WHERE current_setting('role') <> 'none'
  ) AS changed`;
const RESTORE = `SELECT set_config(one->>0, one->>1, false) FROM json_array_elements($1::json) AS one`;
// By name: PGlite has no default of SESSION AUTHORIZATION, and RESET would change nothing.
const RESET = message('Q', 'SET SESSION AUTHORIZATION postgres; RESET ROLE; RESET ALL; DISCARD TEMP\0');
const DISCARD = message('Q', 'DISCARD ALL\0');
const ROLLBACK = message('Q', 'ROLLBACK\0');

/**
 * The one session of PGlite, shared by all connections. It runs one group at a time, and while a transaction is open only
 * those of its connection.
 *
 * Settings of a guest are in force for that guest alone: they are saved and reset before another connection is served, and
 * restored after. When a guest leaves, all that it left in the session is discarded. Our own connections are exempt, so
 * they do not pay for it.
 */
export class Session {
  private readonly waiting: { connection: Connection; group: Buffer }[] = [];
  private inTransaction: Connection | undefined;
  /** The guest whose settings are in force. */
  private guest: Connection | undefined;
  private hasLeftovers = false;
  private running = false;
  private working: Promise<void> | undefined;
  private readonly idle = setTimeout(() => this.endIdleTransaction(), IDLE_MS).unref();

  /** @param cut closes a connection with an error (SQLSTATE and text) */
  constructor(
    private readonly engine: Engine,
    private readonly cut: (connection: Connection, sqlState: string, text: string) => void,
  ) {}

  /** Brings the session into the state in which each connection finds it. To be called first. */
  async start(): Promise<void> {
    await this.engine.run(RESET);
  }

  /** Runs a group as soon as it is its turn, and writes the answer to the connection. */
  run(connection: Connection, group: Buffer): void {
    this.waiting.push({ connection, group });
    connection.waiting += 1;
    if (connection.waiting > MAX_WAITING) connection.socket.pause();
    this.wake();
  }

  /** A connection is gone: what it has not committed is rolled back, and what it still sent is not run. */
  leave(connection: Connection): void {
    if (connection.isGone) return;
    connection.isGone = true;
    if (connection.hasRun && !connection.isOwn) this.hasLeftovers = true;
    this.wake();
  }

  /** Goes on with what waits, if anything can. */
  wake(): void {
    if (!this.running) this.working = this.work();
  }

  /** Waits until nothing runs. */
  async settled(): Promise<void> {
    clearTimeout(this.idle);
    await this.working;
  }

  private async work(): Promise<void> {
    this.running = true;
    for (;;) {
      if (this.inTransaction?.isGone) {
        await this.engine.run(ROLLBACK);
        this.inTransaction = undefined;
      }
      if (this.hasLeftovers && !this.inTransaction) await this.discardLeftovers();
      const at = this.waiting.findIndex(({ connection }) => this.canRun(connection));
      const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!next) break;
      if (!next.connection.isGone) await this.answer(next.connection, next.group);
    }
    this.running = false;
  }

  /** A connection that does not read its answers gets no more of them: they would pile up in memory. */
  private canRun(connection: Connection): boolean {
    if (this.inTransaction) return connection === this.inTransaction && !connection.socket.writableNeedDrain;
    return connection.isGone || !connection.socket.writableNeedDrain;
  }

  private async answer(connection: Connection, group: Buffer): Promise<void> {
    const guest = connection.isOwn ? undefined : connection;
    if (guest !== this.guest) await this.switchTo(guest);
    const answer = await this.engine.run(group);
    connection.hasRun = true;
    if (guest) guest.hasChangedSettings ||= mayChangeSettings(group, answer);
    if (connection.socket.writable) connection.socket.write(answer);
    connection.waiting -= 1;
    if (connection.waiting === 0 && connection.socket.isPaused()) connection.socket.resume();
    this.inTransaction = this.engine.isInTransaction() ? connection : undefined;
    if (this.inTransaction) this.idle.refresh();
  }

  /** Puts the settings of `guest` in force, or the defaults; outside of transactions only. */
  private async switchTo(guest: Connection | undefined): Promise<void> {
    if (this.guest) {
      if (this.guest.hasChangedSettings && !this.guest.isGone) await this.save(this.guest);
      await this.engine.run(RESET);
    }
    // A role that has been dropped since, for example: the guest goes on with the defaults.
    if (guest?.settings) await this.engine.query(RESTORE, [guest.settings]).catch(() => undefined);
    this.guest = guest;
  }

  private async save(guest: Connection): Promise<void> {
    const [row] = await this.engine.query<{ settings: string | null }>(SAVE).catch(() => []);
    guest.settings = row?.settings ? Buffer.from(row.settings, 'hex').toString() : null;
    guest.hasChangedSettings = false;
  }

  private async discardLeftovers(): Promise<void> {
    await this.switchTo(undefined);
    await this.engine.run(DISCARD);
    await this.engine.run(RESET);
    this.hasLeftovers = false;
  }

  private endIdleTransaction(): void {
    if (this.inTransaction)
      this.cut(this.inTransaction, '25P03', 'transaction rolled back after 10 idle seconds');
  }
}

function mayChangeSettings(group: Buffer, answer: Buffer): boolean {
  return /set_config/i.test(group.toString('latin1')) || CHANGES_SETTINGS.some((tag) => answer.includes(tag));
}
