/**
 * The text of a post without the tricks that hide its words from a reader of words: METHODS §13.4.
 * It is compared and scored, never shown.
 */
import { latinOf } from './homoglyphs.ts';

/** Longer posts are cut, in UTF-16 units; no platform has much longer posts. */
export const TEXT_LENGTH_MAX = 4_000;
/** Emoji of one kind that count; more of them are emphasis at best. */
const SAME_EMOJI_MAX = 3;

/**
 * Format and control characters, variation selectors, and letters without ink: fillers of Hangul and
 * Khmer, the blank of Braille.
 */
const INVISIBLE =
  /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]|[\u17b4-\u17b5]|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}])/gu;
const DIACRITICS =
  /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]/g;
const EMOJI = /\p{Extended_Pictographic}/gu;
const SKIN_TONES = /[\u{1f3fb}-\u{1f3ff}]/gu;

/**
 * In order: cut, compatibility forms decomposed (NFKC's letters, without their marks), invisible
 * characters out, lookalikes of other scripts as Latin letters, three emoji of a kind. Elongated
 * words are cut where words are read.
 */
export function normaliseText(text: string): string {
  const bounded = text.length > TEXT_LENGTH_MAX ? text.slice(0, TEXT_LENGTH_MAX) : text;
  if (isPlain(bounded)) return bounded;
  const plain = bounded
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(DIACRITICS, '')
    .normalize('NFC');
  const latin = latinOf(plain.slice(0, TEXT_LENGTH_MAX));
  return withoutFloods(latin);
}

/** Whether a text is ASCII without control characters: most are, and need no further work. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 127) return false;
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return false;
  }
  return true;
}

function withoutFloods(text: string): string {
  const counts = new Map<string, number>();
  return text.replace(SKIN_TONES, '').replace(EMOJI, (emoji) => {
    const count = (counts.get(emoji) ?? 0) + 1;
    counts.set(emoji, count);
    return count > SAME_EMOJI_MAX ? '' : emoji;
  });
}
