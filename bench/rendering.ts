// Renders a public page repeatedly without the cache, and prints the CPU time and the size of one rendering as JSON:
//
// DATABASE_URL=… node dist/modules/bench/rendering.js PAGE_ID TIMES
import { brotliCompressSync, constants } from 'node:zlib';
import { createApp } from '../src/create-app.js';
import { PageRenderer } from '../src/page-documents/rendering/page-renderer.service.js';
import { servedLinks } from '../src/page-model/links.js';
import { median } from './measure.js';
import { print } from './print.js';

const [id = '', times = '30'] = process.argv.slice(2);
const WARM_UP = 10;
const QUALITY = 5; // like the service

/** The cost of one rendering. */
export interface Rendering {
  cpu_ms: number;
  brotli_bytes: number;
  bytes: number;
}

const app = await createApp();
await app.init();
const pages = app.get(PageRenderer);
const render = () =>
  pages.render(id, { kind: 'overview' }, (slug) => servedLinks({ public_url: 'http://localhost' }, slug));
const found: number[] = [];
for (let time = 0; time < WARM_UP + Number(times); time++) {
  const before = process.cpuUsage();
  await render();
  const { user, system } = process.cpuUsage(before);
  if (time >= WARM_UP) found.push((user + system) / 1000);
}
const body = Buffer.from((await render())?.body ?? '');
const compressed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
const result: Rendering = {
  cpu_ms: median(found),
  brotli_bytes: compressed.length,
  bytes: body.length,
};
print(JSON.stringify(result));
await app.close();
