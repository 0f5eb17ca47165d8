import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Submit, Visit } from '../routes/visit.decorator.js';
import { EmailEntry } from '../email/email-entry.js';

/** The way into a private page with a link by mail. */
@Controller('status')
export class EmailEntryController {
  constructor(private readonly entry: EmailEntry) {}

  @Submit(':slug/access/email')
  request(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.request(request, response);
  }

  @Visit(':slug/access/email/:token')
  show(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.show(request, response);
  }

  @Submit(':slug/access/email/:token')
  use(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.use(request, response);
  }
}
