import { isatty, WriteStream } from 'node:tty';
import { styleText } from 'node:util';

const COLUMNS_DEFAULT = 80;
/** Narrower windows get lines of this width. */
const COLUMNS_MIN = 20;

/** Returns the cursor to the start of its line and erases the line. */
export const CLEAR_LINE = '\r\u001b[2K';

export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/** A terminal that people read. */
export interface Terminal {
  /** Its width now. */
  readonly columns: () => number;
  /** Adds colour or weight, unless NO_COLOR or the kind of terminal says not to. */
  readonly style: Style;
  /** Whether a line can be written again. */
  readonly canRedraw: boolean;
}

export const NO_STYLE: Style = (_, text) => text;

/** The terminal of standard output (1) or standard error (2); null if a program reads it. */
export function terminalOf(descriptor: 1 | 2): Terminal | null {
  if (!isatty(descriptor)) return null;
  const stream = streamOf(descriptor);
  return {
    columns: () => Math.max(COLUMNS_MIN, stream.getWindowSize()[0] || COLUMNS_DEFAULT),
    style: (format, text) => styleText(format, text, { stream }),
    canRedraw: process.env.TERM !== 'dumb',
  };
}

/** Streams of the process in a worker thread go through the main thread and know no terminal. */
function streamOf(descriptor: 1 | 2): WriteStream {
  const stream: unknown = descriptor === 1 ? process.stdout : process.stderr;
  return stream instanceof WriteStream ? stream : new WriteStream(descriptor);
}
