/**
 * What a terminal would act on or not show: control and format characters (escape sequences, line
 * breaks, marks that reverse the direction, zero-width characters), other spaces than U+0020,
 * characters without a glyph, and more than two combining marks in a row.
 */
const UNSAFE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\\]|(?! )\p{Zs}|(?<=\p{M}{2})\p{M}/gu;

/**
 * Makes third-party text safe for a line of a terminal. Letters of all scripts and pictures stay;
 * everything else becomes JSON escapes, and a backslash two, so that no text looks like another.
 */
export function displayText(text: string): string {
  return text.replace(UNSAFE, (found) => (found === '\\' ? '\\\\' : escapesOf(found)));
}

function escapesOf(found: string): string {
  let escapes = '';
  for (let unit = 0; unit < found.length; unit++) {
    escapes += `\\u${found.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escapes;
}
