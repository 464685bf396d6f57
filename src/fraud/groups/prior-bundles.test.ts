import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase } from '../../../tests/support/mint-case.ts';
import { priorBundlesTogether, toGroup } from './bundle-group.ts';

/** A bundle of these wallets, each with the launches in whose bundles it bought before. */
function priorOf(bundled: Readonly<Record<string, readonly string[]>>) {
  const trades = Object.keys(bundled).map((name, txIndex) => aBuy(name, { txIndex }));
  const wallets = Object.fromEntries(
    Object.entries(bundled).map(([name, mints]) => [name, { bundledMints: mints.map(named) }]),
  );
  const placed = trades.map((buy) => ({ buy, level: 'L2' as const }));
  return priorBundlesTogether(aCase({ trades, wallets }), toGroup(placed, [], trades));
}

describe('earlier bundles of the same wallets', () => {
  it('are those in which three of them bought', () => {
    const prior = priorOf({ w1: ['m1', 'm2'], w2: ['m1', 'm2'], w3: ['m2', 'm1'], w4: ['m3'] });
    expect(prior).toEqual({ wallet: 'w1', count: 2, together: ['w1', 'w2', 'w3'] });
  });

  it('are none when two met before, or three in different launches', () => {
    expect(priorOf({ w1: ['m1'], w2: ['m1'], w3: [] })).toBeNull();
    expect(priorOf({ w1: ['m1'], w2: ['m2'], w3: ['m3'] })).toBeNull();
  });
});
