// A worker that listens immediately, and exits when it is told to.
process.once('SIGTERM', () => process.exit(0));
process.send({ kind: 'listening', url: 'http://127.0.0.1:1', is_standby: false });
