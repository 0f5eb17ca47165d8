import { expect, it } from 'vitest';
import { TaskThread } from '../../src/platform/server/task-thread.js';
import { until } from '../support/server.js';

it('task threads are replaced after they exit while idle', async () => {
  const source = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (task) => {
      parentPort.postMessage(task);
      setTimeout(() => process.exit(), 50);
    });`;
  const entry = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const thread = new TaskThread<string, string>(entry, { taskMs: 10_000, heapMb: 64 });
  let hasEnded = false;
  expect(await thread.run('task')).toBe('task');
  thread.endAfter(600_000, () => (hasEnded = true));
  await until(async () => hasEnded);
});
