import { EN } from './languages/en/page.js';

// Control characters except tab and line feed, bidi controls, which can change the text around a name, and characters that XML
// does not allow.
const UNWANTED = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}|\ufeff/gu;

/**
 * Removes characters that change the surrounding text, or that XML 1.0 does not allow (section 2.2). Keeps right-to-left
 * letters, which need no control characters.
 */
export function plainText(text: string): string {
  return text.replaceAll(UNWANTED, '');
}

// Letters, digits and signs, but neither spaces nor invisible characters such as U+200B.
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u;

/**
 * Returns a name or a title as plain text. If nothing of it is visible, readable by screen readers, or clickable, returns a
 * placeholder.
 */
export function plainName(name: string): string {
  const plain = plainText(name);
  return VISIBLE.test(plain) ? plain : EN.unnamed;
}
