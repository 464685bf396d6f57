import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { ROUTER_PROGRAMS } from '../../src/decoders/transaction/router-programs.ts';
import { tradesByMint } from '../../src/fold/market/slot-trades.ts';
import { USDC } from '../../src/model/program.ts';
import { slotFacts } from '../support/build-facts.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const JUPITER = resolve(testData, 'chain/ryoid+anchores/tests/fixtures/jupiter');
const OKX = resolve(testData, 'chain/0xjeffro+tx-parser/solana/data');

/** Jupiter routes through three pools, by the start of their signature, in pool order. */
const ROUTES = [
  { start: '1ZSq1Aa2', side: 'buy', hops: [true, true, false] },
  { start: '2ZiXFzYV', side: 'buy', hops: [true, true, false] },
  { start: '469XLAdr', side: 'buy', hops: [true, true, false] },
  { start: '3SevEqRa', side: 'sell', hops: [false, true, true] },
] as const;

describe.skipIf(!hasTestData)('a recorded route through three pools', () => {
  test.each(ROUTES)('is three swaps and one trade of its user: $start', ({ start, side, hops }) => {
    const facts = decodeRecord(start);
    const swaps = facts.events.filter((event) => event.kind === 'swap');
    expect(swaps.map(({ isIntermediateHop }) => isIntermediateHop)).toEqual(hops);
    expect(new Set(swaps.map(({ pool }) => pool)).size).toBe(3);
    for (const { router, trader } of swaps) {
      expect({ router, trader }).toEqual({
        router: ROUTER_PROGRAMS.jupiter_v6,
        trader: facts.feePayer,
      });
    }
    const trades = [...tradesByMint(slotFacts(1, null, [facts]), () => null).values()].flat();
    expect(trades).toMatchObject([{ owner: facts.feePayer, side }]);
  });

  test.each(ROUTES)('trades the amounts in the balances of its user: $start', ({ start }) => {
    const facts = decodeRecord(start);
    // The other end of each route is SOL, which the wallet held unwrapped before and after.
    const changes = facts.tokenBalances
      .filter(({ owner }) => owner === facts.feePayer)
      .map(({ mint, before, after }) => ({ mint, change: after - before }));
    const traded = facts.events.flatMap((event) =>
      event.kind === 'swap' && !event.isIntermediateHop
        ? [{ mint: event.baseMint, change: event.traderBaseDelta }]
        : [],
    );
    expect(traded).toEqual(changes);
  });
});

/** OKX routes through two pools: one with SOL as a hop, one that sells a token for another. */
const EXCHANGES = [
  { start: 'OKXDEX_commissionSplProxySwap', hops: [true, false], sides: ['buy'] },
  { start: 'OKXDEX_swap_0', hops: [false, false], sides: ['sell', 'buy'] },
] as const;

describe.skipIf(!hasTestData)('a recorded route of OKX', () => {
  test.each(EXCHANGES)('follows the balances of its user: $start', ({ start, hops, sides }) => {
    const facts = decodeRecord(start, OKX);
    const swaps = facts.events.filter((event) => event.kind === 'swap');
    expect(swaps.map(({ isIntermediateHop }) => isIntermediateHop)).toEqual(hops);
    expect(new Set(swaps.map(({ router }) => router))).toEqual(new Set([ROUTER_PROGRAMS.okx_dex]));
    const traded = swaps
      .filter(({ isIntermediateHop }) => !isIntermediateHop)
      .map((swap) => ({ mint: swap.baseMint, change: swap.traderBaseDelta }));
    // The USDC that it paid, commission included, changes as well but is no trade of a base.
    const changes = facts.tokenBalances
      .filter(({ owner, mint }) => owner === facts.feePayer && mint !== USDC)
      .map(({ mint, before, after }) => ({ mint, change: after - before }));
    expect(traded).toHaveLength(changes.length);
    expect(traded).toEqual(expect.arrayContaining(changes));
    const trades = [...tradesByMint(slotFacts(1, null, [facts]), () => null).values()].flat();
    expect(trades.map(({ side }) => side)).toEqual(sides);
  });
});

function decodeRecord(start: string, folder = JUPITER) {
  const file = readdirSync(folder).find((name) => name.startsWith(start));
  if (file === undefined) throw new Error(`no record of ${start}`);
  const answer = JSON.parse(readFileSync(resolve(folder, file), 'utf8'));
  const reading = readTransaction([answer].flat()[0]);
  if (reading.status !== 'ok' || reading.value.transaction === null) {
    throw new Error(`${file} could not be read`);
  }
  return decodeTransaction(reading.value.transaction, 0, new Tally());
}
