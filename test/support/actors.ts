import { type Actor, commandLine } from '../../src/platform/auth/actor.js';

/** The actor of what a test prepares without a request. */
export function actorIn(organization_id: string): Actor {
  return commandLine('test', organization_id);
}
