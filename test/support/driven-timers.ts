import { relative, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

const CLOCK = resolve('test/support/clock.ts');

/** `import { setTimeout as delay } from 'node:timers/promises';` */
const IMPORT = /^import \{([^}]*)\} from 'node:timers\/promises';$/gm;

const TIMERS = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'];

/**
 * Gives the files of `src/` and `packages/` timers that tests drive, and the files of tests timers whose waits are counted
 * (`clock.ts`). Production runs the same files with the timers of Node.js.
 */
export function drivenTimers(): Plugin {
  return {
    name: 'driven-timers',
    enforce: 'pre',
    transform(code, id) {
      const [path = ''] = id.split('?');
      const file = relative(process.cwd(), path);
      const isDriven = /^(src|packages\/[^/]+\/src)\//.test(file);
      if (!isDriven && (!file.startsWith('test/') || file.startsWith('test/support/'))) return undefined;
      const names = TIMERS.filter((name) => new RegExp(`\\b${name}\\(`).test(code));
      const replaced = code
        .replaceAll(
          IMPORT,
          (_line, list: string) => `const {${list.replaceAll(' as ', ': ')}} = timers$.promises;`,
        )
        .replaceAll('AbortSignal.timeout(', 'timers$.abortAfter(');
      if (names.length === 0 && replaced === code) return undefined;
      const head =
        `import { timersOf as timersOf$ } from ${JSON.stringify(CLOCK)}; ` +
        `const timers$ = timersOf$(${JSON.stringify(file)}, ${isDriven}); ` +
        (names.length > 0 ? `const { ${names.join(', ')} } = timers$; ` : '');
      return { code: head + replaced, map: null };
    },
  };
}
