import { type DestinationStream, type Logger, pino } from 'pino';
import { stopProcess } from '../lib/stop-process.ts';
import { humanLog } from '../lib/terminal/human-log.ts';
import { CLEAR_LINE, terminalOf } from '../lib/terminal/terminal.ts';

export interface LoggerOptions {
  readonly level: string;
  /** Standard error by default: standard output is reserved for the results of commands. */
  readonly destination?: DestinationStream;
  /** Called once when standard error is closed by its reader. By default the process is stopped. */
  readonly onUnread?: () => void;
}

/** Fields that may contain an API key, at any nesting depth of a log line. */
const SECRET_FIELDS = ['x-api-key', 'authorization', 'cookie', 'apiKey', 'api_key'];
const SECRET_PATHS = SECRET_FIELDS.flatMap((field) =>
  ['', '*.', '*.*.'].map((nesting) => `${nesting}["${field}"]`.replace('.[', '[')),
);

/**
 * JSON lines with ISO times and level names; on a terminal the same lines for people. API keys are
 * redacted before writing.
 */
export function createLogger({ level, destination, onUnread }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    },
    destination ?? standardError(onUnread ?? stopProcess),
  );
}

/** Errors of a write after the reader closed the pipe; ECONNRESET if it left data unread. */
const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);

/**
 * Maximum number of characters buffered while the log's disk is full; further lines are dropped.
 */
const UNWRITTEN_MAX = 1_000_000;

/**
 * Stops writing when the reader is gone and reports it once. The buffered rest is dropped, since
 * the process would otherwise retry it forever on exit.
 */
function standardError(onUnread: () => void): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_MAX });
  let isClosed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosed || !GONE.has(error.code)) return;
    isClosed = true;
    stream.destroy();
    onUnread();
  });
  const shown = formOfLines();
  return {
    write: (line) => {
      if (!isClosed) stream.write(shown(line));
    },
  };
}

/** How lines are written to standard error. On a terminal they take the place of a status line. */
function formOfLines(): (line: string) => string {
  const terminal = terminalOf(2);
  if (terminal === null) return (line) => line;
  const { columns, style, canRedraw } = terminal;
  const clear = canRedraw ? CLEAR_LINE : '';
  return (line) => clear + humanLog(line, { columns: columns(), style });
}
