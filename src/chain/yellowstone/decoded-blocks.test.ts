import { afterEach, describe, expect, test, vi } from 'vitest';
import { Faults } from '../../../simulator/faces/node/faults.ts';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import { YellowstoneChain } from '../../../tests/support/yellowstone-chain.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { monotonicClock } from '../../lib/clock.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { StreamItem } from '../block-stream.ts';
import { type RawBlock, type RawBlockDecoding, readRawBlock } from '../recorded/raw-block.ts';
import { createGrpcClient } from './grpc-client.ts';
import type { SubscribeMode } from './subscribe-request.ts';
import { YellowstoneFeed } from './yellowstone-feed.ts';

const MODES: readonly SubscribeMode[] = ['blocks', 'transactions'];
const AHEAD_MAX = 2;
/** A block in a stream is accompanied by up to three slot updates. */
const OUTSTANDING_MAX = AHEAD_MAX * 4;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Decodes like a thread, when and how the test says. */
class TestDecoder {
  readonly aheadMax = AHEAD_MAX;
  readonly begun: number[] = [];
  outstanding = 0;
  private readonly answerTo: (index: number) => Promise<RawBlockDecoding | null>;

  /** Null: the block is decoded as it is. */
  constructor(answerTo: (index: number) => Promise<RawBlockDecoding | null>) {
    this.answerTo = answerTo;
  }

  readonly decode = async (raw: RawBlock): Promise<RawBlockDecoding> => {
    this.outstanding++;
    const answer = await this.answerTo(this.begun.push(raw.slot) - 1);
    this.outstanding--;
    if (answer !== null) return answer;
    const block = readRawBlock(raw);
    if (block === null) return { status: 'unreadable' };
    return { status: 'decoded', facts: decodeBlock(block) };
  };
}

async function turns(count: number): Promise<null> {
  for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next));
  return null;
}

async function open(mode: SubscribeMode, decoder: TestDecoder) {
  const chain = new YellowstoneChain({ faults: new Faults(), pingIntervalMs: 50 });
  await chain.listen();
  closing.push(() => chain.close());
  const ending = new AbortController();
  const feed = new YellowstoneFeed({
    client: createGrpcClient({ url: chain.url, token: null, messageBytesMax: 2 ** 26 }),
    ...{ mode, decoder, clock: monotonicClock, random: () => 0.5, signal: ending.signal },
  });
  const items: StreamItem[] = [];
  const reading = { isPaused: false };
  const done = (async () => {
    for await (const item of feed) {
      items.push(item);
      while (reading.isPaused) await turns(1);
    }
  })();
  closing.push(async () => {
    reading.isPaused = false;
    ending.abort();
    await done;
  });
  await until(() => feed.summary.updates > 0);
  return { chain, feed, items, reading };
}

async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: 120_000, interval: 5 });
}

function factsIn(items: readonly StreamItem[]): readonly SlotFacts[] {
  return items.flatMap((item) => {
    if (item.kind !== 'block') return [];
    const { item: content } = item.block;
    return content.kind === 'facts' ? [content.facts] : [];
  });
}

describe.each(MODES)('blocks of a feed of %s that are decoded ahead', (mode) => {
  test('arrive in the order of the stream, as if decoded directly, however long each takes', async () => {
    const decoder = new TestDecoder((index) => turns((index * 7) % 11));
    const { chain, items, feed } = await open(mode, decoder);
    chain.advance(40);
    await until(() => factsIn(items).at(-1)?.slot === chain.confirmedSlot);
    const facts = factsIn(items);
    expect(facts.length).toBeGreaterThanOrEqual(39);
    const made = new Map(chain.canonical.map((block) => [block.slot, block]));
    const expected = facts.map(({ slot }) => {
      const block = made.get(slot);
      return block === undefined ? null : decodeBlock(toChainBlock(block));
    });
    expect(facts).toEqual(expected);
    expect(facts.map(({ slot }) => slot)).toEqual(decoder.begun);
    expect(decoder.begun).toEqual([...decoder.begun].sort((one, other) => one - other));
    expect(feed.summary).toMatchObject({ incomplete: 0, problems: 0 });
  });

  test('are reported and left to others when the decoder stops at one', async () => {
    const stopped = { status: 'failed', message: 'it stopped' } as const;
    const decoder = new TestDecoder(async (index) => (index === 3 ? stopped : null));
    const { chain, items, feed } = await open(mode, decoder);
    chain.advance(20);
    await until(() => factsIn(items).at(-1)?.slot === chain.confirmedSlot);
    const slot = decoder.begun[3];
    const at = items.findIndex(({ kind }) => kind === 'problem');
    expect(items[at]).toMatchObject({
      problem: { code: 'decoder-stopped', position: `slot ${slot}`, message: 'it stopped' },
    });
    expect(items[at + 1]).toEqual({ kind: 'incomplete', slot, reason: 'it stopped' });
    expect(factsIn(items).map((facts) => facts.slot)).toEqual(
      decoder.begun.filter((begun) => begun !== slot),
    );
    expect(feed.summary).toMatchObject({ incomplete: 1, problems: 1 });
  });

  test('wait in a bounded number while the consumer does not read', async () => {
    const decoder = new TestDecoder(() => turns(1));
    const { chain, items, reading } = await open(mode, decoder);
    chain.advance(2);
    await until(() => factsIn(items).length > 0);
    reading.isPaused = true;
    const before = decoder.begun.length;
    chain.advance(60);
    await turns(2_000);
    expect(decoder.begun.length - before).toBeLessThanOrEqual(OUTSTANDING_MAX);
    reading.isPaused = false;
    await until(() => factsIn(items).at(-1)?.slot === chain.confirmedSlot);
    expect(decoder.outstanding).toBe(0);
  });
});
