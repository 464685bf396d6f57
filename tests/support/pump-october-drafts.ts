import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import { concat, hex, key, u8, u64 } from './borsh-bytes.ts';
import { address, type InstructionDraft } from './build-transaction.ts';
import { CAT, latestTradePieces, PUMP, selfEvent, TRADE_EVENT } from './pump-drafts.ts';

export const COMPLETE_EVENT = '5f72619cd42e9808';
export const POST_COMPLETE_BUY_EVENT = '6fb06d8b316cd5fb';
export const SWEEP_EVENT = '742b4dbd117a482b';

/** Default fields of an event of October 2026 for a trade whose fees stay on the curve. */
export interface KeptTrade {
  readonly mint?: string;
  readonly isBuy: boolean;
  readonly quoteAmount: bigint;
  readonly tokenAmount: bigint;
  readonly fee: bigint;
  readonly creatorFee: bigint;
  readonly buybackFee: bigint;
  /** SYSTEM_PROGRAM means native SOL. */
  readonly quoteMint?: string;
  /** The zero key unless the fees were paid out. */
  readonly feeRecipient?: string;
}

/** The event of a trade, with every field of October 2026. */
export function keptTradeEvent(trade: KeptTrade): InstructionDraft {
  const { quoteMint = SYSTEM_PROGRAM, feeRecipient = SYSTEM_PROGRAM, quoteAmount } = trade;
  const fields = latestTradePieces({
    ...trade,
    quoteMint,
    feeRecipient,
    solAmount: quoteAmount,
    cashback: 0n,
    virtualQuote: 31_000_000_000n,
    realQuote: 1_000_000_000n,
  });
  return selfEvent(TRADE_EVENT, concat(...fields));
}

export function completeEvent(mint: string = CAT.mint, curve: string = CAT.curve) {
  return selfEvent(
    COMPLETE_EVENT,
    concat(key(CAT.alice), key(mint), key(curve), u64(1_791_530_008n), key(SYSTEM_PROGRAM)),
  );
}

export interface PoolPartValues {
  readonly mint?: string;
  readonly baseOut: bigint;
  readonly quoteIn: bigint;
  readonly fee: bigint;
  readonly creatorFee: bigint;
  readonly buybackFee: bigint;
  readonly baseAfter: bigint;
  readonly quoteAfter: bigint;
}

/** Fields of a PostCompleteBuyEvent on a SOL curve. */
export function poolPartFields(values: PoolPartValues): Uint8Array {
  return concat(
    key(CAT.alice),
    key(values.mint ?? CAT.mint),
    key(CAT.curve),
    key(SYSTEM_PROGRAM),
    u64(1_791_530_008n),
    u64(values.baseOut),
    u64(values.quoteIn),
    u64(95n),
    u64(values.fee),
    u64(30n),
    u64(values.creatorFee),
    u64(values.buybackFee),
    u64(values.baseAfter + values.baseOut),
    u64(values.quoteAfter - values.quoteIn),
    u64(values.baseAfter),
    u64(values.quoteAfter),
  );
}

const SWEEP = { protocol: '0830be07b644b7e5', creator: '20f6bf3408c949ba' } as const;

export interface SweepValues {
  readonly bucket: keyof typeof SWEEP;
  readonly amount: bigint;
  readonly curve?: string;
  readonly quoteMint?: string;
}

/** Fields of a SweepBondingCurveFeeEvent. */
export function sweepFields(values: SweepValues): Uint8Array {
  return concat(
    u64(1_791_530_008n),
    key(CAT.mint),
    key(values.curve ?? CAT.curve),
    key(values.quoteMint ?? SYSTEM_PROGRAM),
    key(address('recipient')),
    u64(values.amount),
    u8(values.bucket === 'protocol' ? 0 : 1),
  );
}

/** A sweep of one curve with its calls; by default only its event, as on SOL curves. */
export function sweepDraft(
  values: SweepValues,
  inner: readonly InstructionDraft[] = [selfEvent(SWEEP_EVENT, sweepFields(values))],
): InstructionDraft {
  return {
    program: PUMP,
    accounts: [
      address('payer'),
      address('global'),
      CAT.mint,
      values.quoteMint ?? WRAPPED_SOL,
      address('quote token program'),
      address('associated token program'),
      SYSTEM_PROGRAM,
      values.curve ?? CAT.curve,
      CAT.quoteVault,
      address('recipient'),
      address('recipient quote'),
      address('event authority'),
      PUMP,
    ],
    data: hex(SWEEP[values.bucket]),
    inner,
  };
}

/** One curve of a route: base mint, quote mint, curve and its accounts for the two. */
export type RouteCurve = readonly [string, string, string, string, string];

/**
 * A call by PumpSwap through several curves, with the fixed accounts before those of the curves.
 */
export function multiHopDraft(
  curves: readonly RouteCurve[],
  inner: readonly InstructionDraft[],
): InstructionDraft {
  return {
    program: PUMP,
    accounts: [
      address('global'),
      address('fee config'),
      address('pump amm global config'),
      CAT.alice,
      CAT.alice,
      address('source'),
      address('destination'),
      CAT.buybackRecipient,
      address('token program'),
      address('token 2022 program'),
      SYSTEM_PROGRAM,
      address('event authority'),
      PUMP,
      ...curves.flat(),
    ],
    data: concat(hex('e19a7516d756f667'), u64(1n), hex('02000000'), u8(1), u8(2)),
    inner,
  };
}
