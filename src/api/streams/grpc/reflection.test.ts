import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { type ReflectionAnswer, type ReflectionRequest, reflectionHandler } from './reflection.ts';

test('a client that reads no answers is paused until it reads them', async () => {
  const reads: (() => void)[] = [];
  const call = new Duplex({
    objectMode: true,
    read: () => undefined,
    write: (_answer, _encoding, done) => reads.push(done),
  });
  const question = { host: '', message_request: 'list_services' };
  for (let asked = 0; asked < 1_000; asked++) call.push(question);
  reflectionHandler([])(call as unknown as ServerDuplexStream<ReflectionRequest, ReflectionAnswer>);
  await nextTurn();
  expect(call.writableLength).toBe(call.writableHighWaterMark);
  let answered = 0;
  for (; answered < 1_000; answered++) {
    reads.shift()?.();
    await nextTurn();
  }
  expect([answered, call.writableLength]).toEqual([1_000, 0]);
  call.destroy();
});
