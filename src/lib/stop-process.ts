let isTold = false;

/**
 * Tells the process to stop as a signal to stop does, and once: a second one would end it at once.
 * No signal is sent, since one that comes while the process ends is its end by that signal. Where
 * nobody listens for signals the process exits with 0. For the main thread.
 */
export function stopProcess(): void {
  if (isTold) return;
  isTold = true;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
}
