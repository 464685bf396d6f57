let isTold = false;

/**
 * Requests a process stop, like a stop signal, but only once: a second signal would end the process
 * immediately. No real signal is sent, since one that arrives during the exit would kill the
 * process. Without signal listeners the process exits with 0. For the main thread.
 */
export function stopProcess(): void {
  if (isTold) return;
  isTold = true;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
}
