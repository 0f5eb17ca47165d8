import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../platform/auth/actor.js';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import { notFound, Problem } from '../platform/problems/problem.js';
import { WebhookWriter } from './content/webhook-writer.js';
import type { WebhookTestDto } from './dto/webhook-delivery.dto.js';
import { EndpointRecipients } from './endpoint-recipients.js';
import { headersFor } from './headers-for.js';
import { MessageLimits } from './message-limits.js';
import { WebhookSender } from './outbound/webhook-sender.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';

/** Sends test messages to webhook endpoints. */
@Injectable()
export class WebhookTestsService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly recipients: EndpointRecipients,
    private readonly writer: WebhookWriter,
    private readonly sender: WebhookSender,
    private readonly limits: MessageLimits,
    private readonly joined: JoinedTransaction,
  ) {}

  /**
   * Sends a `webhook.test` to an enabled or disabled endpoint, and returns what came back. Leaves no delivery.
   * @param wait runs the request to the endpoint, which takes up to 16 seconds and uses no database
   * @throws Problem 404 `not_found`; 429 `rate_limited`; 409 `conflict` if the instance cannot decrypt the secret
   */
  async send(
    actor: Actor,
    id: string,
    wait: <Result>(work: () => Promise<Result>) => Promise<Result>,
  ): Promise<WebhookTestDto> {
    if (!(await this.endpoints.findHead(actor, id))) throw notFound('webhook endpoint');
    await this.limits.countTest(actor.organization_id, id);
    const endpoint = await this.recipients.findOne(actor.organization_id, id);
    if (!endpoint) throw notFound('webhook endpoint');
    const { url, format, secrets } = endpoint;
    if (format === 'standard' && secrets.length === 0)
      throw new Problem('conflict', {
        detail: 'The server does not have the key that encrypted the secret any more. Rotate the secret.',
      });
    const messageId = uuidv7();
    const body = await this.joined.outside(() => this.writer.testBody(endpoint, messageId));
    const message = { id: messageId, timestamp: new Date(), body };
    const headers = headersFor(endpoint, message);
    // Outside, because the slot's next request begins in this context.
    const { status_code, duration_ms, response, error } = await this.joined.outside(() =>
      wait(() => this.sender.post(url, headers, body)),
    );
    return { status_code, duration_ms, response, error };
  }
}
