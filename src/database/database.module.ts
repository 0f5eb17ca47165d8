import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../config/env.js';
import { Database } from './database.js';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
import { openDataSource } from './open-data-source.js';

const EMBEDDED_POSTGRES = Symbol('EmbeddedPostgres');

/**
 * The one `DataSource`, open and migrated: on DATABASE_URL where that is set, on the embedded PostgreSQL
 * otherwise. It closes last, when nothing that uses it runs any more (global modules shut down last).
 */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(EMBEDDED_POSTGRES) private readonly embedded: EmbeddedPostgres | null,
  ) {}

  /** @param role who opens the embedded PostgreSQL, see {@link openEmbeddedPostgres} */
  static for(role: 'server' | 'client'): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        Database,
        {
          provide: EMBEDDED_POSTGRES,
          inject: [Env],
          useFactory: (env: Env) => (env.DATABASE_URL ? null : openEmbeddedPostgres(env.DATA_DIR, role)),
        },
        {
          provide: DataSource,
          inject: [Env, EMBEDDED_POSTGRES],
          useFactory: async (env: Env, embedded: EmbeddedPostgres | null) => {
            const connection = embedded ?? { url: env.DATABASE_URL ?? '' };
            try {
              return await openDataSource(connection, env.DATABASE_POOL_SIZE);
            } catch (error) {
              await embedded?.close();
              throw error;
            }
          },
        },
      ],
      exports: [DataSource, Database],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
    await this.embedded?.close();
  }
}
