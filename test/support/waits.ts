/** Test files that wait in real time: how often at most, and why time cannot be driven there. */
export const WAITS: Record<string, { times: number; why: string }> = {
  'test/webhooks/fairness.test.ts': {
    times: 4,
    why: 'The pause of an endpoint that has hung is a time in the database, which the worker polls once a second.',
  },
};
