import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { StreamSource } from '../stream-source.ts';
import { BUFFERED_BYTES_MAX, StreamClient } from './stream-client.ts';
import { Topic } from './topic.ts';

const HALF = BUFFERED_BYTES_MAX / 2;

function newTopic() {
  return new Topic<string>({
    keptMs: 1_000,
    weightMax: 1_000,
    nowMs: () => 0,
    onWanted: () => undefined,
  });
}

/** A client that fills half of its buffer with each message. */
function following(source: StreamSource<string>, since: number | null) {
  const sent: string[] = [];
  const unread: (() => void)[] = [];
  const client = new StreamClient<string, string>({
    source,
    since,
    encode: ({ item }) => (item === 'other' ? [] : [{ message: item, sizeBytes: HALF }]),
    encodeGap: ({ from, to }) => ({ message: `gap ${from} to ${to}`, sizeBytes: 1 }),
    sink: {
      send: (message, onSent) => {
        sent.push(message);
        unread.push(onSent);
      },
    },
  });
  const read = async (count: number) => {
    for (const onSent of unread.splice(0, count)) onSent();
    await nextTurn();
  };
  return { sent, read, client, end: client.run() };
}

describe('A-20 a client of a stream', () => {
  test('gets entries after its start, and only those it selected', async () => {
    const topic = newTopic();
    topic.push('before', 1);
    const { sent, client, end } = following(topic, null);
    await nextTurn();
    topic.push('one', 1);
    topic.push('other', 1);
    await nextTurn();
    expect(sent).toEqual(['one']);
    client.stop();
    expect(await end).toBe('ended');
    expect(topic.readers).toBe(0);
  });

  test('catches up at its own speed, regardless of the backlog', async () => {
    const topic = newTopic();
    for (let index = 0; index < 40; index++) topic.push(String(index), 1);
    const { sent, read, client } = following(topic, 0);
    await nextTurn();
    expect(sent).toEqual(['0', '1']);
    topic.push('newest', 1);
    await read(1);
    expect(sent).toEqual(['0', '1', '2']);
    for (let turn = 0; turn < 60; turn++) await read(1);
    expect(sent).toHaveLength(41);
    expect(sent.at(-1)).toBe('newest');
    client.stop();
  });

  test('is disconnected when entries arrive while its buffer is full', async () => {
    const topic = newTopic();
    const { sent, end } = following(topic, null);
    await nextTurn();
    topic.push('one', 1);
    topic.push('two', 1);
    await nextTurn();
    expect(sent).toEqual(['one', 'two']);
    topic.push('three', 1);
    expect(await end).toBe('slow');
    expect(sent).toEqual(['one', 'two']);
    expect(topic.readers).toBe(0);
  });

  test('continues if it has read in time', async () => {
    const topic = newTopic();
    const { sent, read, client, end } = following(topic, null);
    await nextTurn();
    for (const item of ['one', 'two', 'three']) {
      topic.push(item, 1);
      await nextTurn();
      await read(1);
    }
    expect(sent).toEqual(['one', 'two', 'three']);
    client.stop();
    expect(await end).toBe('ended');
  });

  test('is first notified of entries that are no longer available', async () => {
    const topic = newTopic();
    topic.push('one', 1);
    topic.skip();
    topic.push('two', 1);
    const { sent, client } = following(topic, 1);
    await nextTurn();
    expect(sent).toEqual(['gap 2 to 2', 'two']);
    client.stop();
  });

  test('ends with the error of a stream that cannot be read', async () => {
    const broken: StreamSource<string> = {
      newest: () => 0,
      after: () => Promise.reject(new Error('no answer')),
      watch: () => () => undefined,
    };
    await expect(following(broken, null).end).rejects.toThrow('no answer');
  });
});
