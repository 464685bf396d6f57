import { afterEach, describe, expect, test, vi } from 'vitest';
import { CALM, type FaultSettings } from '../../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../../simulator/faces/node/faults.ts';
import type { YellowstoneOptions } from '../../../simulator/faces/node/yellowstone-face.ts';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import { YellowstoneChain } from '../../../tests/support/yellowstone-chain.ts';
import { monotonicClock } from '../../lib/clock.ts';
import type { ChainPoint } from '../block-link.ts';
import type { SourceItem } from '../source.ts';
import { createGrpcClient } from './grpc-client.ts';
import type { LinkedBlock } from './yellowstone-feed.ts';
import { type FeedEvent, type HoleFill, YellowstoneSource } from './yellowstone-source.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Fill = (chain: YellowstoneChain, point: ChainPoint) => HoleFill;

/** A second node that has every block. */
const fromSecondNode: Fill = (chain, { slot, blockhash }) => {
  const block = chain.steps.find((step) => step.block.blockhash === blockhash)?.block;
  if (block === undefined) return { kind: 'nobody', reason: `no block ${slot}` };
  return { kind: 'block', block: toChainBlock(block) as LinkedBlock };
};

async function follow(
  faults: Partial<FaultSettings>,
  options: YellowstoneOptions,
  fill: Fill = fromSecondNode,
) {
  const switchboard = new Faults({ ...CALM, ...faults });
  const chain = new YellowstoneChain(
    { faults: switchboard, pingIntervalMs: 50, ...options },
    { forkRate: 0.2 },
  );
  await chain.listen();
  closing.push(() => chain.close());
  const ending = new AbortController();
  const asked: ChainPoint[] = [];
  const events: FeedEvent[] = [];
  const source = new YellowstoneSource({
    client: createGrpcClient({ url: chain.url, token: null, messageBytesMax: 2 ** 26 }),
    mode: 'transactions',
    clock: monotonicClock,
    random: () => 0.5,
    signal: ending.signal,
    timing: {
      pingIntervalMs: 50,
      silenceMs: 1_000,
      delayMinMs: 10,
      delayMaxMs: 50,
      attemptsPerMinute: 1_000,
    },
    fillHole: async (point) => {
      asked.push(point);
      return fill(chain, point);
    },
    onEvent: (event) => void events.push(event),
  });
  const items: SourceItem[] = [];
  const done = (async () => {
    for await (const item of source) items.push(item);
  })();
  closing.push(async () => {
    ending.abort();
    await done;
  });
  const until = (condition: () => boolean) =>
    vi.waitFor(() => expect(condition()).toBe(true), { timeout: 20_000, interval: 5 });
  await until(() => source.feed.summary.updates > 0);
  return { chain, source, items, asked, events, until, switchboard };
}

/** Slots and hashes of the log after every undo was carried out. */
function logOf(items: readonly SourceItem[]): (readonly [number, string | null])[] {
  const log: (readonly [number, string | null])[] = [];
  for (const item of items) {
    if (item.kind === 'block') log.push([item.block.slot, item.block.blockhash]);
    while (item.kind === 'undo' && (log.at(-1)?.[0] ?? 0) > item.toSlot) log.pop();
  }
  return log;
}

function canonicalFrom(chain: YellowstoneChain, firstSlot: number | undefined) {
  return chain.canonical
    .filter(({ slot }) => slot >= (firstSlot ?? 0) && slot <= chain.confirmedSlot)
    .map(({ slot, blockhash }) => [slot, blockhash]);
}

const hasNewest = (items: readonly SourceItem[], chain: YellowstoneChain) =>
  items.some((item) => item.kind === 'block' && item.block.slot === chain.confirmedSlot);

/** Cuts the stream for longer than the server can replay. */
async function loseTwentyBlocks({ chain, source, until }: Awaited<ReturnType<typeof follow>>) {
  chain.proxy.cut();
  chain.advance(20);
  chain.proxy.mend();
  const { attempts } = source.feed.summary;
  await until(() => source.feed.summary.attempts > attempts + 1 && chain.face.clients === 1);
  const { updates } = source.feed.summary;
  await until(() => source.feed.summary.updates > updates + 1);
  chain.advance(5);
}

describe('YellowstoneSource', () => {
  test('gives the branch that stays, and asks nobody else while the stream is whole', async () => {
    const { chain, items, asked, until, source } = await follow({}, {});
    chain.advance(50);
    await until(() => hasNewest(items, chain));
    const log = logOf(items);
    expect(log).toEqual(canonicalFrom(chain, log[0]?.[0]));
    expect(asked).toEqual([]);
    expect(source.headSlot).toBe(chain.steps.at(-1)?.block.slot);
    expect(source.summary.blocks).toBe(log.length);
    const finals = items.filter((item) => item.kind === 'final');
    expect(finals.length).toBeGreaterThan(0);
  });

  test('fills a gap beyond the replay from a second node, so that nothing is missing (F-04)', async () => {
    const followed = await follow({}, { limits: { replaySlots: 5 } });
    const { chain, items, asked, events, until } = followed;
    chain.advance(5);
    await until(() => hasNewest(items, chain));
    await loseTwentyBlocks(followed);
    await until(() => hasNewest(items, chain));
    const log = logOf(items);
    expect(log).toEqual(canonicalFrom(chain, log[0]?.[0]));
    expect(asked.length).toBeGreaterThanOrEqual(15);
    expect(items.some(({ kind }) => kind === 'missing')).toBe(false);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'interrupted', willReplay: false }),
    );
  });

  test('names the gap, with both ends, when nobody has its blocks', async () => {
    const followed = await follow({}, { limits: { replaySlots: 5 } }, () => ({
      kind: 'nobody',
      reason: 'all nodes say no',
    }));
    const { chain, items, until } = followed;
    chain.advance(5);
    await until(() => hasNewest(items, chain));
    const before = chain.confirmedSlot;
    await loseTwentyBlocks(followed);
    await until(() => hasNewest(items, chain));
    const missing = items.flatMap((item) => (item.kind === 'missing' ? [item] : []));
    const after = logOf(items).find(([slot]) => slot > before)?.[0];
    const parentSlot = chain.canonical.find(({ slot }) => slot === after)?.parentSlot;
    expect(missing).toEqual([
      { kind: 'missing', from: before + 1, to: parentSlot, reason: 'all nodes say no' },
    ]);
  });

  test('fills the holes of a server that leaves blocks out', async () => {
    const { chain, items, asked, until } = await follow({ listHoles: 0.3 }, {});
    chain.advance(60);
    await until(() => logOf(items).length > 45);
    const log = logOf(items);
    const expected = canonicalFrom(chain, log[0]?.[0]);
    expect(log).toEqual(expected.slice(0, log.length));
    expect(asked.length).toBeGreaterThan(5);
  });

  test('does not take another block for the one that lacks', async () => {
    const followed = await follow({}, { limits: { replaySlots: 5 } }, (chain) => ({
      kind: 'block',
      block: toChainBlock(chain.canonical[0] as never) as LinkedBlock,
    }));
    const { chain, items, until } = followed;
    chain.advance(5);
    await until(() => hasNewest(items, chain));
    await loseTwentyBlocks(followed);
    await until(() => hasNewest(items, chain));
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'missing',
        reason: 'another block was given in its place',
      }),
    );
  });
});
