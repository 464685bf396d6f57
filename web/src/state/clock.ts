import { signal } from '@preact/signals';

/** The time, each second: ages that read it are kept current. */
export const nowMs = signal(Date.now());

setInterval(() => {
  nowMs.value = Date.now();
}, 1_000);
