import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Env } from '../config/env.js';
import { LOGGER } from '../logging/logging.module.js';
import { JoinedTransaction } from './joined-transaction.js';
import { openDataSource, withMigrations } from './open-data-source.js';
import { Replicas } from './replicas.js';
import { SlowStatements } from './slow-statements.js';
import { StatementRunner } from './statement-runner.js';
import { WriteLog } from './write-log.repository.js';

/**
 * Provides the migrated `DataSource` for DATABASE_URL or the embedded PostgreSQL. Modules register their entities with
 * `TypeOrmModule.forFeature`. Nest shuts global modules down last, so that other modules can use the database until then.
 */
@Global()
@Module({})
export class DatabaseModule {
  /** @param role `client` uses the embedded PostgreSQL of a running server, if there is one */
  static for(role: 'server' | 'client'): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Env],
          useFactory: (env: Env): TypeOrmModuleOptions => ({
            type: 'postgres',
            extra: env, // the factory below receives only these options
            autoLoadEntities: true,
            toRetry: () => false,
          }),
          dataSourceFactory: (options) => openDatabase(role, options),
        }),
      ],
      providers: [
        JoinedTransaction,
        {
          provide: Replicas,
          inject: [DataSource, Env, LOGGER],
          // The CLI reads what it and the server have just written.
          useFactory: (dataSource: DataSource, env: Env, logger: Logger) =>
            new Replicas(dataSource, role === 'server' ? env : new Env(), logger),
        },
        SlowStatements,
        StatementRunner,
        WriteLog,
      ],
      exports: [JoinedTransaction, Replicas, SlowStatements, StatementRunner, WriteLog],
    };
  }
}

/** Runs `work` on the configured database before its migrations. */
export async function withUnmigrated<Result>(
  { DATABASE_URL, DATA_DIR }: Env,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  if (DATABASE_URL !== undefined) return withMigrations({ url: DATABASE_URL }, work);
  const embedded = await openEmbedded(DATA_DIR, 'client');
  return withMigrations(embedded, work).finally(() => embedded.close());
}

/** Imports PGlite only if it is used. */
async function openEmbedded(dataDir: string, role: 'server' | 'client') {
  const embedded = await import('./embedded-postgres.js');
  return embedded.openEmbedded(dataDir, role);
}

async function openDatabase(role: 'server' | 'client', options?: DataSourceOptions): Promise<DataSource> {
  const env: unknown = options?.extra;
  if (!(env instanceof Env)) throw new Error('the options do not include the environment');
  if (env.DATABASE_URL !== undefined)
    return openDataSource({ url: env.DATABASE_URL }, env.DATABASE_POOL_SIZE, options?.entities);
  const embedded = await openEmbedded(env.DATA_DIR, role);
  try {
    const dataSource = await openDataSource(embedded, env.DATABASE_POOL_SIZE, options?.entities);
    const destroy = dataSource.destroy.bind(dataSource);
    return Object.assign(dataSource, {
      destroy: async () => {
        await destroy().finally(() => embedded.close());
      },
    });
  } catch (error) {
    await embedded.close();
    throw error;
  }
}
