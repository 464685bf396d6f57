import type { Outcome, Signal, TicketReturn } from '../../src/model/signal.ts';
import {
  type SignalDetail,
  type SignalListing,
  toListing,
} from '../../src/model/signal-listing.ts';
import type { PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
import { address } from './build-transaction.ts';

const E9 = 1_000_000_000n;
export const SIGNAL_TIME_MS = Date.UTC(2025, 0, 15, 14, 32, 8);

/** A token with a supply of 10 million at one cent: $100,000. */
export function buildSignal(given: Partial<Signal> = {}): Signal {
  return {
    rowId: 7,
    model: 'organic_momentum',
    version: 1,
    parametersHash: 'ab'.repeat(32),
    mint: address('mint'),
    pool: address('pool'),
    name: 'Example',
    symbol: 'EXMP',
    slot: 1_000 as Slot,
    createdAtMs: SIGNAL_TIME_MS,
    asOfSlot: 999 as Slot,
    priceUsd: ((E9 * E9) / 100n) as PriceE18,
    supplyRaw: 10_000_000_000_000n as RawAmount,
    decimals: 6,
    marketCapUsd: (100_000n * E9) as UsdNano,
    liquidityUsd: (25_000n * E9) as UsdNano,
    ageMs: 3_600_000,
    features: { organic_share_5m: 0.75, return_5m: null },
    passed: [{ feature: 'organic_share_5m', value: 0.75, least: 0.5, most: null }],
    ...given,
  };
}

interface GivenOutcome extends Partial<Omit<Outcome, 'execution'>> {
  readonly execution?: Partial<Outcome['execution']>;
}

/** Half more than at the signal, after a fall by a tenth. */
export function buildOutcome(given: GivenOutcome = {}): Outcome {
  const { execution, ...others } = given;
  return {
    rowId: 7,
    highPriceUsd: ((E9 * E9 * 15n) / 1_000n) as PriceE18,
    lowPriceUsd: ((E9 * E9 * 9n) / 1_000n) as PriceE18,
    athMarketCapUsd: (150_000n * E9) as UsdNano,
    maxDrawdownMarketCapUsd: (90_000n * E9) as UsdNano,
    roiE9: 50n * E9,
    maxDrawdownE9: 10n * E9,
    peakDrawdownE9: 10n * E9,
    isFinal: false,
    slot: 1_010 as Slot,
    ...others,
    execution: {
      enteredAtMs: SIGNAL_TIME_MS + 6_000,
      returns: {
        hold_5m: buildReturns(12n, 8n),
        hold_1h: null,
        hold_24h: null,
        take_profit_or_stop: null,
        trailing_stop: null,
      },
      roseBeforeFell: null,
      ...execution,
    },
  };
}

/** What $200 and $1,000 returned, in whole percent. */
export function buildReturns(small: bigint, large: bigint): readonly TicketReturn[] {
  return [
    { ticketUsd: 200, returnE9: small * E9 },
    { ticketUsd: 1_000, returnE9: large * E9 },
  ];
}

export function buildSignalDetail(
  signal: Partial<Signal> = {},
  outcome: GivenOutcome = {},
): SignalDetail {
  return {
    signal: { ...buildSignal(signal), model: 'organic_momentum' },
    outcome: buildOutcome(outcome),
  };
}

export function buildListing(given: Partial<SignalListing> = {}): SignalListing {
  const { signal, outcome } = buildSignalDetail();
  return { ...toListing(signal, outcome), ...given };
}
