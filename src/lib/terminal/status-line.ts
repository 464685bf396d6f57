import { displayWidth } from './display-width.ts';
import { CLEAR_LINE } from './terminal.ts';

const REDRAW_MS = 250;

export interface StatusLineOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  /** Parts from left to right; the last ones are left out where they do not fit. */
  readonly parts: () => readonly string[];
}

/**
 * A line at the bottom of a terminal that is written again up to four times a second. Lines above it
 * are written by anybody, other threads too, after CLEAR_LINE: the next drawing brings it back.
 */
export class StatusLine {
  private readonly options: StatusLineOptions;
  private timer: NodeJS.Timeout | null = null;
  /** Width of what is on the screen; 0 for nothing. */
  private drawnWidth = 0;

  constructor(options: StatusLineOptions) {
    this.options = options;
  }

  start(): void {
    if (this.timer !== null) return;
    this.timer = setInterval(() => this.draw(), REDRAW_MS).unref();
    this.draw();
  }

  draw(): void {
    const text = fitParts(this.options.parts(), this.options.columns() - 1);
    this.options.write(`${this.cleared()}${text}`);
    this.drawnWidth = displayWidth(text);
  }

  /** Erases the line and draws it no longer. */
  stop(): void {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.options.write(this.cleared());
    this.drawnWidth = 0;
  }

  /** In a window that was made narrower, the line that was drawn takes several. */
  private cleared(): string {
    const rows = Math.ceil(this.drawnWidth / this.options.columns());
    return rows <= 1 ? CLEAR_LINE : `\r\u001b[${rows - 1}A\u001b[J`;
  }
}

const BETWEEN = ' · ';

/** The first parts that fit into a line. */
export function fitParts(parts: readonly string[], width: number): string {
  let text = '';
  for (const part of parts) {
    const longer = text === '' ? part : text + BETWEEN + part;
    if (displayWidth(longer) > width) break;
    text = longer;
  }
  return text;
}
