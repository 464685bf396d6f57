import { displayWidth, widthOf } from './display-width.ts';

/**
 * Breaks unstyled text at spaces into lines of at most `width` columns. Only a word that is wider
 * than a line is broken itself. Line breaks in the text stay.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, Math.max(2, width)));
}

/** The same with spaces before all lines but the first. */
export function wrapHanging(text: string, width: number, indent: number): string[] {
  const [first = '', ...more] = wrapText(text, width - indent);
  return [first, ...more.map((line) => ' '.repeat(indent) + line)];
}

/**
 * Breaks a command line between its words, as a shell continues it: each line but the last ends
 * with a backslash. Words are never broken, so that the command can be copied.
 */
export function wrapCommand(command: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [at, word] of command.entries()) {
    const isLast = at === command.length - 1;
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width - (isLast ? 0 : 2)) {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    } else line = longer;
  }
  return [...lines, line];
}

function wrapParagraph(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ').flatMap((each) => pieces(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line.trimEnd());
      line = word;
    } else line = longer;
  }
  return [...lines, line.trimEnd()];
}

/** A word in pieces of at most `width` columns. */
function pieces(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const found: string[] = [];
  let piece = '';
  let columns = 0;
  for (const character of word) {
    const more = widthOf(character);
    if (columns + more > width) {
      found.push(piece);
      piece = '';
      columns = 0;
    }
    piece += character;
    columns += more;
  }
  return [...found, piece];
}
