import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Screen } from '../routes.js';
import { PASSKEY_SCRIPT, PASSKEY_SCRIPT_PATH } from '../passkey-script.js';

/** The script of passkeys, for everyone. Its path changes with its content. */
@Controller()
export class PasskeyScriptController {
  @Screen(PASSKEY_SCRIPT_PATH, 'everyone')
  show(@Res() response: Response): void {
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.type('text/javascript').send(PASSKEY_SCRIPT);
  }
}
