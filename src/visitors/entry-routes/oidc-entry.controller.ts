import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Submit, Visit } from '../routes/visit.decorator.js';
import { OidcEntry } from '../oidc/oidc-entry.js';

/** The way into a private page with an account of an OpenID provider. */
@Controller('status')
export class OidcEntryController {
  constructor(private readonly entry: OidcEntry) {}

  @Submit(':slug/access/oidc')
  begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.begin(request, response);
  }

  /** The provider redirects visitors here. */
  @Visit(':slug/access/oidc/callback')
  finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.finish(request, response);
  }
}
