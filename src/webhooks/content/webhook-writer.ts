import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Replicas } from '../../platform/database/replicas.js';
import type { ProjectRef } from '../../projects/project-ref.js';
import type { ChatMessage } from './chat-message.js';
import { ChatMessages, type ChatScope } from './chat-messages.service.js';
import { discordBody } from './discord.js';
import { EventContents } from './event-content.service.js';
import { slackBody } from './slack.js';
import { standardBody } from './standard-body.js';
import { teamsBody } from './teams.js';

/** Time for which the body of an event is kept. A body that is sent later contains the newer values. */
const BODY_MS = 5_000;

/** Maximum number of bodies that are kept. One has at most 28,000 bytes. */
const MAX_BODIES = 500;

/** Bodies of messages for chats. */
const CHATS = { slack: slackBody, discord: discordBody, teams: teamsBody } satisfies Record<
  string,
  (message: ChatMessage) => string
>;

/** An endpoint, as far as its bodies depend on it. */
export interface WrittenEndpoint extends ChatScope {
  id: string;
  format: 'standard' | keyof typeof CHATS;
}

/** Writes the bodies that webhook endpoints get. */
@Injectable()
export class WebhookWriter {
  private readonly bodies = new LRUCache<string, { body: Promise<string | undefined> }>({
    max: MAX_BODIES,
    ttl: BODY_MS,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly replicas: Replicas,
    private readonly contents: EventContents,
    private readonly chats: ChatMessages,
  ) {}

  /**
   * Returns the body of an event with the current values of its resource, or undefined if there is nothing to send any more.
   * Endpoints that get the same body share it.
   */
  async bodyOf(endpoint: WrittenEndpoint, event_id: string): Promise<string | undefined> {
    const { organization_id, project_id, format } = endpoint;
    const page = format === 'standard' ? null : endpoint.status_page_id;
    const key = [organization_id, project_id, event_id, format, page].join(' ');
    const cached = this.bodies.get(key);
    if (cached) return cached.body;
    const body =
      format === 'standard' ? this.standard(endpoint, event_id) : this.chat(endpoint, format, event_id);
    this.bodies.set(key, { body });
    body.catch(() => this.bodies.delete(key)); // the next delivery reads it again
    return body;
  }

  /**
   * Returns the body of a test, whose event is in no list.
   * @param id ID of the event, and so of the message
   */
  async testBody(endpoint: WrittenEndpoint, id: string = uuidv7()): Promise<string> {
    const { format, project_id } = endpoint;
    return this.snapshot(async (manager) => {
      const created_at = new Date();
      if (format !== 'standard') {
        const message = await this.chats.testOf(endpoint, created_at, manager);
        return CHATS[format](message);
      }
      const head = { id, type: 'webhook.test', project_id, resource_id: endpoint.id };
      const event = { ...head, update_id: null, data: {}, created_at };
      const resource = await this.contents.findResource(endpoint, 'webhook_endpoint', endpoint.id, manager);
      return standardBody({ event, resource, update: undefined });
    });
  }

  /** Without replicas, reads without a transaction, which takes half of the time. */
  private async standard(project: ProjectRef, event_id: string): Promise<string | undefined> {
    const content = this.replicas.exist
      ? await this.snapshot((manager) => this.contents.find(project, event_id, manager))
      : await this.contents.find(project, event_id);
    return content && standardBody(content);
  }

  private chat(scope: ChatScope, format: keyof typeof CHATS, event_id: string): Promise<string | undefined> {
    return this.snapshot(async (manager) => {
      const content = await this.contents.find(scope, event_id, manager);
      const message = content && (await this.chats.messageOf(scope, content, manager));
      return message && CHATS[format](message);
    });
  }

  /** Reads from one snapshot of the primary. A replica may not have the event yet. */
  private async snapshot<Result>(read: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction('REPEATABLE READ', read);
  }
}
