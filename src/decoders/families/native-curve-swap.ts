import type { Instruction } from '../../model/instruction.ts';
import { type Venue, WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { asRawAmount, LAMPORT_SCALE } from '../../model/units.ts';
import { amountOrNull } from '../legs/amount-or-null.ts';
import { deltaOf, type SwapReading } from '../legs/swap-legs.ts';
import { mintDecimals } from '../transaction/mint-decimals.ts';
import { nativeGain } from '../transaction/native-gain.ts';
import { traderOf } from '../transaction/trader.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Accounts of a trade on a curve that holds lamports, as key indices. */
export interface NativeCurveAccounts {
  readonly venue: Venue;
  /** The account whose lamports back the curve. */
  readonly pool: number;
  readonly mint: number;
  readonly baseVault: number;
  readonly user: number;
  readonly userBase: number;
  /** Receiver of the proceeds of a sale. */
  readonly recipient: number;
  readonly feeAccounts: readonly number[];
}

/** A trade as reported by the program's own event. */
export interface NativeCurveTrade {
  /** Amount that the curve received or paid. */
  readonly quoteAmount: bigint;
  readonly feeQuoteRaw: bigint;
}

/**
 * Reads a trade on a curve that holds lamports. The tokens are what the curve's token account
 * received or paid. The lamports are the system transfers of the instruction. If the program debits
 * its curve directly, they are what the curve lost without a transfer, or the amount of the event
 * (`readEvent`) when other trades moved the curve too. `settleNativeCurves` checks their sum
 * against the curve's balance.
 */
export function readNativeCurveSwap(
  view: TransactionView,
  instruction: Instruction,
  at: NativeCurveAccounts,
  readEvent: (isBuy: boolean, tokenAmount: bigint) => NativeCurveTrade | null = () => null,
): SwapReading {
  if (Math.min(at.pool, at.mint, at.baseVault, at.user) < 0) return malformed('too few accounts');
  const movements = view.tokenMovementsUnder(instruction);
  const poolBaseDelta = deltaOf(movements, at.baseVault);
  if (poolBaseDelta === 0n) return { status: 'nothing' };
  const baseMint = view.transaction.keys.at(at.mint);
  const baseDecimals = mintDecimals(view, baseMint);
  if (baseDecimals === null) return malformed('mint without known decimals');
  const isBuy = poolBaseDelta < 0n;
  const reported = readEvent(isBuy, isBuy ? -poolBaseDelta : poolBaseDelta);
  const quote = quoteLegOf(view, instruction, at, isBuy, reported);
  if (typeof quote === 'string') return malformed(quote);
  const swap: Swap = {
    kind: 'swap',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: at.venue,
    pool: view.transaction.keys.at(at.pool),
    baseMint,
    quoteMint: WRAPPED_SOL,
    baseDecimals,
    quoteDecimals: LAMPORT_SCALE,
    trader: traderOf(view, { user: at.user, vaults: [at.baseVault, -1] }, movements),
    side: isBuy ? 'buy' : 'sell',
    poolBaseDelta: asRawAmount(poolBaseDelta),
    poolQuoteDelta: asRawAmount(quote.poolDelta),
    traderBaseDelta: asRawAmount(deltaOf(movements, at.userBase)),
    traderQuoteDelta: amountOrNull(quote.traderDelta),
    reserves: null,
    feeQuoteRaw: amountOrNull(quote.fee),
    router: view.routerOf(instruction),
    isIntermediateHop: false,
    isAtomicRoundTrip: false,
    isPureArbitrage: false,
    quarantine: contradictionOf(view, at, isBuy, quote.poolDelta, reported),
  };
  return { status: 'event', event: swap };
}

interface NativeLeg {
  readonly poolDelta: bigint;
  readonly traderDelta: bigint | null;
  readonly fee: bigint | null;
}

function quoteLegOf(
  view: TransactionView,
  instruction: Instruction,
  at: NativeCurveAccounts,
  isBuy: boolean,
  reported: NativeCurveTrade | null,
): NativeLeg | string {
  const sent = lamportsSent(view, instruction, at);
  const reportedDelta =
    reported === null ? null : isBuy ? reported.quoteAmount : -reported.quoteAmount;
  const poolDelta =
    sent.toPool !== 0n ? sent.toPool : (nativeGain(view, instruction, at.pool) ?? reportedDelta);
  if (poolDelta === null) return 'lamports of the curve that no transfer and no event tells';
  if (isBuy && poolDelta <= 0n) return 'tokens left the curve and no lamports reached it';
  if (!isBuy && poolDelta > 0n) return 'both legs moved the same way';
  const fee = sent.fees > 0n ? sent.fees : (reported?.feeQuoteRaw ?? null);
  return { poolDelta, traderDelta: traderDeltaOf(sent, poolDelta, isBuy, fee), fee };
}

/**
 * A buyer pays everything it transfers. A seller receives transfers, or what the curve lost less
 * fees.
 */
function traderDeltaOf(
  sent: LamportsSent,
  poolDelta: bigint,
  isBuy: boolean,
  fee: bigint | null,
): bigint | null {
  if (isBuy) return sent.byUser === 0n ? null : -sent.byUser;
  if (sent.toRecipient > 0n) return sent.toRecipient;
  return fee === null || fee > -poolDelta ? null : -poolDelta - fee;
}

interface LamportsSent {
  readonly toPool: bigint;
  readonly fees: bigint;
  readonly byUser: bigint;
  readonly toRecipient: bigint;
}

function lamportsSent(
  view: TransactionView,
  instruction: Instruction,
  at: NativeCurveAccounts,
): LamportsSent {
  const sent = { toPool: 0n, fees: 0n, byUser: 0n, toRecipient: 0n };
  for (const { kind, from, to, lamports } of view.systemMovementsUnder(instruction)) {
    if (kind !== 'transfer') continue;
    if (to === at.pool) sent.toPool += lamports;
    if (from === at.pool) sent.toPool -= lamports;
    if (at.feeAccounts.includes(to)) sent.fees += lamports;
    if (from === at.user) sent.byUser += lamports;
    if (to === at.recipient) sent.toRecipient += lamports;
  }
  return sent;
}

function malformed(reason: string): SwapReading {
  return { status: 'malformed', reason };
}

/** Why the trade is inconsistent, or null. */
function contradictionOf(
  view: TransactionView,
  at: NativeCurveAccounts,
  isBuy: boolean,
  poolDelta: bigint,
  reported: NativeCurveTrade | null,
): string | null {
  if (view.isReconciled(at.baseVault) === false) {
    return 'base vault balance contradicts its transfers';
  }
  if (isBuy && reported !== null && reported.quoteAmount !== poolDelta) {
    return `event says ${reported.quoteAmount} of quote, ${poolDelta} moved`;
  }
  return null;
}
