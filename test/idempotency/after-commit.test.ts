import { Controller, HttpCode, Module, Post } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppModule } from '../../src/app.module.js';
import { AnyKey } from '../../src/platform/auth/access.decorators.js';
import { JoinedTransaction } from '../../src/platform/database/joined-transaction.js';
import { AcceptsIdempotencyKey } from '../../src/platform/idempotency/accepts-idempotency-key.js';
import { IdempotencyModule } from '../../src/platform/idempotency/idempotency.module.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { useTenant, useTestServer } from '../support/server.js';

const called: string[] = [];

@Controller('v1/hooks')
class HooksController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly joined: JoinedTransaction,
  ) {}

  @Post()
  @HttpCode(200)
  @AnyKey()
  @AcceptsIdempotencyKey()
  async write(): Promise<{ data: string }> {
    this.joined.afterCommit(() => {
      throw new Error('the first callback fails');
    });
    this.joined.afterCommit(() => called.push('second'));
    await this.dataSource.query(`UPDATE projects SET name = 'Committed'`);
    return { data: 'response' };
  }
}

@Module({ imports: [AppModule, IdempotencyModule], controllers: [HooksController] })
class AppWithHooksModule {}

const server = useTestServer({}, AppWithHooksModule);
const tenant = useTenant(server);

describe('callback that throws after the commit', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each<{ name: string; headers: Record<string, string> }>([
    { name: 'with Idempotency-Key', headers: { 'Idempotency-Key': 'one' } },
    { name: 'without Idempotency-Key', headers: {} },
  ])('$name fails neither the request nor other callbacks', async ({ headers }) => {
    const error = vi.spyOn(server.app.get<Logger>(LOGGER), 'error').mockReturnValue();
    called.length = 0;
    const ask = { method: 'POST', key: tenant.key, json: {}, headers, undocumented: true };
    const { status, body } = await server.ask<{ data: string }>('/v1/hooks', ask);
    expect([status, body.data, called]).toEqual([200, 'response', ['second']]);
    expect(await server.sql(`SELECT DISTINCT name FROM projects`)).toEqual([{ name: 'Committed' }]);
    expect(error.mock.calls).toEqual([
      [{ err: new Error('the first callback fails') }, 'post-commit callback failed'],
    ]);
  });
});
