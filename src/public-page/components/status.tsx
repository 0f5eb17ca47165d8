import type { Sign } from '../documents/sign.js';
import { shapeOf, STATUS_CLASS, withSign } from './status-shapes.js';

/** Renders a word with the shape of its sign. */
export function Signed({ sign, word }: { sign: Sign; word: string }) {
  return (
    <span class={`status ${STATUS_CLASS[sign]}`} dangerouslySetInnerHTML={{ __html: withSign(word, sign) }} />
  );
}

/** Renders only the shape of a sign, next to text that contains its meaning. */
export function Shape({ status }: { status: Sign }) {
  return <span class={STATUS_CLASS[status]} dangerouslySetInnerHTML={{ __html: shapeOf(status) }} />;
}
