import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PasswordEntry } from '../password/password-entry.js';
import { Submit, Visit } from '../routes/visit.decorator.js';

/** The form with the password of a private page, and the addresses of all forms of its gate. */
@Controller('status')
export class PasswordEntryController {
  constructor(private readonly entry: PasswordEntry) {}

  @Submit(':slug/access/password')
  enter(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.enter(request, response);
  }

  /** Leads to the page, for example if a visitor opens the address of the gate after a wrong password. */
  @Visit([':slug/access/password', ':slug/access/email', ':slug/access/oidc'])
  showPage(@Res() response: Response): void {
    response.setHeader('Cache-Control', 'private, no-store');
    response.redirect(303, '..');
  }
}
