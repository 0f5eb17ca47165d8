import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EnvError } from './env.js';
import { PROJECT_DIR } from './project-files.js';

/** An assignment: a name, `=`, and a value that is quoted (possibly over several lines) or ends with its line. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*(?:'[^']*'|"[^"]*"|`[^`]*`|(?!['"`]).*?)[ \t]*(?:#.*)?\r?$/gm;

/** Variables that select the database. If the environment sets one of them, the file cannot set any of them. */
const DATABASE_CHOICE = ['DATABASE_URL', 'DATABASE_URL_FILE', 'EMBEDDED'];

/**
 * Sets the variables of the file `.env` in the directory of package.json, if it exists. The environment takes precedence.
 * @throws EnvError with the number of a line that is not `NAME=value`, which Node.js's parser would skip
 */
export function loadEnvFile(folder = PROJECT_DIR): void {
  const path = join(folder, '.env');
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const rest = text.replaceAll(ASSIGNMENT, (assignment) => assignment.replaceAll(/[^\n]/g, ''));
  const invalidLine = rest.split('\n').findIndex((line) => /^\s*[^#\s]/.test(line));
  if (invalidLine >= 0)
    throw new EnvError(`${path}, line ${invalidLine + 1}: must be NAME=value or a comment`);
  const isChosen = DATABASE_CHOICE.some((name) => process.env[name] !== undefined);
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (!isChosen || !DATABASE_CHOICE.includes(name)) process.env[name] ??= value;
  }
}
