// A worker that listens only when it is told to stop, like a worker that gets SIGTERM at the end of its startup.
process.once('SIGTERM', () =>
  process.send({ kind: 'listening', url: 'http://127.0.0.1:1', is_standby: false }, () => process.exit(0)),
);
process.send({});
