/**
 * Characters that no name, symbol or link needs: control characters (including NUL padding), line
 * and paragraph separators, and marks that change the direction of the surrounding text. Joiners
 * are kept, since emoji and several scripts need them.
 */
const UNWANTED = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Untrusted text from the chain, cleaned for storage and display: unwanted characters removed, lone
 * surrogates replaced by U+FFFD, composed (NFC), trimmed, and at most `maxLength` code points.
 * Idempotent.
 */
export function cleanText(raw: string, maxLength: number): string {
  const text = raw.toWellFormed().replace(UNWANTED, '').normalize('NFC').trim();
  // A string has at least as many code units as code points.
  if (text.length <= maxLength) return text;
  return Array.from(text).slice(0, maxLength).join('').trimEnd();
}
