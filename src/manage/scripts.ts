import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assetPath } from '../platform/config/project-files.js';

/** Script of screens. Its path changes with its content, so that browsers can keep it. */
interface Script {
  path: string;
  text: string;
}

/** Reads a script without comments and indentation. */
function scriptOf(name: string): Script {
  const text = readFileSync(assetPath(`manage/assets/${name}.js`), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|\/?\*)/.test(line))
    .join('\n');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/manage/${name}-${hash}.js`, text };
}

/** Script of the two screens with passkeys. */
export const PASSKEY_SCRIPT = scriptOf('passkeys');

/** Script of all screens of members, which also work without it. */
export const CONSOLE_SCRIPT = scriptOf('console');
