import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CONSOLE_STYLES, STYLES_PATH } from './frame.js';
import { Screen } from './routes.js';
import { CONSOLE_SCRIPT, PASSKEY_SCRIPT } from './scripts.js';

/** The stylesheet and the scripts, for everyone. Their paths change with their content. */
@Controller()
export class AssetsController {
  @Screen(STYLES_PATH, 'everyone')
  showStyles(@Res() response: Response): void {
    send(response, 'text/css', CONSOLE_STYLES);
  }

  @Screen(CONSOLE_SCRIPT.path, 'everyone')
  showScript(@Res() response: Response): void {
    send(response, 'text/javascript', CONSOLE_SCRIPT.text);
  }

  @Screen(PASSKEY_SCRIPT.path, 'everyone')
  showPasskeyScript(@Res() response: Response): void {
    send(response, 'text/javascript', PASSKEY_SCRIPT.text);
  }
}

function send(response: Response, type: string, text: string): void {
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.type(type).send(text);
}
