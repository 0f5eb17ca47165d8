import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The most that `RATE_LIMIT` can be. */
export const MAX_RATE_LIMIT = 1_000_000_000;

/** An integer from `min` to `max` in decimal digits. */
function Integer(min: number, max: number): PropertyDecorator {
  const message = `must be an integer from ${min} to ${max}`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** "true" and "false" become booleans; anything else stays as it is, so that validation refuses it. */
const ToBoolean = () =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));

/**
 * The configuration: environment variables, each with its default and its bounds.
 * `.env.example` lists the same; a variable set to the empty string counts as not set.
 */
export class Env {
  /** Address to listen on. */
  @IsNotEmpty({ message: 'must be a host name or an IP address' })
  HOST: string = '127.0.0.1';

  /** TCP port to listen on, 0 to 65535; 0 takes a free one. */
  @Integer(0, 65535)
  PORT: number = 3000;

  /** PostgreSQL 15 or later. Not set: PostgreSQL embedded in this process, with its files in DATA_DIR. */
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a URL that starts with postgres:// or postgresql://' })
  DATABASE_URL?: string = undefined;

  /** Connections to PostgreSQL at the most, 2 to 1000. */
  @Integer(2, 1000)
  DATABASE_POOL_SIZE: number = 10;

  /** Whether statements that run often are prepared, and named; not behind PgBouncer before 1.21 in transaction mode. */
  @ToBoolean()
  @IsBoolean({ message: 'must be true or false' })
  PREPARED_STATEMENTS: boolean = true;

  /** Folder of the embedded PostgreSQL; made when it is not there. Unused with DATABASE_URL. */
  @IsNotEmpty({ message: 'must be the path of a folder' })
  DATA_DIR: string = './data';

  /** Whether the first start of the embedded PostgreSQL makes demo data and prints a key. */
  @ToBoolean()
  @IsBoolean({ message: 'must be true or false' })
  DEMO: boolean = true;

  /** The least level of what is logged. */
  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** Seconds that running requests get to finish after SIGTERM, 0 to 600. */
  @Integer(0, 600)
  SHUTDOWN_TIMEOUT: number = 25;

  /** Requests a minute for each API key, and for each address without a valid one, 0 to 1000000000; 0: no limit. */
  @Integer(0, MAX_RATE_LIMIT)
  RATE_LIMIT: number = 0;
}

/** A variable of the environment is not valid. The message names it and what is allowed, never its value. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/**
 * Reads the variables of {@link Env} from `source`; others are none of our business.
 * @throws EnvError naming each variable that is not valid
 */
export function loadEnv(source: NodeJS.ProcessEnv): Env {
  const known = new Set(Object.keys(new Env()));
  const given = Object.fromEntries(
    Object.entries(source).filter(([name, value]) => known.has(name) && value !== ''),
  );
  const env = plainToInstance(Env, given);
  const faults = validateSync(env).map(
    ({ property, constraints }) => `${property} ${Object.values(constraints ?? {})[0]}`,
  );
  if (faults.length > 0) throw new EnvError(faults.join('\n'));
  return env;
}
