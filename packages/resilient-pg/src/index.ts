export { Hosts } from './hosts.js';
export { LargeText, partsOf } from './large-text.js';
export { joinPackets } from './one-packet.js';
export { PipelinedConnection } from './pipelined-connection.js';
export { driver, Pool, type PoolSettings } from './pool.js';
export {
  checkPostgresUrl,
  checkReplicaUrls,
  parsePostgresUrl,
  type PostgresUrl,
  splitPostgresUrls,
} from './postgres-url.js';
export { CHECK_MS, readPosition, Replica, type Sample } from './replica.js';
export { SharedReads } from './shared-reads.js';
export { type StatementEnd, StatementEvents } from './statement-events.js';
export { type NamedStatement, nameStatement } from './statement-name.js';
export { allowLong, atLeastOne, type Bounds, CONNECT_MS, SESSION_BOUNDS } from './statement-timeouts.js';
export { databaseLabel, DatabaseUnavailableError, hostLabel, PROTOCOL_VIOLATION } from './unavailable.js';
