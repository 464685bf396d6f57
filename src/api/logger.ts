import { isMainThread } from 'node:worker_threads';
import { type DestinationStream, type Logger, pino } from 'pino';

export interface LoggerOptions {
  readonly level: string;
  /** Standard error when left out: standard output belongs to the commands' results. */
  readonly destination?: DestinationStream;
}

/** Fields that may carry an API key, wherever a log line nests them. */
const SECRET_FIELDS = ['x-api-key', 'authorization', 'cookie', 'apiKey', 'api_key'];
const SECRET_PATHS = SECRET_FIELDS.flatMap((field) =>
  ['', '*.', '*.*.'].map((nesting) => `${nesting}["${field}"]`.replace('.[', '[')),
);

/** JSON lines with ISO times and the level by name. Keys are cut out before they are written. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    },
    destination ?? standardError(),
  );
}

/**
 * A process whose log nobody reads any more was left behind: it is told to stop, once, since a second
 * signal would end it at once.
 */
function standardError(): DestinationStream {
  const stream = pino.destination(2);
  let isTold = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' || isTold) return;
    // A real signal that comes while the process ends would be its end by that signal.
    isTold = isMainThread
      ? process.emit('SIGTERM', 'SIGTERM')
      : process.kill(process.pid, 'SIGTERM');
  });
  return stream;
}
