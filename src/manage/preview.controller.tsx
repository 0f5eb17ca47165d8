import { Controller } from '@nestjs/common';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Markdown } from '../page-documents/components/text.js';
import { plainText } from '../page-model/plain-text.js';
import { validationFailed } from '../platform/problems/problem.js';
import { textIn } from './incident-form.js';
import { AccentPreview } from './pages/accent-preview.js';
import { Reply } from './reply.js';
import { Form } from './routes.js';
import { type Visit, Visiting } from './visit.js';

/** Longest text that is rendered, in UTF-16 code units: a postmortem. */
const MAX_LENGTH = 50_000;

/** Renders what a member types, for the script. Reads and changes nothing. */
@Controller('manage/preview')
export class PreviewController {
  /** @throws Problem 400 `validation_failed` */
  @Form('', 'member')
  show(@Visiting() { sent }: Visit): Reply {
    const [, digits] = /^#?([0-9a-f]{6})$/i.exec((sent.get('accent_color') ?? '').trim()) ?? [];
    if (digits !== undefined) return fragment(<AccentPreview color={`#${digits.toLowerCase()}`} />);
    const text = textIn(sent, 'text');
    if (text.length > MAX_LENGTH)
      throw validationFailed([{ code: 'too_long', detail: 'is too long', pointer: '#/text' }]);
    return fragment(<Markdown text={plainText(text)} level={3} />);
  }
}

function fragment(element: VNode): Reply {
  return new Reply(200, { 'Content-Type': 'text/html; charset=utf-8' }, renderToString(element));
}
