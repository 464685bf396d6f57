import { displayWidth, padTo } from './display-width.ts';
import { NO_STYLE, type Style } from './terminal.ts';

export interface TextBoxOptions {
  readonly title: string;
  readonly lines: readonly string[];
  readonly columns: number;
  readonly style?: Style;
}

const MARGINS = 4;

/**
 * Lines in a frame as wide as the widest of them. Without a frame if one does not fit: a line that
 * people copy must not be broken.
 */
export function textBox({ title, lines, columns, style = NO_STYLE }: TextBoxOptions): string[] {
  const inner = Math.max(displayWidth(title), ...lines.map(displayWidth));
  if (inner + MARGINS > columns) return [style('bold', title), ...lines];
  const line = '─'.repeat(inner - displayWidth(title));
  const edge = style('dim', '│');
  return [
    `${style('dim', '╭')} ${style('bold', title)} ${style('dim', `${line}╮`)}`,
    ...lines.map((each) => `${edge} ${padTo(each, inner)} ${edge}`),
    style('dim', `╰${'─'.repeat(inner + 2)}╯`),
  ];
}
