import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { drained } from './drained.ts';

/** A client that has not read what it was sent, and where it comes from. */
function slowClient() {
  const client = new PassThrough({ highWaterMark: 1 });
  expect(client.write('more than it takes')).toBe(false);
  return { client, source: new PassThrough() };
}

test.each([
  ['the client reads', ({ client }) => void client.resume()],
  ['the client is gone', ({ client }) => void client.destroy()],
  ['the source is cut off', ({ source }) => void source.destroy()],
] satisfies [string, (streams: ReturnType<typeof slowClient>) => void][])(
  'waiting ends when %s, and leaves no listeners',
  async (_, happens) => {
    const streams = slowClient();
    const waiting = drained(streams.client, streams.source);
    happens(streams);
    await waiting;
    expect(streams.source.listenerCount('close')).toBe(0);
    expect(streams.client.listenerCount('drain')).toBe(0);
  },
);

test('nobody waits for a client that was gone before, nor for a source', async () => {
  const [one, other] = [slowClient(), slowClient()];
  one.client.destroy();
  other.source.destroy();
  await Promise.all([once(one.client, 'close'), once(other.source, 'close')]);
  await drained(one.client, one.source);
  await drained(other.client, other.source);
});
