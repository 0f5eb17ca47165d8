import { resolve } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { loadEnvFile, PROJECT_DIR } from './env-file.js';
import { Env, loadEnv } from './env.js';

/** Provides the validated {@link Env}, from the environment and from `.env` beside package.json. */
@Global()
@Module({
  providers: [
    {
      provide: Env,
      useFactory: () => {
        loadEnvFile();
        const env = loadEnv(process.env);
        env.DATA_DIR = resolve(PROJECT_DIR, env.DATA_DIR);
        return env;
      },
    },
  ],
  exports: [Env],
})
export class ConfigModule {}
