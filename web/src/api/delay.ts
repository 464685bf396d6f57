/** Resolves after the time, or at once when the signal is aborted. */
export function delay(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      // A signal outlives many delays: that of a view that reads again and again.
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal?.addEventListener('abort', end);
  });
}
