import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { UNKNOWN_ID, useCli, useDemo } from './use-cli.js';

const { call, expectFault } = useCli();
const demo = useDemo({ call });

const CREATE_KEY = ['api-key', 'create', '--name', 'x'];

describe('invalid CLI call', () => {
  it.each<[RegExp, ...string[]]>([
    [/unknown option '--nmae'/, 'organization', 'create', '--name', 'x', '--nmae', 'x'],
    [/organization .* does not exist/, 'project', 'create', '--name', 'x', '--organization', UNKNOWN_ID],
    [/API key not found/, 'api-key', 'revoke', UNKNOWN_ID],
    [/organization .* does not exist/, 'project', 'list', '--organization', UNKNOWN_ID],
    [/organization .* does not exist/, 'api-key', 'list', '--organization', UNKNOWN_ID],
    [/project .* does not exist/, 'monitor', 'list', '--project', UNKNOWN_ID],
  ])('fails with an error message: %s', async (line, ...parameters) => {
    await expectFault(line, ...parameters);
  });

  it('fails for a project of another organization', async () => {
    const scope = ['--scope', 'status_pages:read', '--organization', '00000000-0000-7000-8000-000000000001'];
    await expectFault(
      /does not belong to organization/,
      ...CREATE_KEY,
      ...scope,
      '--project',
      demo.project_id,
    );
  });

  it.each<[RegExp, ...string[]]>([
    [/unknown command 'bogus'/, 'bogus'],
    [/--name/, 'organization', 'create'],
    [/1 to 200 characters/, 'organization', 'create', '--name', ''],
    [/non-whitespace/, 'organization', 'create', '--name', '  '],
    [/UUID/, 'project', 'create', '--name', 'x', '--organization', 'x'],
    [/--project/, 'monitor', 'create', '--name', 'x'],
    [/--scope/, ...CREATE_KEY],
    [/must be one of status_pages:read, status_pages:write/, ...CREATE_KEY, '--scope', 'pages:read'],
    [/integer from 1/, ...CREATE_KEY, '--scope', 'status_pages:read', '--expires-in', '0'],
    [/integer from 1/, ...CREATE_KEY, '--scope', 'status_pages:read', '--expires-in', '1e3'],
    [/UUID, or the first 8 characters/, 'api-key', 'revoke', 'x'],
    [/UUID, or the first 8 characters/, 'api-key', 'revoke', `sp_${'x'.repeat(46)}`],
    [/cannot be used with option/, ...CREATE_KEY, '--all-scopes', '--scope', 'projects:read'],
    [/--project/, 'monitor', 'list'],
    [/integer from 1 to 100/, 'organization', 'list', '--limit', '101'],
    [/next_cursor value from a previous list/, 'project', 'list', '--cursor', 'x'],
    [/missing required argument/, 'import', 'statuspage', '--project', UNKNOWN_ID],
    [/--project/, 'import', 'upptime', 'x', '--dry-run'],
    [/unknown command 'bogus'/, 'import', 'bogus', 'x'],
    [/integer from 0 to 10000/, 'demo', '--pages', '-1'],
    [/integer from 0 to 10000/, 'demo', '--pages', '10001'],
  ])('fails before the database is opened: %s', async (line, ...parameters) => {
    const lines: string[] = [];
    const stderr = { write: (text: string) => lines.push(text) };
    const open = () => Promise.reject(new Error('it was opened'));
    const program = createProgram(open, open, {
      stdout: process.stdout,
      stderr,
    });
    await expect(program.parseAsync(parameters, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
    expect(lines).toEqual([expect.stringMatching(/^error: [^\n]+\n$/)]);
    expect(lines[0]).toMatch(line);
  });
});
