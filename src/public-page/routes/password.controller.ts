import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PasswordEntry } from './password-entry.js';
import { Submit } from './visit.decorator.js';

/** The form with the password of a private page. */
@Controller('status')
export class PasswordController {
  constructor(private readonly entry: PasswordEntry) {}

  @Submit(':slug/access/password')
  enter(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.entry.enter(request, response);
  }
}
