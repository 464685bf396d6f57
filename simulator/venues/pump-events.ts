import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { TokenText } from '../programs/token-text.ts';
import type { BeyondTrade } from './pump-curve-fill.ts';
import {
  BUYBACK_BPS,
  buybackOf,
  type CurveFees,
  type CurveReserves,
  type CurveTrade,
  START_OF_CURVE,
  SUPPLY_RAW,
} from './pump-curve-math.ts';

/** Native SOL, and absent addresses, in events of the program. */
const ZERO_KEY = SYSTEM_PROGRAM;

/** The common fields of a curve's events. */
export interface CurveMoment {
  readonly mint: Address;
  readonly curve: Address;
  readonly creator: Address;
  readonly user: Address;
  readonly unixTime: number;
  /** Wrapped SOL stands for lamports. */
  readonly quoteMint: Address;
  readonly isHolderReward: boolean;
}

export interface TradeFields {
  readonly trade: CurveTrade;
  readonly fees: CurveFees;
  readonly isBuy: boolean;
  /** After the trade. */
  readonly reserves: CurveReserves;
  /** Null if fees stay on the curve. */
  readonly feeRecipient: Address | null;
  /** The creator's unclaimed fees on the curve after the trade. */
  readonly creatorUnclaimedRaw: bigint;
  /** Newer instructions use the names of the older ones (recorded: 3hYp997p…, 2EgRjJcU…). */
  readonly instruction: 'buy' | 'buy_exact_sol_in' | 'buy_exact_quote_in' | 'sell';
}

/** The quote mint in events: the zero key for lamports. */
function quoteKey({ quoteMint }: Pick<CurveMoment, 'quoteMint'>): Address {
  return quoteMint === WRAPPED_SOL ? ZERO_KEY : quoteMint;
}

/**
 * TradeEvent with the fields of October 2026: no volume tracking, cashback or shareholders. For a
 * curve quoted in a token the fields named after SOL are zero.
 */
export function tradeEvent(moment: CurveMoment, fields: TradeFields): Uint8Array {
  const { trade, fees, reserves } = fields;
  const { virtualQuoteRaw, virtualBaseRaw, realQuoteRaw, realBaseRaw } = reserves;
  const isSol = moment.quoteMint === WRAPPED_SOL;
  const lamports = (amount: bigint): bigint => (isSol ? amount : 0n);
  return new InstructionBytes()
    .hex('bddb7fd34ee661ee')
    .address(moment.mint)
    .u64s(lamports(trade.quoteRaw), trade.baseRaw)
    .bool(fields.isBuy)
    .address(moment.user)
    .i64(BigInt(moment.unixTime))
    .u64s(lamports(virtualQuoteRaw), virtualBaseRaw, lamports(realQuoteRaw), realBaseRaw)
    .address(fields.feeRecipient ?? ZERO_KEY)
    .u64s(fees.protocolBps, trade.protocolFeeRaw)
    .address(moment.creator)
    .u64s(fees.creatorBps, trade.creatorFeeRaw)
    .raw(NO_VOLUME)
    .string(fields.instruction)
    .raw(NO_CASHBACK)
    .u64s(BUYBACK_BPS, buybackOf(trade))
    .u32(0)
    .address(quoteKey(moment))
    .u64s(
      trade.quoteRaw,
      virtualQuoteRaw,
      realQuoteRaw,
      moment.isHolderReward ? fees.creatorBps : 0n,
      moment.isHolderReward ? trade.creatorFeeRaw : 0n,
      fields.creatorUnclaimedRaw,
    )
    .done();
}

/** track_volume, the two token counts, volume and its time. */
const NO_VOLUME = new Uint8Array(1 + 4 * 8);
/** mayhem_mode, the cashback's rate and amount. */
const NO_CASHBACK = new Uint8Array(1 + 2 * 8);

export interface LaunchFields {
  readonly text: TokenText;
  readonly tokenProgram: Address;
  readonly startQuoteRaw: bigint;
  /** The coin's own rate of creator fees; 0n if the program's rate applies. */
  readonly ownCreatorBps: bigint;
  /** 1 for a coin that is quoted in another coin of the launchpad. */
  readonly depth: number;
}

export function createEvent(moment: CurveMoment, fields: LaunchFields): Uint8Array {
  const { name, symbol, uri } = fields.text;
  const isSol = moment.quoteMint === WRAPPED_SOL;
  return new InstructionBytes()
    .hex('1b72a94ddeeb6376')
    .string(name)
    .string(symbol)
    .string(uri)
    .addresses(moment.mint, moment.curve, moment.user, moment.creator)
    .i64(BigInt(moment.unixTime))
    .u64s(
      START_OF_CURVE.virtualBaseRaw,
      isSol ? fields.startQuoteRaw : 0n,
      START_OF_CURVE.realBaseRaw,
      SUPPLY_RAW,
    )
    .address(fields.tokenProgram)
    .bool(false)
    .bool(false)
    .address(quoteKey(moment))
    .u64s(fields.startQuoteRaw, fields.ownCreatorBps)
    .bool(moment.isHolderReward)
    .u8(fields.depth)
    .done();
}

export function completeEvent(moment: CurveMoment): Uint8Array {
  const { mint, curve, user, unixTime } = moment;
  return new InstructionBytes()
    .hex('5f72619cd42e9808')
    .addresses(user, mint, curve)
    .i64(BigInt(unixTime))
    .address(quoteKey(moment))
    .done();
}

/** The part of a purchase beyond the curve's end, emitted after CompleteEvent. */
export function postCompleteEvent(
  moment: CurveMoment,
  beyond: BeyondTrade,
  fees: CurveFees,
): Uint8Array {
  const { before } = beyond;
  return new InstructionBytes()
    .hex('6fb06d8b316cd5fb')
    .addresses(moment.user, moment.mint, moment.curve, quoteKey(moment))
    .i64(BigInt(moment.unixTime))
    .u64s(
      beyond.baseRaw,
      beyond.quoteRaw,
      fees.protocolBps,
      beyond.protocolFeeRaw,
      fees.creatorBps,
      beyond.creatorFeeRaw,
      buybackOf(beyond),
      before.baseRaw,
      before.quoteRaw,
      before.baseRaw - beyond.baseRaw,
      before.quoteRaw + beyond.quoteRaw,
    )
    .done();
}

/** SweepBondingCurveFeeEvent: 153 bytes, as measured on the main network. */
export function curveSweepEvent(
  moment: Omit<CurveMoment, 'user'>,
  recipient: Address,
  amountRaw: bigint,
  bucket: FeeBucket,
): Uint8Array {
  return new InstructionBytes()
    .hex('742b4dbd117a482b')
    .i64(BigInt(moment.unixTime))
    .addresses(moment.mint, moment.curve, quoteKey(moment), recipient)
    .u64(amountRaw)
    .u8(bucket === 'protocol' ? 0 : 1)
    .done();
}

/** The owner of kept fees. */
export type FeeBucket = 'protocol' | 'creator';

export interface MigrationFields {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly feeLamports: bigint;
  readonly pool: Address;
}

export function migrationEvent(moment: CurveMoment, fields: MigrationFields): Uint8Array {
  const { mint, curve, user, unixTime } = moment;
  const { baseRaw, quoteRaw, feeLamports, pool } = fields;
  return new InstructionBytes()
    .hex('bde95db95c94ea94')
    .addresses(user, mint)
    .u64s(baseRaw, quoteRaw, feeLamports)
    .address(curve)
    .i64(BigInt(unixTime))
    .addresses(pool, quoteKey(moment))
    .done();
}
