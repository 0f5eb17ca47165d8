import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cli, environment } from '../support/process.js';
import { UNKNOWN_ID, useCli } from './use-cli.js';

const { server } = useCli();

describe('CLI as a separate process', () => {
  it('prints the same output and exits with the same code', async () => {
    const listProjects = ['project', 'list', '--limit', '1'];
    const unknownOption = ['organization', 'create', '--name', 'x', '--nmae', 'x'];
    const unknownId = ['project', 'list', '--organization', UNKNOWN_ID];
    for (const parameters of [listProjects, unknownOption, unknownId])
      expect(await cli(server.env, ...parameters)).toEqual(await server.cli(...parameters));
  });

  it('exits without an error if the reader closes its output', async () => {
    const command = `"${process.execPath}" dist/src/cli/main.js organization list | true`;
    const { stderr } = await promisify(execFile)('sh', ['-c', command], { env: environment(server.env) });
    expect(stderr).toMatch(/^database: .*\n$/);
  });
});
