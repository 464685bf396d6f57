import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { asSlot } from '../../model/units.ts';
import type { BlockStream, LinkedBlock, StreamItem } from '../block-stream.ts';
import { confirmedPlus } from '../finality.ts';
import { StreamIntake, type StreamIntakeOptions } from './stream-intake.ts';
import { ChainLog } from './tasks/chain-log.ts';
import { Inbox } from './tasks/inbox.ts';

const BLOCK: LinkedBlock = {
  slot: asSlot(7),
  blockhash: 'hash 7',
  parentSlot: asSlot(6),
  previousBlockhash: 'hash 6',
  item: { kind: 'block' } as LinkedBlock['item'],
};

/** A stream that yields these items and ends. */
function streamOf(...items: StreamItem[]): BlockStream {
  const status = { origin: 'stream' } as BlockStream['status'];
  return { status, [Symbol.asyncIterator]: () => Readable.from(items)[Symbol.asyncIterator]() };
}

test('a block that others contradict is reported as contradicted, and stays out', async () => {
  const clock = { nowMs: () => 0, sleep: async () => undefined };
  const log = new ChainLog({
    anchor: null,
    gaps: [],
    origin: () => 'stream',
    judge: () => ({
      canCompare: true,
      note: () => undefined,
      isOpen: () => false,
      isDisputed: () => true,
    }),
  });
  log.open(confirmedPlus());
  const inbox = new Inbox(clock);
  const intake = new StreamIntake({
    stream: streamOf({ kind: 'block', block: BLOCK }),
    pool: { nodes: [] } as unknown as StreamIntakeOptions['pool'],
    // A block that is not taken completes no task.
    fetches: {} as StreamIntakeOptions['fetches'],
    ...{ log, inbox, silenceMs: 1_000, nowMs: clock.nowMs, signal: new AbortController().signal },
  });
  intake.begin();
  while (!intake.isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    inbox.deliver();
  }
  expect(log.takeItems()).toEqual([
    {
      kind: 'problem',
      problem: expect.objectContaining({
        code: 'contradicted-block',
        origin: 'stream',
        position: 'slot 7',
      }),
    },
  ]);
  expect(log.headSlot).toBeNull();
});
