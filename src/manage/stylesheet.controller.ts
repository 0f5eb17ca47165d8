import { Controller, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CONSOLE_STYLES, STYLES_PATH } from './frame.js';
import { Screen } from './routes.js';

/** The stylesheet, for everyone. Its path changes with its content. */
@Controller()
export class StylesheetController {
  @Screen(STYLES_PATH, 'everyone')
  show(@Res() response: Response): void {
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.type('text/css').send(CONSOLE_STYLES);
  }
}
