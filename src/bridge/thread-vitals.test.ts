import { afterEach, expect, test, vi } from 'vitest';
import { watchVitals } from './thread-vitals.ts';

afterEach(() => vi.restoreAllMocks());

test('the heap, what is free in it, and buffers of a thread are reported separately', () => {
  const vitals = watchVitals();
  const before = vitals();
  const buffer = new Uint8Array(64 * 2 ** 20);
  const after = vitals();
  expect(after.buffersBytes - before.buffersBytes).toBeGreaterThanOrEqual(buffer.length);
  expect(after.heapReservedBytes).toBeGreaterThan(after.heapUsedBytes);
  expect(after.heapUsedBytes).toBeGreaterThan(0);
});

test('too many open files leave the buffers as they were last read, and the rest as it is', () => {
  const vitals = watchVitals();
  const { buffersBytes } = vitals();
  vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
    const message = 'EMFILE: too many open files, uv_resident_set_memory';
    throw Object.assign(new Error(message), { code: 'EMFILE', syscall: 'uv_resident_set_memory' });
  });
  expect(vitals().buffersBytes).toBe(buffersBytes);
  expect(vitals().heapUsedBytes).toBeGreaterThan(0);
});

test('any other error of reading them is thrown', () => {
  const vitals = watchVitals();
  vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
    throw new TypeError('not of the system');
  });
  expect(vitals).toThrow('not of the system');
});
