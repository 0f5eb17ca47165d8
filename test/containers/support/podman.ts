import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The output of a command, and its exit code. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Options of every container: as docs/install.md recommends, on the network of this machine. */
const HARDENED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--network=host'];
/** The default exceeds the limit of root on some machines. */
const LIMITS = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=1024:1024'];

/** Podman with separate images and containers in a temporary directory. */
export class Podman {
  private constructor(readonly directory: string) {}

  static async create(): Promise<Podman> {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-containers-'));
    await mkdir(join(directory, 'tmp'));
    return new Podman(directory);
  }

  /**
   * Runs a podman command.
   * @throws Error with its output, if it fails
   */
  async run(...parameters: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(...parameters);
    if (code !== 0) throw new Error(`podman ${parameters.join(' ')}\n${stdout}\n${stderr}`);
    return stdout.trim();
  }

  /** Runs a podman command that may fail. */
  async try(...parameters: string[]): Promise<Ended> {
    const { directory } = this;
    const own = [`--root=${directory}/images`, `--runroot=${directory}/run`, `--tmpdir=${directory}/tmp`];
    const how = ['--cgroup-manager=cgroupfs', '--runtime=runc', '--events-backend=none', '--log-level=fatal'];
    const options = { maxBuffer: 64 * 1024 * 1024 };
    try {
      const printed = await promisify(execFile)('podman', [...own, ...how, ...parameters], options);
      return { code: 0, ...printed };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error)) throw error;
      return { code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) };
    }
  }

  /** Starts a container in the background, read-only and without privileges. Returns its ID. */
  async start(image: string, env: Record<string, string>, ...parameters: string[]): Promise<string> {
    const variables = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
    return this.run('run', '--detach', ...HARDENED, ...LIMITS, ...variables, ...parameters, image);
  }

  /** Removes all containers and images. */
  async destroy(): Promise<void> {
    await this.try('rm', '--all', '--force', '--volumes', '--time=0');
    await this.try('rmi', '--all', '--force');
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
