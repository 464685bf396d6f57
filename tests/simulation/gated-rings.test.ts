import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import type { FraudType } from '../../simulator/truth/labels.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { createReading } from '../../src/fraud/detect/inspect-case.ts';
import { matchTrades, volumeOf } from '../../src/fraud/readings/matched-trades.ts';
import { shareOf } from '../../src/fraud/readings/shares.ts';
import { readCycles } from '../../src/fraud/readings/trade-cycles.ts';
import { isTrader } from '../../src/fraud/readings/traders.ts';
import { findRings, toContext, usdOf, type WashContext } from '../../src/fraud/wash/wash-ring.ts';
import type { Address } from '../../src/model/units.ts';
import { NaiveCases } from '../support/naive-case.ts';
import { runAttack } from '../support/scenario-stage.ts';

const SOL_USD = 180;
const SLOTS_BETWEEN = 20;

/** Rings and their numbers of trades, without the gate: every hand is matched, then judged. */
function plainRings(scene: WashContext): [Address | undefined, number][] {
  const { mintCase, clusters, day } = scene;
  const hands = Map.groupBy(
    day.filter(({ wallet }) => isTrader(mintCase, wallet)),
    ({ wallet }) => clusters.of(wallet)?.root ?? wallet,
  );
  const dayVolume = volumeOf(day);
  return [...hands].flatMap(([root, own]): [Address, number][] => {
    const matched = matchTrades(own);
    if (matched === null) return [];
    const isAlone = new Set(matched.trades.map(({ wallet }) => wallet)).size < 2;
    const rounds = Math.max(readCycles(matched.trades, 0).count, matched.pairs);
    const usd = usdOf(mintCase, matched.trades);
    const isRing =
      rounds >= (isAlone ? 10 : 3) &&
      shareOf(volumeOf(matched.trades), dayVolume) >= 0.1 &&
      usd !== null &&
      usd >= 1_000;
    return isRing ? [[root, matched.trades.length]] : [];
  });
}

/** Cases of a simulated attack while it proceeds. */
function* casesOf(type: FraudType) {
  const { blocks, attack } = runAttack(type, 'medium', 'gated');
  if (attack === null) throw new Error(`no ${type}`);
  const cases = new NaiveCases(attack.mint, { solUsd: SOL_USD });
  let [trades, slots] = [0, 0];
  for (const block of blocks) {
    cases.add(decodeBlock(toChainBlock(block)));
    slots++;
    if (cases.tradeCount === trades || slots < SLOTS_BETWEEN) continue;
    [trades, slots] = [cases.tradeCount, 0];
    yield cases.read();
  }
}

describe('rings of simulated attacks equal those found without the gate before matching', () => {
  test.each([
    ['wash_volume', true],
    ['bundle_and_launder', false],
    ['coordinated_exit', false],
  ] as const)('%s', (type, hasRings) => {
    let [looks, rings] = [0, 0];
    for (const mintCase of casesOf(type)) {
      const scene = toContext(createReading(mintCase));
      const expected = plainRings(scene);
      const found = findRings(scene).map(({ cluster, wallets, matched }) => [
        cluster?.root ?? wallets[0],
        matched.trades.length,
      ]);
      expect(found).toEqual(expected);
      looks++;
      rings += expected.length;
    }
    expect(looks).toBeGreaterThan(5);
    if (hasRings) expect(rings).toBeGreaterThan(0);
  });
});
