import cluster from 'node:cluster';
import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdSerializers, type Logger } from 'pino';
import { logOutput, reportDroppedLinesTo } from './log-output.js';

/** API keys, and tokens of previews, of access links, of links in mail, and of links and sessions of members. Short prefixes need the whole length. */
const SECRET =
  /((?:sp|pv)_[0-9A-Za-z]{5})[0-9A-Za-z]+|((?:al|ae|ml|mo|ms)_[0-9A-Za-z]{5})[0-9A-Za-z]{41}|(st_[0-9A-Za-z_-]{5})[0-9A-Za-z_-]{49}/g;

/** Truncates each API key and token in a text to its first 8 characters, which logs are allowed to show. */
export function redactKeys(text: string): string {
  return text.replaceAll(SECRET, '$1$2$3…');
}

/**
 * Serializes an error for the log: type, message, stack, code, and cause. Omits all other properties, because a database error
 * also contains the statement's parameters, which are customer data.
 */
export function errorSerializer(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  const { type, message, stack } = stdSerializers.err(new Error(error.message));
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name || type,
    message: redactKeys(message),
    stack: redactKeys(error.stack ?? stack),
    ...(typeof code === 'string' && { code }),
    ...(error.cause !== undefined && { cause: errorSerializer(error.cause) }),
  };
}

/**
 * Creates the structured log: one JSON object per line, with `pid` in a worker of WEB_CONCURRENCY.
 * @param level the minimum level
 * @param fd 1 for standard output (the server), 2 for standard error (the CLI, which prints its result to standard output)
 */
export function createLogger(level: string, fd: 1 | 2): Logger {
  const logger = pino(
    {
      level,
      base: cluster.isWorker ? { pid: process.pid } : null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: errorSerializer },
    },
    fd === 1 ? logOutput() : destination({ dest: fd, sync: true }),
  );
  if (fd === 1) reportDroppedLinesTo(logger);
  return logger;
}

/** Writes Nest's own messages to the structured log. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(
    level: 'fatal' | 'error' | 'warn' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const fields = {
      ...(typeof context === 'string' && { context }),
      ...(message instanceof Error && { err: message }),
    };
    this.logger[level](fields, redactKeys(message instanceof Error ? message.message : String(message)));
  }
}
