import type { Instruction } from '../model/instruction.ts';
import { WRAPPED_SOL } from '../model/program.ts';
import { type Address, LAMPORT_SCALE } from '../model/units.ts';
import { mintDecimals } from './mint-decimals.ts';
import { nativeGain } from './native-gain.ts';
import type { PumpTradeEvent } from './pump-trade-event.ts';
import { deltaOf } from './swap-legs.ts';
import type { TokenMovement } from './token-movements.ts';
import type { TransactionView } from './transaction-view.ts';

/** Where a pump trade keeps its accounts, as key indices; -1 for what its form does not have. */
export interface CurveAccounts {
  readonly curve: number;
  readonly mint: number;
  readonly baseVault: number;
  readonly quoteVault: number;
  readonly user: number;
  readonly userBase: number;
  readonly userQuote: number;
  readonly feeRecipient: number;
}

/** One trade while it is read. */
export interface CurveTrade {
  readonly view: TransactionView;
  readonly instruction: Instruction;
  readonly at: CurveAccounts;
  readonly movements: readonly TokenMovement[];
  readonly poolBaseDelta: bigint;
  readonly event: PumpTradeEvent | null;
}

/** What a trade did in the token or the lamports it is quoted in. */
export interface QuoteLeg {
  readonly mint: Address;
  readonly decimals: number;
  readonly poolDelta: bigint;
  readonly traderDelta: bigint | null;
  readonly fee: bigint | null;
  /** Why the leg cannot be believed. */
  readonly contradiction: string | null;
}

/**
 * The quote leg of a trade, or why there is none. Token transfers where the curve has a quote vault
 * in use; on native curves the system transfers of a buy, and for a sale, which debits the curve
 * without an instruction, the event's amount or the curve's lamports. A leg of zero is real: sales
 * of dust pay nothing.
 */
export function quoteLegOf(trade: CurveTrade): QuoteLeg | string {
  const { at, event, movements } = trade;
  const quoteDelta = at.quoteVault < 0 ? 0n : deltaOf(movements, at.quoteVault);
  const isNative = quoteDelta === 0n && (event?.quoteMint ?? WRAPPED_SOL) === WRAPPED_SOL;
  if (!isNative) return tokenLeg(trade, quoteDelta);
  return trade.poolBaseDelta < 0n ? nativeBuyLeg(trade) : nativeSaleLeg(trade);
}

function tokenLeg(trade: CurveTrade, poolDelta: bigint): QuoteLeg | string {
  const { view, at, movements, event } = trade;
  const mint = view.tokenAccount(at.quoteVault)?.mint ?? null;
  const decimals = mint === null ? null : mintDecimals(view, mint);
  if (mint === null || decimals === null) return 'quote vault without a known mint or decimals';
  if (poolDelta !== 0n && poolDelta > 0n !== trade.poolBaseDelta < 0n) {
    return 'both vaults moved the same way';
  }
  return {
    mint,
    decimals,
    poolDelta,
    traderDelta: deltaOf(movements, at.userQuote),
    fee: event?.feeQuoteRaw ?? null,
    contradiction:
      view.isReconciled(at.quoteVault) === false
        ? 'quote vault balance contradicts its transfers'
        : amountContradiction(event, poolDelta < 0n ? -poolDelta : poolDelta),
  };
}

/** Whatever the buyer transfers below the instruction, it pays: to the curve and in fees. */
function nativeBuyLeg(trade: CurveTrade): QuoteLeg | string {
  const { view, instruction, at, event } = trade;
  let received = 0n;
  let paid = 0n;
  let fee = 0n;
  for (const { kind, from, to, lamports } of view.systemMovementsUnder(instruction)) {
    if (kind !== 'transfer') continue;
    if (to === at.curve) received += lamports;
    if (to === at.feeRecipient) fee += lamports;
    if (from === at.user) paid += lamports;
  }
  if (received === 0n) return 'tokens left the curve and no lamports reached it';
  return {
    mint: WRAPPED_SOL,
    decimals: LAMPORT_SCALE,
    poolDelta: received,
    traderDelta: paid === 0n ? null : -paid,
    fee: event?.feeQuoteRaw ?? fee,
    contradiction: amountContradiction(event, received),
  };
}

function nativeSaleLeg(trade: CurveTrade): QuoteLeg | string {
  const { view, instruction, at, event } = trade;
  const gained = event === null ? nativeGain(view, instruction, at.curve) : -event.quoteAmount;
  if (gained === null || gained > 0n) return 'a sale without its event or lamports of its own';
  const fee = event?.feeQuoteRaw ?? feeOfSale(trade, -gained);
  return {
    mint: WRAPPED_SOL,
    decimals: LAMPORT_SCALE,
    poolDelta: gained,
    traderDelta: fee === null ? null : -gained - fee,
    fee,
    contradiction: null,
  };
}

/** Sales pay their fee out of the curve's lamports too; before events told it, this was the trace. */
function feeOfSale(trade: CurveTrade, quoteAmount: bigint): bigint | null {
  const { view, instruction, at } = trade;
  const fee = nativeGain(view, instruction, at.feeRecipient);
  return fee !== null && fee >= 0n && fee <= quoteAmount ? fee : null;
}

function amountContradiction(event: PumpTradeEvent | null, moved: bigint): string | null {
  if (event === null || event.quoteAmount === moved) return null;
  return `event says ${event.quoteAmount} of quote, ${moved} moved`;
}
