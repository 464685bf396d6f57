import { absolute } from '../../lib/decimal.ts';
import { ADDRESS_REGISTRY, type AddressClass } from '../../model/address-registry.ts';
import type { PricedSwap } from '../../model/derived.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import { type Address, asUsdNano, type UsdNano } from '../../model/units.ts';
import { type QuotePrices, quoteToLamports, quoteToUsd } from '../books/quote-prices.ts';

/** Costs that a trader paid in a transaction in addition to its swaps. */
export interface TradeCosts {
  readonly terminalLamports: bigint;
  /** Network fee and tips, without rent. */
  readonly networkLamports: bigint;
}

const TERMINAL_FEES: ReadonlySet<AddressClass> = new Set(['terminal_fee']);
const SOL_DECIMALS = 9;

/** For further parts of a trade: its costs count once. */
export const NO_COSTS: TradeCosts = { terminalLamports: 0n, networkLamports: 0n };

/** The costs of a trader in one transaction. */
export function costsOf(
  { events, feePayer, feeLamports, tips }: TransactionFacts,
  trader: Address,
): TradeCosts {
  let terminalLamports = 0n;
  for (const event of events) {
    if (event.kind !== 'solTransfer' || event.from !== trader) continue;
    if (ADDRESS_REGISTRY.isAnyOf(event.to, TERMINAL_FEES)) terminalLamports += event.lamports;
  }
  if (feePayer !== trader) return { terminalLamports, networkLamports: 0n };
  const tipped = tips.reduce((sum, { lamports }) => sum + lamports, 0n);
  return { terminalLamports, networkLamports: feeLamports + tipped };
}

/** The wallet's side of a swap in its quote, adjusted by terminal fees. */
function quoteOf({ swap }: PricedSwap, { terminalLamports }: TradeCosts): bigint {
  const quoteRaw = absolute(swap.traderQuoteDelta ?? swap.poolQuoteDelta);
  if (swap.quoteMint !== WRAPPED_SOL) return quoteRaw;
  if (swap.side === 'buy') return quoteRaw + terminalLamports;
  return quoteRaw > terminalLamports ? quoteRaw - terminalLamports : 0n;
}

/** The wallet's side of a swap in dollars, terminal fees included; null when a price is unknown. */
export function usdValueOf(
  quotes: QuotePrices,
  priced: PricedSwap,
  costs: TradeCosts,
): UsdNano | null {
  const { quoteMint, quoteDecimals, side } = priced.swap;
  const value = quoteToUsd(quotes, quoteMint, quoteOf(priced, costs), quoteDecimals);
  if (value === null || quoteMint === WRAPPED_SOL || costs.terminalLamports === 0n) return value;
  const fees = quoteToUsd(quotes, WRAPPED_SOL, costs.terminalLamports, SOL_DECIMALS);
  if (fees === null) return null;
  if (side === 'buy') return asUsdNano(value + fees);
  return asUsdNano(value > fees ? value - fees : 0n);
}

/** Size of a trade in lamports, summed over the pools of its route; null when unknown. */
export function sizeOf(
  quotes: QuotePrices,
  parts: readonly PricedSwap[],
  costs: TradeCosts,
): bigint | null {
  if (parts.length === 0) return null;
  let sum = 0n;
  for (const [index, priced] of parts.entries()) {
    const { quoteMint, quoteDecimals } = priced.swap;
    const quoteRaw = quoteOf(priced, index === 0 ? costs : NO_COSTS);
    const lamports = quoteToLamports(quotes, quoteMint, quoteRaw, quoteDecimals);
    if (lamports === null) return null;
    sum += lamports;
  }
  return sum;
}
