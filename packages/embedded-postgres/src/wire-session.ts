import type { Socket } from 'node:net';
import type { Engine } from './engine.js';
import { RepeatedStatements } from './repeated-statements.js';
import { message } from './wire-input.js';

/** Time after which an idle transaction is rolled back, because all other connections wait for it. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
/** Maximum number of queued groups of one connection. Above it, the socket is paused. */
const MAX_WAITING_GROUPS = 64;

/** A client connection of the session. */
export interface Connection {
  readonly socket: Socket;
  /** Whether the connection belongs to the application, and so does not change the session. Any other connection is a guest. */
  isOwn: boolean;
  isGone: boolean;
  waiting: number;
  hasRun: boolean;
  /** Whether its settings may have changed since they were saved. */
  hasChangedSettings: boolean;
  /** Its saved settings as JSON, while another connection is served. */
  settings: string | null;
}

// CommandComplete of statements that change settings.
const CHANGES_SETTINGS = ['SET', 'RESET', 'DISCARD ALL'].map((tag) => message('C', `${tag}\0`));

/** Hexadecimal, which is readable in every client_encoding. The role is last, because it may not be allowed to set the others. */
const SAVE = `
  SELECT encode(convert_to(json_agg(json_build_array(name, setting))::text, 'UTF8'), 'hex') AS settings FROM (
    SELECT name, setting FROM pg_catalog.pg_show_all_settings() WHERE source = 'session' AND name NOT LIKE 'transaction\\_%'
    UNION ALL SELECT 'session_authorization', session_user WHERE session_user <> 'postgres'
    UNION ALL SELECT 'role', current_setting('role') WHERE current_setting('role') <> 'none'
  ) AS changed`;
const RESTORE = `SELECT set_config(one->>0, one->>1, false) FROM json_array_elements($1::json) AS one`;
// By name: PGlite has no default for SESSION AUTHORIZATION, so RESET has no effect.
const RESET = message('Q', 'SET SESSION AUTHORIZATION postgres; RESET ROLE; RESET ALL; DISCARD TEMP\0');
/** Time limits after which PostgreSQL would end the only session. `endIdleTransaction` closes a connection instead. */
const RESET_ENDS = message(
  'Q',
  ['idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout']
    .map((name) => `SET ${name} = 0;`)
    .join(' ') + '\0',
);
const DISCARD = message('Q', 'DISCARD ALL\0');
const ROLLBACK = message('Q', 'ROLLBACK\0');

/**
 * The single session of PGlite, shared by all connections. Runs one group at a time. During a transaction, runs only groups of the
 * same connection.
 *
 * Each guest has its own settings, which are saved and reset before another connection is served, and restored afterwards. When a
 * guest disconnects, DISCARD ALL removes its state. The application's own connections skip these steps.
 */
export class SharedSession {
  private readonly waiting: { connection: Connection; group: Buffer }[] = [];
  private inTransaction: Connection | undefined;
  /** Guest whose settings are active. */
  private guest: Connection | undefined;
  private hasLeftovers = false;
  private running = false;
  private working: Promise<void> | undefined;
  private readonly repeated: RepeatedStatements;
  private readonly idle = setTimeout(() => this.endIdleTransaction(), IDLE_TRANSACTION_TIMEOUT_MS).unref();

  /** @param cut closes a connection with an error (SQLSTATE and text) */
  constructor(
    private readonly engine: Engine,
    private readonly cut: (connection: Connection, sqlState: string, text: string) => void,
  ) {
    this.repeated = new RepeatedStatements(engine);
  }

  /** Resets the session. Must be called first. */
  async start(): Promise<void> {
    await this.engine.run(RESET);
  }

  /** Queues a group, and writes its response to the connection. */
  run(connection: Connection, group: Buffer): void {
    this.waiting.push({ connection, group });
    connection.waiting += 1;
    if (connection.waiting > MAX_WAITING_GROUPS) connection.socket.pause();
    this.wake();
  }

  /** Handles a closed connection: rolls its transaction back, and drops its queued groups. */
  leave(connection: Connection): void {
    if (connection.isGone) return;
    connection.isGone = true;
    if (connection.hasRun && !connection.isOwn) this.hasLeftovers = true;
    this.wake();
  }

  /** Runs the queued groups that can run. */
  wake(): void {
    if (!this.running) this.working = this.work();
  }

  /** Resolves when no group runs. */
  async whenIdle(): Promise<void> {
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
      if (!next.connection.isGone) await this.execute(next.connection, next.group);
    }
    this.running = false;
  }

  /** Returns false for a connection that does not read, because its responses would fill the memory. */
  private canRun(connection: Connection): boolean {
    if (this.inTransaction) return connection === this.inTransaction && !connection.socket.writableNeedDrain;
    return connection.isGone || !connection.socket.writableNeedDrain;
  }

  private async execute(connection: Connection, group: Buffer): Promise<void> {
    const guest = connection.isOwn ? undefined : connection;
    if (guest !== this.guest) await this.switchTo(guest);
    const response = await (guest ? this.engine.run(group) : this.repeated.run(group));
    connection.hasRun = true;
    const isChanged =
      hasSet(response) || (guest !== undefined && /set_config/i.test(group.toString('latin1')));
    if (isChanged) await this.engine.run(RESET_ENDS);
    if (guest) {
      guest.hasChangedSettings ||= isChanged;
      this.repeated.observe(response);
    }
    if (connection.socket.writable) connection.socket.write(response);
    connection.waiting -= 1;
    if (connection.waiting === 0 && connection.socket.isPaused()) connection.socket.resume();
    this.inTransaction = this.engine.isInTransaction() ? connection : undefined;
    if (this.inTransaction) this.idle.refresh();
  }

  /** Activates the settings of `guest`, or the defaults. Must be called outside of transactions. */
  private async switchTo(guest: Connection | undefined): Promise<void> {
    if (this.guest) {
      if (this.guest.hasChangedSettings && !this.guest.isGone) await this.save(this.guest);
      await this.engine.run(RESET);
    }
    // If this fails, for example because of a dropped role, the guest continues with the defaults.
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
    await this.repeated.forget();
    await this.engine.run(DISCARD);
    await this.engine.run(RESET);
    this.hasLeftovers = false;
  }

  private endIdleTransaction(): void {
    if (this.inTransaction)
      this.cut(this.inTransaction, '25P03', 'transaction rolled back after 10 idle seconds');
  }
}

/** Whether a statement of the group was SET, RESET or DISCARD ALL. Guests can also call `set_config()`. */
const hasSet = (response: Buffer): boolean => CHANGES_SETTINGS.some((tag) => response.includes(tag));
