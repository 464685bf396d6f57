import { vi } from 'vitest';

/** As `expect.poll` has it in vitest.config.ts: the library's own second is too short when busy. */
const PATIENCE_MS = 120_000;

const { waitFor, waitUntil } = vi;

type Options = number | { readonly timeout?: number; readonly interval?: number };

function patient(options: Options = {}): Options {
  return typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
