import { plainToInstance } from 'class-transformer';
import { IsBoolean, IsIn, IsNotEmpty, ValidateBy, ValidateIf, validateSync } from 'class-validator';
import leven from 'leven';
import { Integer, Satisfies, ToBoolean } from './env-rules.js';
import { checkPostgresUrl, checkReplicaUrls } from '@status-pages/resilient-pg';
import { mailErrorsOf } from './mail-env.js';
import { OidcEnv, oidcErrorsOf } from './oidc-env.js';
import { isRedisUrl } from './redis-url.js';
import { FILE_SUFFIX, readSecretFiles, SECRETS } from './secret-files.js';
import { MAX_PROXIES, parseTrustedProxies } from './trusted-proxies.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Maximum of a rate limit. */
const MAX_RATE_LIMIT = 1_000_000_000;

const MAX_PUBLIC_URL = 2_000;

/** Format of a slug (`status-pages/slug.ts`). */
const SLUG = /^(?=.{1,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** Returns whether a text is a valid `PUBLIC_URL`. */
export function isPublicUrl(url: unknown): boolean {
  const form = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/;
  return typeof url === 'string' && url.length <= MAX_PUBLIC_URL && form.test(url) && URL.canParse(url);
}

function isHttpUrl(url: unknown): boolean {
  return typeof url === 'string' && /^https?:\/\/[^\s]+$/.test(url) && URL.canParse(url);
}

/**
 * The configuration: environment variables with their defaults and limits, as in `.env.example`. An empty variable counts as
 * unset, except for DATABASE_URL, where it is an error.
 */
export class Env extends OidcEnv {
  /** Address to listen on. */
  @IsNotEmpty({ message: 'must be a host name or an IP address' })
  HOST: string = '127.0.0.1';

  /** TCP port to listen on, 0 to 65535; 0 selects a free port. */
  @Integer(0, 65535)
  PORT: number = 3000;

  /** Public URL of the server, for links in pages and feeds. Default: http://localhost with the port. */
  @Satisfies(
    isPublicUrl,
    `must be a URL of at most ${MAX_PUBLIC_URL} characters that starts with http:// or https://, without user, query and fragment`,
  )
  PUBLIC_URL?: string = undefined;

  /** Slug of the status page that is served at `/` instead of `/status/{slug}`. */
  @Satisfies(
    (slug) => typeof slug === 'string' && SLUG.test(slug),
    'must be the slug of a status page: 1 to 63 lower-case letters and digits, in parts joined by single "-"',
  )
  HOME_PAGE?: string = undefined;

  /** URL of PostgreSQL 15 or later, with one or more hosts. Required unless EMBEDDED is true. */
  @ValidateIf((_env, value) => value !== undefined)
  @ValidateBy({
    name: 'isPostgresUrl',
    validator: {
      validate: (url) => checkPostgresUrl(url) === undefined,
      defaultMessage: (validation) => checkPostgresUrl(validation?.value) ?? '',
    },
  })
  DATABASE_URL?: string = undefined;

  /** URLs of replicas of DATABASE_URL that serve lists and reads, separated by spaces or commas. One host per URL. */
  @ValidateIf((_env, value) => value !== undefined)
  @ValidateBy({
    name: 'areReplicaUrls',
    validator: {
      validate: (urls) => checkReplicaUrls(urls) === undefined,
      defaultMessage: (validation) => checkReplicaUrls(validation?.value) ?? '',
    },
  })
  DATABASE_REPLICA_URLS?: string = undefined;

  /** Uses the embedded PostgreSQL, with its files in DATA_DIR, instead of DATABASE_URL. */
  @ToBoolean()
  @IsBoolean({ message: 'must be true or false' })
  EMBEDDED: boolean = false;

  /** Maximum number of pooled PostgreSQL connections per process, 2 to 1000. */
  @Integer(2, 1000)
  DATABASE_POOL_SIZE: number = 10;

  /** Whether frequent statements are prepared. Must be false behind PgBouncer before 1.21 in transaction mode. */
  @ToBoolean()
  @IsBoolean({ message: 'must be true or false' })
  PREPARED_STATEMENTS: boolean = true;

  /**
   * Directory for the embedded PostgreSQL and for saved copies of public pages, which are served while the database is down.
   * Created if missing.
   */
  @IsNotEmpty({ message: 'must be the path of a directory' })
  DATA_DIR: string = './data';

  /** Whether the first start of the embedded PostgreSQL creates demo data and prints a key. */
  @ToBoolean()
  @IsBoolean({ message: 'must be true or false' })
  DEMO: boolean = true;

  /** Whether members can sign in to the console at `/manage`. */
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  CONSOLE: 'on' | 'off' = 'on';

  /** Minimum log level. */
  @IsIn(LOG_LEVELS, { message: `must be one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  /** Seconds for in-flight requests to finish after SIGTERM, 0 to 600. */
  @Integer(0, 600)
  SHUTDOWN_TIMEOUT: number = 25;

  /**
   * Requests per minute for each API key, and ten times as many for each organization, 0 to 1000000000; 0 disables the limit.
   */
  @Integer(0, MAX_RATE_LIMIT)
  RATE_LIMIT: number = 600;

  /** Failed authentications per minute for each client address, 0 to 1000000000; 0 disables the limit. */
  @Integer(0, MAX_RATE_LIMIT)
  AUTH_RATE_LIMIT: number = 60;

  /** URL of the Redis in which all servers share their request counts. If unset, each server counts separately. */
  @Satisfies(
    isRedisUrl,
    'must be a URL such as redis://user:password@host:6379/0, or rediss:// for TLS, without query and fragment',
  )
  REDIS_URL?: string = undefined;

  /**
   * Proxies whose `X-Forwarded-For` is trusted: their number, or their addresses and networks. If unset, no proxy is trusted.
   */
  @Satisfies(
    (text) => typeof text === 'string' && parseTrustedProxies(text) !== undefined,
    `must be a number of proxies from 0 to ${MAX_PROXIES}, or a list of addresses, networks such as 10.0.0.0/8, and the names loopback, linklocal and uniquelocal`,
  )
  TRUST_PROXY?: string = undefined;

  /** Number of processes that share the port, 1 to 64. Requires DATABASE_URL. */
  @Integer(1, 64)
  WEB_CONCURRENCY: number = 1;

  /** Seconds between SIGTERM, when readiness becomes 503, and the end of new connections, 0 to 600. */
  @Integer(0, 600)
  DRAIN_DELAY: number = 0;

  /** Address of the admin server. */
  @IsNotEmpty({ message: 'must be a host name or an IP address' })
  ADMIN_HOST: string = '127.0.0.1';

  /**
   * Port of the admin server with metrics and health checks, 0 to 65535; 0 selects a free port. If unset, there is no admin
   * server.
   */
  @ValidateIf((_env, value) => value !== undefined)
  @Integer(0, 65535)
  ADMIN_PORT?: number = undefined;

  /** Days for which the log of changes is kept, 30 to 3650. */
  @Integer(30, 3_650)
  EVENTS_KEPT_DAYS: number = 400;

  /** Statements that take longer than this are logged, in milliseconds, 0 to 60000; 0 disables it. */
  @Integer(0, 60_000)
  SLOW_STATEMENT_MS: number = 500;

  /** URL of an OpenTelemetry collector, for traces by OTLP over HTTP. If unset, OpenTelemetry is not loaded. */
  @Satisfies(isHttpUrl, 'must be a URL that starts with http:// or https://')
  OTEL_EXPORTER_OTLP_ENDPOINT?: string = undefined;
}

/** Thrown for an invalid environment variable. The message contains the name and the rule, never the value. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
}

/**
 * Reads the variables of {@link Env} from `source`; ignores other variables.
 * @throws EnvError with all invalid variables
 */
export function loadEnv(source: NodeJS.ProcessEnv): Env {
  const known = new Set(Object.keys(new Env()));
  const secrets = readSecretFiles(source);
  const values = Object.fromEntries(
    Object.entries({ ...source, ...secrets.values }).filter(
      ([name, value]) => known.has(name) && (value !== '' || name === 'DATABASE_URL'),
    ),
  );
  const env = plainToInstance(Env, values);
  const errors = validateSync(env).map(
    ({ property, constraints }) => `${property} ${Object.values(constraints ?? {})[0]}`,
  );
  errors.push(...secrets.errors);
  const { DATABASE_URL, DATABASE_REPLICA_URLS, EMBEDDED, WEB_CONCURRENCY } = env;
  if (secrets.errors.length === 0 && DATABASE_URL === undefined && EMBEDDED === false)
    errors.push('DATABASE_URL must be set, or EMBEDDED=true for the embedded PostgreSQL');
  if (DATABASE_URL !== undefined && EMBEDDED === true)
    errors.push('EMBEDDED must not be true if DATABASE_URL is set');
  if (DATABASE_REPLICA_URLS !== undefined && EMBEDDED === true)
    errors.push('DATABASE_REPLICA_URLS must not be set if EMBEDDED is true');
  if (EMBEDDED === true && WEB_CONCURRENCY > 1)
    errors.push('WEB_CONCURRENCY must be 1 with the embedded PostgreSQL, which supports only one process');
  errors.push(...mailErrorsOf(env), ...oidcErrorsOf(env));
  if (errors.length > 0) throw new EnvError(errors.join('\n'));
  return env;
}

const MIN_LENGTH = 6; // shorter names resemble variables of other software
const MAX_EDITS = 2;

/** Returns a warning for each name in `source` that resembles a variable of {@link Env}, such as `RATE_LIMT`. */
export function findMisspelledNames(source: NodeJS.ProcessEnv): string[] {
  const known = [...Object.keys(new Env()), ...SECRETS.map((name) => `${name}${FILE_SUFFIX}`)];
  return Object.keys(source)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const similar = known.find(
        (one) => one.length >= MIN_LENGTH && leven(name, one, { maxDistance: MAX_EDITS + 1 }) <= MAX_EDITS,
      );
      return similar ? [`The variable ${name} is unknown and ignored. Did you mean ${similar}?`] : [];
    });
}
