/** Resolves after `ms` milliseconds. Rejects with the reason of the signal once it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Doubles with each failure from `firstMs` to `mostMs`, by chance between half and all of it. */
export function backoffMs(failures: number, firstMs: number, mostMs: number): number {
  const wholeMs = Math.min(mostMs, firstMs * 2 ** Math.min(failures, 30));
  return wholeMs * (0.5 + Math.random() / 2);
}
