/**
 * What no name, symbol or link needs: control characters (NUL padding among them), line and
 * paragraph separators, and the marks that turn the direction of the text around them. Joiners stay,
 * since emoji and several scripts are written with them.
 */
const UNWANTED = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Text that somebody put on the chain, made fit to store and show: unwanted characters removed,
 * lone surrogates replaced by U+FFFD, composed (NFC), trimmed, and at most `maxLength` code points.
 * Cleaning clean text changes nothing.
 */
export function cleanText(raw: string, maxLength: number): string {
  const text = raw.toWellFormed().replace(UNWANTED, '').normalize('NFC').trim();
  // A string has at least as many code units as code points.
  if (text.length <= maxLength) return text;
  return Array.from(text).slice(0, maxLength).join('').trimEnd();
}
