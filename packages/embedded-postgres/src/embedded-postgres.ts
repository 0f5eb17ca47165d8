import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, realpath, rm, stat, type FileHandle } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { openDatabaseFiles } from './data-directory.js';
import { type EmbeddedPostgresOptions, Settings } from './options.js';
import { WireServer } from './wire-server.js';

const SOCKET_NAME = '.s.PGSQL.5432';
const MAX_SOCKET_PATH_BYTES = 100; // bytes; macOS allows 103, Linux 107
const LOCK_TIMEOUT_MS = 30_000;
const CLOSE_GRACE_MS = 3_000;

/** An open embedded PostgreSQL, in this process or in another one. */
export interface EmbeddedPostgres {
  /** Directory of its socket, for the option `host` of `pg`. */
  socketDir: string;
  close(): Promise<void>;
}

/**
 * Opens the PostgreSQL in `dataDir`, and creates it if it does not exist.
 *
 * PGlite does not lock its files, and two processes would lose data without an error. A process therefore holds a kernel lock on
 * `dataDir/lock`, which ends with the process. If another process holds the lock:
 * - a `server` fails if the other process is a running server;
 * - a `client` (such as a command line) connects to the socket of a running server;
 * - both wait for up to 30 seconds if a server is starting or stopping, or if a client holds the lock.
 *
 * @throws Error if another server holds the lock, or after 30 seconds
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  role: 'server' | 'client',
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const settings = new Settings(options);
  const { applicationName, directoryName } = settings;
  const { directory, serverSocketDir, lock } = await lockOrFindServer(dataDir, settings);
  if (!lock) {
    if (role === 'client') return { socketDir: serverSocketDir, close: () => Promise.resolve() };
    throw new Error(`${directoryName} is in use by another server. Stop it, or set another ${directoryName}`);
  }
  // The socket of a client is private, because other processes would lose their connection when the client exits.
  const socketDir =
    role === 'server' ? serverSocketDir : await mkdtemp(join(tmpdir(), `${applicationName}-`));
  try {
    return await openLocked(directory, lock, socketDir, role, settings);
  } catch (error) {
    await lock.close();
    throw error;
  }
}

/**
 * Acquires the lock of a data directory, or finds the socket of the server that holds it.
 * @returns `lock` is undefined if a server is running
 * @throws Error if another process holds the lock for 30 seconds
 */
export async function lockOrFindServer(
  dataDir: string,
  { applicationName, directoryName }: Settings,
): Promise<{ directory: string; serverSocketDir: string; lock: FileHandle | undefined }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${directoryName} cannot be created: ${error.code}`);
  });
  const directory = await realpath(dataDir);
  const serverSocketDir = await socketDirOf(directory, applicationName);
  const lock = await open(join(directory, 'lock'), 'a', 0o600);
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  while (!tryLock(lock.fd)) {
    if (await isListening(join(serverSocketDir, SOCKET_NAME))) {
      await lock.close();
      return { directory, serverSocketDir, lock: undefined };
    }
    if (Date.now() > deadline) {
      await lock.close();
      throw new Error(
        `${directoryName} is in use by another process. Wait until it exits, or set another ${directoryName}`,
      );
    }
    await delay(50);
  }
  return { directory, serverSocketDir, lock };
}

async function openLocked(
  directory: string,
  lock: FileHandle,
  socketDir: string,
  role: 'server' | 'client',
  settings: Settings,
): Promise<EmbeddedPostgres> {
  const engine = await openDatabaseFiles(directory, settings);
  const socket = join(socketDir, SOCKET_NAME);
  await rm(socket, { force: true }); // left by a killed process, because this one holds the lock
  const server = new WireServer(engine, settings.applicationName);
  await server.listen(socket);
  return {
    socketDir,
    close: async () => {
      // After the grace period, connections are closed and open transactions rolled back.
      await server.close(CLOSE_GRACE_MS);
      await engine.close();
      await rm(role === 'server' ? socket : socketDir, { recursive: true, force: true });
      await lock.close();
    },
  };
}

/**
 * Returns the private directory of the server's socket. It is in the data directory, or in the temporary directory if that path is too
 * long for a socket.
 */
async function socketDirOf(directory: string, applicationName: string): Promise<string> {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const inside = join(directory, 'run');
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
  const folder = fits ? inside : join(tmpdir(), `${applicationName}-${digest}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new Error(
      `${folder} must belong to the current user and have mode 0700. Remove it, or change its owner and mode`,
    );
  }
  return folder;
}

/** Returns whether a process listens on the socket. */
async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
