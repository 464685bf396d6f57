import { type DestinationStream, type Logger, pino } from 'pino';
import { stopProcess } from '../lib/stop-process.ts';

export interface LoggerOptions {
  readonly level: string;
  /** Standard error when left out: standard output belongs to the commands' results. */
  readonly destination?: DestinationStream;
  /** Called once, when nobody reads standard error any more; the process is told to stop when left out. */
  readonly onUnread?: () => void;
}

/** Fields that may carry an API key, wherever a log line nests them. */
const SECRET_FIELDS = ['x-api-key', 'authorization', 'cookie', 'apiKey', 'api_key'];
const SECRET_PATHS = SECRET_FIELDS.flatMap((field) =>
  ['', '*.', '*.*.'].map((nesting) => `${nesting}["${field}"]`.replace('.[', '[')),
);

/** JSON lines with ISO times and the level by name. Keys are cut out before they are written. */
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

/** What a write fails with when its reader went away, the second when it left something unread. */
const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);

/** Characters that wait while the disk below the log is full; lines beyond are dropped. */
const UNWRITTEN_MAX = 1_000_000;

/**
 * Writes no more once nobody reads it, and says so once. What the stream still holds is dropped: at
 * the end of the process it would be tried again for ever.
 */
function standardError(onUnread: () => void): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true, maxLength: UNWRITTEN_MAX });
  let isLeft = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isLeft || !GONE.has(error.code)) return;
    isLeft = true;
    stream.destroy();
    onUnread();
  });
  return {
    write: (line) => {
      if (!isLeft) stream.write(line);
    },
  };
}
