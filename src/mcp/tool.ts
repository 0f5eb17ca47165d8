import type { Type } from '@nestjs/common';
import type { Actor } from '../platform/auth/actor.js';
import type { Scope } from '../platform/auth/scopes.js';
import { validationFailed } from '../platform/problems/problem.js';
import { validate } from '../platform/validation/validate.js';

/** Hints from which a client decides whether to ask a person first (MCP, "Tool annotations"). */
interface Annotations {
  readOnlyHint: boolean;
  /** Whether it replaces or removes something. */
  destructiveHint: boolean;
  /** Whether a repeated call with the same arguments changes nothing further. */
  idempotentHint: boolean;
  /** Whether people or systems outside receive something, by email or webhooks. */
  openWorldHint: boolean;
}

/** Annotations of a tool that only reads. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Annotations of a tool that adds something of which subscribers are notified. */
export const PUBLISHES: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Annotations of a tool that replaces values, of which subscribers can be notified. */
export const REPLACES: Annotations = { ...PUBLISHES, destructiveHint: true, idempotentHint: true };

/** A resource or a list, as an operation of the REST API returns it. */
export interface ToolResult {
  data: unknown;
  pagination?: object;
  dry_run?: object;
}

interface ToolFields {
  /** In snake_case, unique. */
  name: string;
  title: string;
  /** Effect of the tool, and who is notified, for the model that chooses the tool. */
  description: string;
  scope: Scope;
  annotations: Annotations;
  /** DTO of `data`, or of its items. A result contains no other fields. */
  output: Type<object>;
  isList?: boolean;
}

/** A tool. */
export interface Tool extends ToolFields {
  /** DTO of the arguments. */
  input: Type<object>;
  /** Returns the resource that the tool changes, for its dry run. Missing if the tool makes a new one. */
  read?: ((actor: Actor, values: object) => Promise<unknown>) | undefined;
  /**
   * Validates the arguments, and runs the tool.
   * @throws Problem 400 `validation_failed` with a JSON Pointer for each invalid argument; the errors of the service
   */
  call: (actor: Actor, values: object) => Promise<ToolResult>;
}

/**
 * Declares a tool. Its arguments are validated like a request body of the REST API.
 *
 *     tool({ name: 'list_events', input: ListEventsQuery, output: EventDto, isList: true, …,
 *       run: (actor, query) => this.events.list(actor, query) })
 *
 * @param definition.run calls the service of the REST operation
 */
export function tool<Input extends object>({
  run,
  read,
  ...definition
}: ToolFields & {
  input: Type<Input>;
  read?: (actor: Actor, input: Input) => Promise<unknown>;
  run: (actor: Actor, input: Input) => Promise<ToolResult>;
}): Tool {
  const inputOf = (values: object): Input => {
    const { instance, errors } = validate(definition.input, { ...values }, 'body');
    if (errors.length > 0) throw validationFailed(errors);
    return instance;
  };
  return {
    ...definition,
    read: read && ((actor, values) => read(actor, inputOf(values))),
    call: async (actor, values) => run(actor, inputOf(values)),
  };
}
