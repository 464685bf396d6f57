import type { Readable, Writable } from 'node:stream';

/**
 * Resolves once the client has read what it was sent, is gone, or the source has ended, as it does
 * when it is cut off because the client reads too slowly.
 */
export function drained(client: Writable, source: Readable): Promise<void> {
  if (client.destroyed || source.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      client.off('drain', done).off('close', done);
      source.off('close', done);
      resolve();
    };
    client.once('drain', done).once('close', done);
    source.once('close', done);
  });
}
