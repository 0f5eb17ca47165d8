/** Shares of the connections in the pool of a process. `api` and `visitors` together are all of them. */
export interface ConnectionShares {
  /** Requests of the API. */
  api: number;
  /** Lookups of unknown API keys, of those for the API. */
  key_lookups: number;
  /** Public and private status pages, previews, forms and links of visitors. */
  visitors: number;
  /** Visitors without a session or a known token, such as those at the gate of a private page, of those for visitors. */
  strangers: number;
}

/**
 * Returns who may use how many connections of a pool at the same time. Neither API clients nor visitors can use up the connections
 * of the other. The background work of a process, such as deliveries, waits for its connections without a share.
 * @param poolSize `DATABASE_POOL_SIZE`, at least 2
 */
export function connectionShares(poolSize: number): ConnectionShares {
  const visitors = atLeastOne(poolSize * 0.4);
  const api = poolSize - visitors;
  return { api, key_lookups: atLeastOne(api / 3), visitors, strangers: atLeastOne(visitors / 2) };
}

function atLeastOne(share: number): number {
  return Math.max(1, Math.floor(share));
}
