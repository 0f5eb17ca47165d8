import { resolve } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { loadEnvFile, PROJECT_DIR } from './env-file.js';
import { Env, loadEnv } from './env.js';

/** Variables of an environment, or the configuration that was made of them. */
export type Environment = NodeJS.ProcessEnv | Env;

const ENVIRONMENT = Symbol('Environment');

/**
 * Provides the validated {@link Env}: from the {@link EnvironmentModule} beside it, or else from the environment
 * of the process and from `.env` beside package.json.
 */
@Global()
@Module({
  providers: [
    {
      provide: Env,
      inject: [{ token: ENVIRONMENT, optional: true }],
      useFactory: (given?: Environment) => {
        if (given === undefined) loadEnvFile();
        const env = given instanceof Env ? given : loadEnv(given ?? process.env);
        env.DATA_DIR = resolve(PROJECT_DIR, env.DATA_DIR);
        return env;
      },
    },
  ],
  exports: [Env],
})
export class ConfigModule {}

/** The environment of an application, in the place of that of the process. */
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
