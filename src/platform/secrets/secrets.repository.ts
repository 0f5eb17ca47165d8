import { Injectable } from '@nestjs/common';
import { StatementRunner } from '../database/statement-runner.js';

/** A key of the instance. */
export interface StoredSecret {
  key: Buffer;
  created_at: Date;
  /** When `SECRET_KEY` replaced the key, if it is the newest. */
  retired_at: Date | null;
}

/** Reads and writes the table `secrets`. */
@Injectable()
export class SecretsRepository {
  constructor(private readonly runner: StatementRunner) {}

  /** Returns all keys, newest first. */
  async findAll(): Promise<StoredSecret[]> {
    return this.runner.query<StoredSecret>(
      'SELECT key, created_at, retired_at FROM secrets ORDER BY number DESC',
      [],
    );
  }

  /** Inserts the first key, unless another process has done so. */
  async insertFirst(key: Buffer): Promise<void> {
    await this.runner.query(
      `INSERT INTO secrets (number, key) VALUES (1, $1) ON CONFLICT (number) DO NOTHING`,
      [key],
    );
  }

  async insertNext(key: Buffer): Promise<{ number: number; created_at: Date } | undefined> {
    const [stored] = await this.runner.query<{ number: number; created_at: Date }>(
      `INSERT INTO secrets (number, key)
       SELECT coalesce(max(number), 0) + 1, $1 FROM secrets
       RETURNING number, created_at`,
      [key],
    );
    return stored;
  }

  /** Stores that `SECRET_KEY` has replaced the newest key in the database, or that it is in use again. */
  async retireNewest(isRetired: boolean): Promise<void> {
    await this.runner.query(
      `UPDATE secrets SET retired_at = CASE WHEN $1 THEN now() END
        WHERE number = (SELECT max(number) FROM secrets)`,
      [isRetired],
    );
  }
}
