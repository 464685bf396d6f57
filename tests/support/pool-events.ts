import type { Liquidity, PoolCreated } from '../../src/model/chain-event.ts';
import type { ProgramName } from '../../src/model/program.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Swap } from '../../src/model/swap.ts';
import { address } from './build-transaction.ts';
import { BASE_MINT } from './pool-transaction.ts';

type Expected<Event> = { readonly [Name in keyof Event]?: unknown };

/**
 * The whole event of a first instruction by which `wallet` bought 40 of the base for 30 of the
 * quote from `pool`, whose vaults had 100 of each, except for the given fields.
 */
export function boughtFrom(venue: ProgramName, differences: Expected<Swap> = {}) {
  return {
    kind: 'swap',
    outerIx: 0,
    innerIx: -1,
    venue,
    pool: address('pool'),
    baseMint: BASE_MINT,
    quoteMint: WRAPPED_SOL,
    baseDecimals: 6,
    quoteDecimals: 9,
    trader: address('wallet'),
    side: 'buy',
    poolBaseDelta: -40n,
    poolQuoteDelta: 30n,
    traderBaseDelta: 40n,
    traderQuoteDelta: -30n,
    reserves: { base: 60n, quote: 130n, virtualBase: null, virtualQuote: null },
    feeQuoteRaw: null,
    router: null,
    isIntermediateHop: false,
    isAtomicRoundTrip: false,
    isPureArbitrage: false,
    quarantine: null,
    ...differences,
  };
}

/** The same for a sale of 40 of the base for 30 of the quote. */
export function soldTo(venue: ProgramName, differences: Expected<Swap> = {}) {
  return boughtFrom(venue, {
    side: 'sell',
    poolBaseDelta: 40n,
    poolQuoteDelta: -30n,
    traderBaseDelta: -40n,
    traderQuoteDelta: 30n,
    reserves: { base: 140n, quote: 70n, virtualBase: null, virtualQuote: null },
    ...differences,
  });
}

/**
 * The whole event of a first instruction by which `wallet` added 10 of the base and 20 of the quote
 * to `pool`, whose vaults had 100 and 200, without LP tokens, except for the given fields.
 */
export function addedTo(venue: ProgramName, differences: Expected<Liquidity> = {}) {
  return {
    kind: 'liquidity',
    outerIx: 0,
    innerIx: -1,
    venue,
    pool: address('pool'),
    baseMint: BASE_MINT,
    quoteMint: WRAPPED_SOL,
    provider: address('wallet'),
    poolBaseDelta: 10n,
    poolQuoteDelta: 20n,
    lpDelta: null,
    reserves: { base: 110n, quote: 220n, virtualBase: null, virtualQuote: null },
    ...differences,
  };
}

/** The whole event of a first instruction by which `wallet` created `pool`, empty, without LP tokens. */
export function createdBy(venue: ProgramName, differences: Expected<PoolCreated> = {}) {
  return {
    kind: 'poolCreated',
    outerIx: 0,
    innerIx: -1,
    venue,
    pool: address('pool'),
    baseMint: BASE_MINT,
    quoteMint: WRAPPED_SOL,
    baseDecimals: 6,
    quoteDecimals: 9,
    creator: address('wallet'),
    vaultOwner: address('vault owner'),
    baseRaw: 0n,
    quoteRaw: 0n,
    lpMint: null,
    lpRaw: null,
    ...differences,
  };
}
