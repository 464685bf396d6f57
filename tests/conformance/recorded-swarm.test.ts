import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBlock } from '../../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { type Swarm, SwarmWatch } from '../../src/fold/wallets/swarms/swarm-watch.ts';
import type { Swap } from '../../src/model/swap.ts';
import { asSlot } from '../../src/model/units.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** A block of March 2025 in which one hand traded with many wallets. */
const BLOCK = 'chain/ai-nyan-bot+bot/block_326027759.json';
const SLOT = asSlot(326_027_759);
const ESTABLISHED = 250;

interface SentSwap {
  readonly swap: Swap;
  readonly skeleton: string;
  readonly isByTerminal: boolean;
}

function readSwaps(): SentSwap[] {
  const text = JSON.parse(readFileSync(join(testData, BLOCK), 'utf8'));
  const reading = readBlock(text.result ?? text, SLOT);
  if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
  return decodeBlock(reading.value).transactions.flatMap(({ events, skeleton, terminal }) =>
    events.flatMap((event) =>
      event.kind === 'swap' && skeleton !== null
        ? [{ swap: event, skeleton, isByTerminal: terminal !== null }]
        : [],
    ),
  );
}

/** Members by mint, where what the block's other skeletons are is usual among established traders. */
function swarmsIn(swaps: readonly SentSwap[], own: string): Map<string, Swarm> {
  const watch = new SwarmWatch();
  const usual = swaps.map(({ skeleton }) => skeleton).filter((skeleton) => skeleton !== own);
  const single = { isFirstOfHour: true, walletTrades: 1, timeS: 3_600 };
  for (let at = 0; at < ESTABLISHED; at++) {
    const skeleton = usual[at % usual.length] ?? null;
    const trade = { ...single, mint: 0, wallet: at, walletTrades: 4, isByTerminal: false };
    watch.applyTrade({ ...trade, skeleton }, () => 1);
  }
  const ids = new Map<string, number>();
  const idOf = (address: string) => {
    const known = ids.get(address) ?? ESTABLISHED + ids.size;
    ids.set(address, known);
    return known;
  };
  const found = new Map<string, Swarm>();
  for (const { swap, skeleton, isByTerminal } of swaps) {
    if (swap.trader === null) continue;
    const trade = { ...single, mint: idOf(swap.baseMint), wallet: idOf(swap.trader), skeleton };
    const swarm = watch.applyTrade({ ...trade, isByTerminal }, () => 1);
    if (swarm !== null) found.set(`${swap.baseMint} ${skeleton}`, swarm);
  }
  return found;
}

describe.skipIf(!hasTestData)('a recorded block with a swarm', () => {
  test('has 55 swaps of one skeleton, from 53 wallets and by no terminal', () => {
    const swaps = readSwaps();
    const [own = []] = [...Map.groupBy(swaps, ({ skeleton }) => skeleton).values()].sort(
      (one, other) => other.length - one.length,
    );
    expect(own).toHaveLength(55);
    expect(new Set(own.map(({ swap }) => swap.trader)).size).toBe(53);
    expect(own.some(({ isByTerminal }) => isByTerminal)).toBe(false);
    const others = [...Map.groupBy(swaps, ({ skeleton }) => skeleton).values()];
    const sizes = others.map((group) => new Set(group.map(({ swap }) => swap.trader)).size);
    // The next one has five wallets: nobody else comes near.
    expect(sizes.sort((one, other) => other - one).slice(0, 2)).toEqual([53, 5]);
  });

  test('has a swarm in each mint with ten of its wallets, and no other', () => {
    const swaps = readSwaps();
    const own = [...Map.groupBy(swaps, ({ skeleton }) => skeleton)].sort(
      ([, one], [, other]) => other.length - one.length,
    )[0]?.[0];
    if (own === undefined) throw new Error('the block has no swaps');
    const found = swarmsIn(swaps, own);
    const ofOwn = swaps.filter(({ skeleton }) => skeleton === own);
    const large = [...Map.groupBy(ofOwn, ({ swap }) => swap.baseMint)].filter(
      ([, group]) => new Set(group.map(({ swap }) => swap.trader)).size >= 10,
    );
    expect([...found.keys()].sort()).toEqual(large.map(([mint]) => `${mint} ${own}`).sort());
    expect(large).toHaveLength(2);
  });
});
