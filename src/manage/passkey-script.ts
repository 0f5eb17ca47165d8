import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { assetPath } from '../platform/config/project-files.js';

/** Script of the screens with passkeys, the only screens that need one. Without comments and indentation. */
export const PASSKEY_SCRIPT = readFileSync(assetPath('manage/assets/passkeys.js'), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => !line.startsWith('//') && !(line.startsWith('/**') && line.endsWith('*/')))
  .join('\n');

/** Path of the script. It changes with its content, so that browsers can keep it. */
export const PASSKEY_SCRIPT_PATH = `/manage/passkeys-${createHash('sha256').update(PASSKEY_SCRIPT).digest('hex').slice(0, 12)}.js`;
