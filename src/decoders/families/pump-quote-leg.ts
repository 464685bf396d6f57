import type { Instruction } from '../../model/instruction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { type Address, LAMPORT_SCALE } from '../../model/units.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { mintDecimals } from '../transaction/mint-decimals.ts';
import { nativeGain } from '../transaction/native-gain.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import type { PumpTradeEvent } from './pump-trade-event.ts';

/** Accounts of a pump trade, as key indices; -1 for accounts that its form does not have. */
export interface CurveAccounts {
  readonly curve: number;
  readonly mint: number;
  readonly baseVault: number;
  readonly quoteVault: number;
  readonly user: number;
  readonly userBase: number;
  readonly userQuote: number;
  /** -1 in forms that keep the fees on the curve; the traded amounts are then only in the event. */
  readonly feeRecipient: number;
}

/** Intermediate data of one trade. */
export interface CurveTrade {
  readonly view: TransactionView;
  readonly instruction: Instruction;
  readonly at: CurveAccounts;
  readonly movements: readonly TokenMovement[];
  readonly poolBaseDelta: bigint;
  /** Includes the pool part when the buy went past the curve's end. */
  readonly event: PumpTradeEvent | null;
}

/** The quote side of a trade, in the quote token or lamports. */
export interface QuoteLeg {
  readonly mint: Address;
  readonly decimals: number;
  /** The traded amount: what the curve received or paid, less the fees it kept. */
  readonly poolDelta: bigint;
  /** Fees that stay on the curve until they are swept. */
  readonly kept: bigint;
  readonly traderDelta: bigint | null;
  readonly fee: bigint | null;
  /** Why the leg is inconsistent, or null. */
  readonly contradiction: string | null;
}

/**
 * The quote leg of a trade, or the reason why there is none. It consists of the token transfers if
 * the curve's quote vault is in use. On native curves it is the system transfers of a buy; a sell
 * debits the curve without an instruction, so there it is the amount of the event or the change of
 * the curve's lamports. A leg of zero is valid: sells of dust pay nothing.
 *
 * When the event says that fees stay on the curve, a buy adds the traded amount and those fees to
 * the curve, and a sell removes the traded amount less those fees.
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
 * The buyer pays everything it transfers below the instruction: to the curve and in fees. The first
 * trade that keeps its fees on an old curve also enlarges the curve's account. The deposit for that
 * is a separate transfer to the curve; it is not part of the trade and not paid for the tokens.
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
  /** The individual transfers to the curve. */
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

/** The excess of the payments over `due` if it equals one payment, otherwise 0. */
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

/**
 * A sell also pays its fee from the curve's lamports; used for events from before they contained
 * the fee.
 */
function feeOfSale(trade: CurveTrade, quoteAmount: bigint): bigint | null {
  const { view, instruction, at } = trade;
  const fee = nativeGain(view, instruction, at.feeRecipient);
  return fee !== null && fee >= 0n && fee <= quoteAmount ? fee : null;
}

function amountContradiction(event: PumpTradeEvent | null, moved: bigint): string | null {
  if (event === null || event.quoteAmount === moved) return null;
  return `event says ${event.quoteAmount} of quote, ${moved} moved`;
}
