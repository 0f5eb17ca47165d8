import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Certificates created by the command `openssl`, in a separate directory. */
export class Certificates {
  private constructor(readonly directory: string) {}

  static async create(): Promise<Certificates> {
    return new Certificates(await mkdtemp(join(tmpdir(), 'status-pages-certificates-')));
  }

  /** Creates a CA, as `NAME.crt` and `NAME.key`. */
  async authority(name: string): Promise<void> {
    await this.openssl('req', '-x509', '-subj', `/CN=${name}`, '-days', '2', ...this.newKey(name));
  }

  /** Creates a certificate of a CA, as `NAME.crt` and `NAME.key`. */
  async issue(authority: string, name: string, host = 'unused.example'): Promise<void> {
    const by = ['-CA', this.path(`${authority}.crt`), '-CAkey', this.path(`${authority}.key`)];
    const extensions = [
      '-addext',
      `subjectAltName=DNS:${host}`,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ];
    await this.openssl(
      'req',
      '-x509',
      '-subj',
      `/CN=${name}`,
      '-days',
      '2',
      ...by,
      ...extensions,
      ...this.newKey(name),
    );
  }

  /** Creates a certificate of a CA that has expired a day ago. */
  async issueExpired(authority: string, name: string): Promise<void> {
    const [request, certificate] = [this.path(`${name}.csr`), this.path(`${name}.crt`)];
    const by = ['-CA', this.path(`${authority}.crt`), '-CAkey', this.path(`${authority}.key`)];
    await this.openssl('req', '-new', '-subj', `/CN=${name}`, ...this.newKey(name), '-out', request);
    await this.openssl('x509', '-req', '-in', request, ...by, '-days', '-1', '-out', certificate);
  }

  private newKey(name: string): string[] {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    return [...key, '-keyout', this.path(`${name}.key`), '-out', this.path(`${name}.crt`)];
  }

  path(file: string): string {
    return join(this.directory, file);
  }

  async read(file: string): Promise<string> {
    return readFile(this.path(file), 'utf8');
  }

  async destroy(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  private async openssl(...parameters: string[]): Promise<void> {
    await promisify(execFile)('openssl', parameters);
  }
}
