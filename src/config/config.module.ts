import { existsSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { Env, loadEnv } from './env.js';

/** Gives every module the validated {@link Env}; a `.env` file in the working directory fills what is not set. */
@Global()
@Module({
  providers: [
    {
      provide: Env,
      useFactory: () => {
        if (existsSync('.env')) process.loadEnvFile('.env');
        return loadEnv(process.env);
      },
    },
  ],
  exports: [Env],
})
export class ConfigModule {}
