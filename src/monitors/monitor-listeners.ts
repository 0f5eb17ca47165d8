import type { EntityManager } from 'typeorm';
import type { Actor } from '../platform/auth/actor.js';
import type { OwnMonitor } from './monitors.repository.js';

/** A listener in the transaction of a change, in which the monitor is locked. */
export type Listener = (monitor: OwnMonitor, manager: EntityManager) => Promise<void>;

/** A {@link Listener} that also receives the actor that deletes the monitor. */
export type DeleteListener = (monitor: OwnMonitor, manager: EntityManager, actor: Actor) => Promise<void>;

/** Work of another module before the transaction of a deletion. */
export type Preparation = (monitor: OwnMonitor, actor: Actor) => Promise<void>;
