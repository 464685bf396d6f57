import { eastAsianWidth } from 'get-east-asian-width';

const PLAIN = /^[\x20-\x7e]*$/;
const COMBINING = /^[\p{Mn}\p{Me}]$/u;
/** Sequences that select colours and weights. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with ESC.
const STYLES = /\u001b\[[0-9;]*m/g;

/** Number of columns that a line takes, with or without styles. Other text: see displayText. */
export function displayWidth(text: string): number {
  const plain = text.replace(STYLES, '');
  if (PLAIN.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += widthOf(character);
  return width;
}

/** Columns of one character. */
export function widthOf(character: string): number {
  if (COMBINING.test(character)) return 0;
  return eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** The text with spaces up to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The same with the spaces before the text. */
export function padBefore(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}
