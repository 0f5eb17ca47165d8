import cluster from 'node:cluster';

// For `node --import`: SIGUSR2 keeps the event loop of a worker busy for seconds.
const BUSY_MS = 6_000;
if (cluster.isWorker)
  process.on('SIGUSR2', () => {
    const end = performance.now() + BUSY_MS;
    while (performance.now() < end);
  });
