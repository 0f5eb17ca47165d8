/** Test files that wait in real time: how often at most, and why time cannot be driven there. */
export const WAITS: Record<string, { times: number; why: string }> = {
  'test/webhooks/channel.test.ts': {
    times: 8,
    why: 'A delivery without a slot is postponed to a time in the database. Each of two loops polls once a second.',
  },
  'test/deliveries/worker.test.ts': {
    times: 6,
    why: 'After an outage, two loops and the writer of results each wait for a second until the database is back.',
  },
  'test/webhooks/fairness.test.ts': {
    times: 14,
    why: 'The pause of an endpoint that has hung is a time in the database, which the worker polls once a second.',
  },
};
