// A worker that listens when it is told to stop, as one does that SIGTERM meets at the end of its start.
process.once('SIGTERM', () =>
  process.send({ kind: 'listening', url: 'http://127.0.0.1:1', is_standby: false }, () => process.exit(0)),
);
process.send({});
