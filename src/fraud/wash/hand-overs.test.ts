import { describe, expect, it } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase, aSell, sol } from '../../../tests/support/mint-case.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { asRawAmount } from '../../model/units.ts';
import { findHandOverRings } from './hand-overs.ts';

interface PassDraft {
  readonly passes?: number;
  /** Of each wallet, in turn. */
  readonly wallets?: readonly string[];
  readonly apartSlots?: number;
  /** Tokens bought at each pass, of which one hundred are sold. */
  readonly boughtRaw?: number;
  readonly got?: number;
}

/** A position of 100 goes round: the next wallet buys, and the holder sells some slots later. */
function passes(draft: PassDraft = {}): CaseTrade[] {
  const { passes: count = 10, wallets = ['a', 'b', 'c'], apartSlots = 10, got = 0.98 } = draft;
  const { boughtRaw = 100 } = draft;
  return Array.from({ length: count }, (_, pass) => {
    const slot = 2_000 + 200 * pass;
    const [holder, next] = [wallets[pass % wallets.length], wallets[(pass + 1) % wallets.length]];
    const bought = { slot, baseRaw: asRawAmount(BigInt(boughtRaw)), lamports: sol(1) };
    const sold = { baseRaw: asRawAmount(100n), lamports: sol(got), slot: slot + apartSlots };
    return [aBuy(next ?? '', bought), aSell(holder ?? '', sold)];
  }).flat();
}

function ringsOf(trades: readonly CaseTrade[]) {
  const mintCase = aCase({ trades });
  return findHandOverRings(mintCase, mintCase.trades).map(({ wallets, handOvers }) => [
    [...wallets].sort().join(' '),
    handOvers,
  ]);
}

describe('wallets that pass a position around', () => {
  it('are one ring from the tenth hand-over on', () => {
    expect(ringsOf(passes())).toEqual([['a b c', 10]]);
    expect(ringsOf(passes({ passes: 9 }))).toEqual([]);
  });

  it('may each buy and sell once', () => {
    const wallets = Array.from({ length: 11 }, (_, at) => `w${String(at).padStart(2, '0')}`);
    expect(ringsOf(passes({ wallets }))).toEqual([[wallets.join(' '), 10]]);
  });

  it('sell within twenty seconds, as much as was bought within a hundredth', () => {
    // Slots of 400 ms: 50 are twenty seconds.
    expect(ringsOf(passes({ apartSlots: 50 }))).toHaveLength(1);
    expect(ringsOf(passes({ apartSlots: 51 }))).toHaveLength(0);
    expect(ringsOf(passes({ boughtRaw: 101 }))).toHaveLength(1);
    expect(ringsOf(passes({ boughtRaw: 102 }))).toHaveLength(0);
  });

  it('hand over half of their volume at least', () => {
    const more = (whole: number) => [
      ...passes({ wallets: ['a', 'b'] }),
      aBuy('b', { slot: 9_000, baseRaw: asRawAmount(7_000n), lamports: sol(whole) }),
    ];
    // Five purchases of 1 SOL and five sales of 0.98.
    expect(ringsOf(more(9.9))).toHaveLength(1);
    expect(ringsOf(more(9.91))).toHaveLength(0);
  });

  it('are no ring around a maker that wins its rounds', () => {
    const maker = passes({ wallets: ['m', 'a', 'm', 'b', 'm', 'c'], passes: 24 }).map((trade) =>
      trade.wallet === named('m') && trade.side === 'sell'
        ? { ...trade, lamports: sol(1.01) }
        : trade,
    );
    expect(ringsOf(maker)).toEqual([]);
  });

  it('are not joined by routes over several pools', () => {
    expect(ringsOf(passes().map((trade) => ({ ...trade, isArbitrage: true })))).toEqual([]);
  });
});
