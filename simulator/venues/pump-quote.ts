import { USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import type { PumpAmmPool } from './pump-amm-pool.ts';
import type { PumpCurve } from './pump-curve.ts';
import { buyTokens, START_OF_CURVE } from './pump-curve-math.ts';

/** The quote of a curve that is not SOL. */
export type CurveQuote =
  | { readonly kind: 'token'; readonly mint: Address; readonly startRaw: bigint }
  | { readonly kind: 'coin'; readonly curve: PumpCurve; readonly pool: PumpAmmPool };

/** Virtual USDC of a fresh curve (recorded: the USDC curve of the test data, quote minus real). */
export const USDC_START_RAW = 9_773_313_612n;

/** Curves quoted in dollars. */
export const USDC_QUOTE: CurveQuote = { kind: 'token', mint: USDC, startRaw: USDC_START_RAW };

/** QuoteCurveAwaitingMigration, and QuoteReservesOutOfRange, of the program. */
const AWAITING_MIGRATION = 6_107;
const OUT_OF_RANGE = 6_104;

export function mintOfQuote(quote: CurveQuote | null): Address {
  if (quote === null) return WRAPPED_SOL;
  return quote.kind === 'coin' ? quote.curve.baseMint : quote.mint;
}

/**
 * Initial virtual quote reserves of a new curve. For a quote coin: the SOL raise of a fresh curve
 * converted to that coin at its current price, with the same ratio of start to raise as in SOL (IDL
 * docs of `create_v2`). Throws ProgramFailure while the coin waits for its migration.
 */
export function startReservesOf({ ledger }: Execution, quote: CurveQuote | null): bigint {
  if (quote === null) return START_OF_CURVE.virtualQuoteRaw;
  if (quote.kind === 'token') return quote.startRaw;
  const { curve, pool } = quote;
  if (!curve.isOpen(ledger) && !pool.isOpen(ledger)) {
    throw new ProgramFailure(AWAITING_MIGRATION, 'QuoteCurveAwaitingMigration');
  }
  const { baseRaw, quoteRaw } = curve.isOpen(ledger)
    ? curve.virtualReserves(ledger)
    : pool.effectiveReserves(ledger);
  const raiseRaw = (baseRaw * SOL_RAISE) / (quoteRaw + SOL_RAISE);
  const startRaw = startFor(raiseRaw);
  if (startRaw < 1n) throw new ProgramFailure(OUT_OF_RANGE, 'QuoteReservesOutOfRange');
  return startRaw;
}

const { virtualBaseRaw, realBaseRaw } = START_OF_CURVE;

/** The SOL a curve takes in until its last token is sold: 85.005 SOL. */
const SOL_RAISE = buyTokens(START_OF_CURVE, realBaseRaw, {
  protocolBps: 0n,
  creatorBps: 0n,
}).quoteRaw;

/** The initial reserve that corresponds to a raise under the constant product. */
function startFor(raiseRaw: bigint): bigint {
  return (raiseRaw * (virtualBaseRaw - realBaseRaw)) / realBaseRaw;
}
