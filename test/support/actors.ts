import { commandLine, type LocalActor } from '../../src/platform/auth/actor.js';

/** The actor of what a test prepares without a request. */
export function actorIn(organization_id: string): LocalActor {
  return commandLine('test', organization_id);
}
