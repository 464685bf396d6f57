import type { Trade } from '../../src/model/trade.ts';
import { asPriceE18, asRawAmount, asSlot, asUsdNano } from '../../src/model/units.ts';
import { address, signature } from './build-transaction.ts';

/** A purchase of 1.5 tokens for 0.25 SOL. */
export function buildTrade(given: Partial<Trade> = {}): Trade {
  return {
    ...{ timeMs: Date.UTC(2025, 0, 15, 14, 32, 8), slot: asSlot(299_999_999) },
    ...{ txIndex: 7, outerIx: 3, innerIx: -1, pool: address('pool') },
    signature: signature('trade'),
    isFinal: true,
    mint: address('mint'),
    venue: 'pump_amm',
    router: null,
    terminal: 'axiom',
    wallet: address('wallet'),
    side: 'buy',
    baseRaw: asRawAmount(1_500_000n),
    baseDecimals: 6,
    quoteMint: address('quote'),
    quoteRaw: asRawAmount(250_000_000n),
    quoteDecimals: 9,
    priceUsd: asPriceE18(33_333_333_333_333_333_333n),
    valueUsd: asUsdNano(49_999_999_999n),
    walletClass: 'organic',
    isOrganic: true,
    flags: ['bundled', 'wash'],
    ...given,
  };
}
