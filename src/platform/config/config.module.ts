import { resolve } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { loadEnvFile } from './env-file.js';
import { PROJECT_DIR } from './project-files.js';
import { Env, loadEnv } from './env.js';
import { PublicUrl } from './public-url.js';

/** Environment variables, or a configuration. */
export type Environment = NodeJS.ProcessEnv | Env;

const ENVIRONMENT = Symbol('Environment');

/**
 * Provides the validated {@link Env}, and {@link PublicUrl}, which is derived from it. The source is an imported
 * {@link EnvironmentModule}, or the process environment and the file `.env` in the directory of package.json.
 */
@Global()
@Module({
  providers: [
    {
      provide: Env,
      inject: [{ token: ENVIRONMENT, optional: true }],
      useFactory: (environment?: Environment) => {
        if (environment === undefined) loadEnvFile();
        const env = environment instanceof Env ? environment : loadEnv(environment ?? process.env);
        env.DATA_DIR = resolve(PROJECT_DIR, env.DATA_DIR);
        if (env.MAIL_DIR !== undefined) env.MAIL_DIR = resolve(PROJECT_DIR, env.MAIL_DIR);
        return env;
      },
    },
    PublicUrl,
  ],
  exports: [Env, PublicUrl],
})
export class ConfigModule {}

/** Replaces the process environment: `imports: [EnvironmentModule.of({ EMBEDDED: 'true' })]`. */
@Global()
@Module({})
export class EnvironmentModule {
  static of(environment: Environment): DynamicModule {
    return {
      module: EnvironmentModule,
      providers: [{ provide: ENVIRONMENT, useValue: environment }],
      exports: [ENVIRONMENT],
    };
  }
}
