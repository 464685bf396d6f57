import type { Instruction } from '../../model/instruction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { type Address, LAMPORT_SCALE } from '../../model/units.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { mintDecimals } from '../transaction/mint-decimals.ts';
import { nativeGain } from '../transaction/native-gain.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import type { PumpTradeEvent } from './pump-trade-event.ts';

/** Where a pump trade keeps its accounts, as key indices; -1 for what its form does not have. */
export interface CurveAccounts {
  readonly curve: number;
  readonly mint: number;
  readonly baseVault: number;
  readonly quoteVault: number;
  readonly user: number;
  readonly userBase: number;
  readonly userQuote: number;
  /** -1 in forms that keep the fees on the curve: what they trade stands in their event alone. */
  readonly feeRecipient: number;
}

/** One trade while it is read. */
export interface CurveTrade {
  readonly view: TransactionView;
  readonly instruction: Instruction;
  readonly at: CurveAccounts;
  readonly movements: readonly TokenMovement[];
  readonly poolBaseDelta: bigint;
  /** With a pool's part added, where the buy went past the curve's end. */
  readonly event: PumpTradeEvent | null;
}

/** What a trade did in the token or the lamports it is quoted in. */
export interface QuoteLeg {
  readonly mint: Address;
  readonly decimals: number;
  /** The traded amount: what the curve received or paid less the fees that it kept. */
  readonly poolDelta: bigint;
  /** Fees that stay on the curve until they are swept. */
  readonly kept: bigint;
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
 *
 * Where the event says that fees stay on the curve, a buy brings it the traded amount and those
 * fees, and a sale takes the traded amount less those fees.
 */
export function quoteLegOf(trade: CurveTrade): QuoteLeg | string {
  const { at, event, movements } = trade;
  if (event === null && at.feeRecipient < 0) return 'a trade that keeps its fees without its event';
  if (event !== null && event.keptQuoteRaw < 0n) return 'a buy-back larger than the fees';
  const quoteDelta = at.quoteVault < 0 ? 0n : deltaOf(movements, at.quoteVault);
  const isNative = quoteDelta === 0n && (event?.quoteMint ?? WRAPPED_SOL) === WRAPPED_SOL;
  if (!isNative) return tokenLeg(trade, quoteDelta);
  return trade.poolBaseDelta < 0n ? nativeBuyLeg(trade) : nativeSaleLeg(trade);
}

function tokenLeg(trade: CurveTrade, vaultDelta: bigint): QuoteLeg | string {
  const { view, at, movements, event } = trade;
  const kept = event?.keptQuoteRaw ?? 0n;
  const poolDelta = vaultDelta - kept;
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
    kept,
    traderDelta: deltaOf(movements, at.userQuote),
    fee: event?.feeQuoteRaw ?? null,
    contradiction:
      view.isReconciled(at.quoteVault) === false
        ? 'quote vault balance contradicts its transfers'
        : amountContradiction(event, poolDelta < 0n ? -poolDelta : poolDelta),
  };
}

/**
 * Whatever the buyer transfers below the instruction, it pays: to the curve and in fees. The first
 * trade that keeps its fees on an old curve also makes its account larger: the deposit for that is a
 * transfer of its own to the curve, and neither traded nor paid for the tokens.
 */
function nativeBuyLeg(trade: CurveTrade): QuoteLeg | string {
  const { event } = trade;
  const sent = lamportsSent(trade);
  if (sent.toCurve === 0n) return 'tokens left the curve and no lamports reached it';
  const kept = event?.keptQuoteRaw ?? 0n;
  const deposit = event?.areFeesKept ? depositAmong(sent.payments, event.quoteAmount + kept) : 0n;
  const poolDelta = sent.toCurve - deposit - kept;
  if (poolDelta <= 0n) return 'less reached the curve than the fees it keeps';
  const paid = sent.byUser - deposit;
  return {
    mint: WRAPPED_SOL,
    decimals: LAMPORT_SCALE,
    poolDelta,
    kept,
    traderDelta: paid <= 0n ? null : -paid,
    fee: event?.feeQuoteRaw ?? sent.toFeeRecipient,
    contradiction: amountContradiction(event, poolDelta),
  };
}

interface LamportsSent {
  readonly toCurve: bigint;
  readonly toFeeRecipient: bigint;
  readonly byUser: bigint;
  /** Transfers to the curve one by one. */
  readonly payments: readonly bigint[];
}

function lamportsSent({ view, instruction, at }: CurveTrade): LamportsSent {
  let toCurve = 0n;
  let toFeeRecipient = 0n;
  let byUser = 0n;
  const payments: bigint[] = [];
  for (const { kind, from, to, lamports } of view.systemMovementsUnder(instruction)) {
    if (kind !== 'transfer') continue;
    if (to === at.curve) {
      toCurve += lamports;
      payments.push(lamports);
    }
    if (to === at.feeRecipient) toFeeRecipient += lamports;
    if (from === at.user) byUser += lamports;
  }
  return { toCurve, toFeeRecipient, byUser, payments };
}

/** What the payments are more than `due`, if that is one whole payment; else 0. */
function depositAmong(payments: readonly bigint[], due: bigint): bigint {
  const extra = payments.reduce((sum, lamports) => sum + lamports, 0n) - due;
  return extra > 0n && payments.includes(extra) ? extra : 0n;
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
    kept: event?.keptQuoteRaw ?? 0n,
    traderDelta: fee === null ? null : -gained - fee,
    fee,
    contradiction: null,
  };
}

/** Sales pay their fee out of the curve's lamports too; before events had it, this was the trace. */
function feeOfSale(trade: CurveTrade, quoteAmount: bigint): bigint | null {
  const { view, instruction, at } = trade;
  const fee = nativeGain(view, instruction, at.feeRecipient);
  return fee !== null && fee >= 0n && fee <= quoteAmount ? fee : null;
}

function amountContradiction(event: PumpTradeEvent | null, moved: bigint): string | null {
  if (event === null || event.quoteAmount === moved) return null;
  return `event says ${event.quoteAmount} of quote, ${moved} moved`;
}
