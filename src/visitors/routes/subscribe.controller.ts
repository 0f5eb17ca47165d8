import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SubscriptionFlow } from './subscription-flow.js';
import { SubscriptionLinks } from './subscription-links.js';
import { Submit, SubmitFromAnywhere, Visit } from './visit.decorator.js';

/** Subscriptions of visitors by mail. */
@Controller('status')
export class SubscribeController {
  constructor(
    private readonly flow: SubscriptionFlow,
    private readonly links: SubscriptionLinks,
  ) {}

  /** The form is a part of the page, which is cached. */
  @Submit(':slug/subscribe')
  subscribe(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.flow.subscribe(request, response);
  }

  @Visit(':slug/confirm/:token')
  showConfirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.links.showConfirm(request, response);
  }

  @Submit(':slug/confirm/:token')
  confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.links.confirm(request, response);
  }

  @Visit(':slug/subscription/:token')
  showSubscription(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.links.showSubscription(request, response);
  }

  @Submit(':slug/subscription/:token')
  change(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.links.change(request, response);
  }

  @Visit(':slug/unsubscribe/:token')
  showUnsubscribe(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.links.showUnsubscribe(request, response);
  }

  /** Also for mail programs (RFC 8058). */
  @SubmitFromAnywhere(':slug/unsubscribe/:token')
  unsubscribe(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.links.unsubscribe(request, response);
  }
}
