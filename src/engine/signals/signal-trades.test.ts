import { expect, test } from 'vitest';
import { pricedTrade, SOL, TOKEN } from '../../../tests/support/build-trades.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { asSlot } from '../../model/units.ts';
import { foldSignals } from '../fold/fold-signals.ts';
import type { EngineState } from '../state/engine-state.ts';

test('models see no quarantined trades and no trades of unknown time', () => {
  const noted: string[] = [];
  const state = {
    books: { prices: { priceOf: () => null } },
    signals: { noteTrade: ({ wallet }: { readonly wallet: string }) => noted.push(wallet) },
  } as unknown as EngineState;
  const draft = {
    slot: 7,
    timeMs: 1_000,
    side: 'buy',
    baseRaw: 100n * TOKEN,
    quoteRaw: SOL,
  } as const;
  const trades: readonly PricedSwap[] = [
    { ...pricedTrade({ ...draft, trader: 'contradicted' }), exclusion: 'quarantined' },
    { ...pricedTrade({ ...draft, trader: 'timeless' }), isTimeKnown: false },
    { ...pricedTrade({ ...draft, trader: 'dusty' }), exclusion: 'dust' },
    pricedTrade({ ...draft, trader: 'plain' }),
  ];
  const slot = { swaps: trades, smartWeights: new Map(), pools: [] };
  foldSignals(state, slot, { slot: asSlot(7), timeMs: 1_000, isTimeKnown: true });
  expect(noted).toEqual([trades[2]?.swap.trader, trades[3]?.swap.trader]);
});
