import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, realpath, rm, stat, type FileHandle } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { openDatabaseFiles } from './data-directory.js';
import { WireServer } from './wire-server.js';

const SOCKET_NAME = '.s.PGSQL.5432';
const LONGEST_SOCKET_PATH = 100; // bytes; macOS allows 103, Linux 107
const WAIT_MS = 30_000;
const GUESTS_MS = 3_000;

/** An open embedded PostgreSQL, or a way to the one that another process has open. */
export interface EmbeddedPostgres {
  /** The folder of its socket, as `pg` takes it for a host. */
  socket_dir: string;
  close(): Promise<void>;
}

/**
 * Opens the PostgreSQL in `dataDir`, making it when it is not there.
 *
 * PGlite does not lock its files, and two processes on them lose data without an error. So whoever opens
 * them holds a lock of the kernel's on `dataDir/lock`, which ends with the process, however that ends:
 * - a `server` that finds another server there is refused;
 * - a `client` (the CLI) that finds a server there goes through that server's socket;
 * - either waits, up to 30 seconds, for one that is starting, stopping, or a CLI call.
 *
 * @throws Error when another server has it, or when waiting took too long
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  role: 'server' | 'client',
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`DATA_DIR cannot be created: ${error.code}`);
  });
  const directory = await realpath(dataDir);
  const serverSocketDir = await socketDirOf(directory);
  const lock = await open(join(directory, 'lock'), 'a', 0o600);
  const deadline = Date.now() + WAIT_MS;
  while (!tryLock(lock.fd)) {
    if (await answers(join(serverSocketDir, SOCKET_NAME))) {
      await lock.close();
      if (role === 'client') return { socket_dir: serverSocketDir, close: () => Promise.resolve() };
      throw new Error('DATA_DIR is in use by another server: stop it, or set another DATA_DIR');
    }
    if (Date.now() > deadline) {
      await lock.close();
      throw new Error('DATA_DIR is in use by another process: wait until it ends, or set another DATA_DIR');
    }
    await delay(50);
  }
  // A CLI call opens no door to others: it is gone in a moment, and what they run would go with it.
  const socketDir = role === 'server' ? serverSocketDir : await mkdtemp(join(tmpdir(), 'status-pages-'));
  try {
    return await openLocked(directory, lock, socketDir, role);
  } catch (error) {
    await lock.close();
    throw error;
  }
}

async function openLocked(
  directory: string,
  lock: FileHandle,
  socketDir: string,
  role: 'server' | 'client',
): Promise<EmbeddedPostgres> {
  const engine = await openDatabaseFiles(directory);
  const socket = join(socketDir, SOCKET_NAME);
  await rm(socket, { force: true }); // left by a process that was killed: the lock says nobody has it
  const server = new WireServer(engine);
  await server.listen(socket);
  return {
    socket_dir: socketDir,
    close: async () => {
      // CLI calls that go through this server get a moment to finish; what they have not committed is rolled back.
      await server.close(GUESTS_MS);
      await engine.close();
      await rm(role === 'server' ? socket : socketDir, { recursive: true, force: true });
      await lock.close();
    },
  };
}

/**
 * The folder of the server's socket, for its owner alone: in the data directory, or, where that path is too long for a
 * socket, under the system's temporary one.
 */
async function socketDirOf(directory: string): Promise<string> {
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const inside = join(directory, 'run');
  const fits = Buffer.byteLength(join(inside, SOCKET_NAME)) <= LONGEST_SOCKET_PATH;
  const folder = fits ? inside : join(tmpdir(), `status-pages-${digest}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await stat(folder);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new Error(
      `${folder} must belong to you alone (mode 0700): remove it, or change its owner and mode`,
    );
  }
  return folder;
}

/** Whether a process listens on a socket. */
async function answers(path: string): Promise<boolean> {
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
