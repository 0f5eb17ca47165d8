import { execFileSync } from 'node:child_process';
import { rmdirSync } from 'node:fs';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = 64 * 1_024;

/** A file system of a few MiB. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  static async mount(mebibytes: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'status-pages-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'tmpfs', path]);
    return new SmallDisk(path);
  }

  /** Fills the disk to the last byte. */
  async fill(): Promise<void> {
    const file = await open(this.filler, 'a');
    try {
      for (;;) await file.write(Buffer.alloc(CHUNK));
    } catch {
      // Full.
    } finally {
      await file.close();
    }
    if ((await statfs(this.path)).bavail > 0) throw new Error('the disk is not full');
  }

  /** Frees the space that `fill` took. */
  async free(): Promise<void> {
    await rm(this.filler);
  }

  resize(mebibytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${mebibytes}m`, this.path]);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path]);
    rmdirSync(this.path);
  }

  private get filler(): string {
    return join(this.path, 'filler');
  }
}
