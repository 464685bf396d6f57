import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { TokenText } from './launchpad.ts';
import {
  CURVE_FEES,
  type CurveReserves,
  type CurveTrade,
  START_OF_CURVE,
  SUPPLY_RAW,
} from './pump-curve-math.ts';

/** Native SOL as events of the program name it. */
const NATIVE_QUOTE = SYSTEM_PROGRAM;

/** Share of the protocol's fee that buys tokens back. */
export const BUYBACK_BPS = 5_000n;

/** What every event of a curve tells. */
export interface CurveMoment {
  readonly mint: Address;
  readonly curve: Address;
  readonly creator: Address;
  readonly user: Address;
  readonly unixTime: number;
}

export interface ToldTrade {
  readonly trade: CurveTrade;
  readonly isBuy: boolean;
  /** Once the trade is done. */
  readonly reserves: CurveReserves;
  readonly feeRecipient: Address;
  readonly buybackFeeRaw: bigint;
  readonly instruction: 'buy' | 'buy_exact_sol_in' | 'sell';
}

/** TradeEvent with the fields of 2026: no volume tracking, cashback or shareholders. */
export function tradeEvent(moment: CurveMoment, told: ToldTrade): Uint8Array {
  const { trade, reserves } = told;
  const { virtualQuoteRaw, virtualBaseRaw, realQuoteRaw, realBaseRaw } = reserves;
  return new InstructionBytes()
    .hex('bddb7fd34ee661ee')
    .address(moment.mint)
    .u64(trade.quoteRaw)
    .u64(trade.baseRaw)
    .bool(told.isBuy)
    .address(moment.user)
    .i64(BigInt(moment.unixTime))
    .u64(virtualQuoteRaw)
    .u64(virtualBaseRaw)
    .u64(realQuoteRaw)
    .u64(realBaseRaw)
    .address(told.feeRecipient)
    .u64(CURVE_FEES.protocolBps)
    .u64(trade.protocolFeeRaw)
    .address(moment.creator)
    .u64(CURVE_FEES.creatorBps)
    .u64(trade.creatorFeeRaw)
    .raw(NO_VOLUME)
    .string(told.instruction)
    .raw(NO_CASHBACK)
    .u64(BUYBACK_BPS)
    .u64(told.buybackFeeRaw)
    .u32(0)
    .address(NATIVE_QUOTE)
    .u64(trade.quoteRaw)
    .u64(virtualQuoteRaw)
    .u64(realQuoteRaw)
    .done();
}

/** track_volume, the two token counts, volume and its time. */
const NO_VOLUME = new Uint8Array(1 + 4 * 8);
/** mayhem_mode, the cashback's rate and amount. */
const NO_CASHBACK = new Uint8Array(1 + 2 * 8);

export function createEvent(
  { mint, curve, creator, user, unixTime }: CurveMoment,
  { name, symbol, uri }: TokenText,
  tokenProgram: Address,
): Uint8Array {
  return new InstructionBytes()
    .hex('1b72a94ddeeb6376')
    .string(name)
    .string(symbol)
    .string(uri)
    .address(mint)
    .address(curve)
    .address(user)
    .address(creator)
    .i64(BigInt(unixTime))
    .u64(START_OF_CURVE.virtualBaseRaw)
    .u64(START_OF_CURVE.virtualQuoteRaw)
    .u64(START_OF_CURVE.realBaseRaw)
    .u64(SUPPLY_RAW)
    .address(tokenProgram)
    .bool(false)
    .bool(false)
    .address(NATIVE_QUOTE)
    .u64(START_OF_CURVE.virtualQuoteRaw)
    .done();
}

export function completeEvent({ mint, curve, user, unixTime }: CurveMoment): Uint8Array {
  return new InstructionBytes()
    .hex('5f72619cd42e9808')
    .address(user)
    .address(mint)
    .address(curve)
    .i64(BigInt(unixTime))
    .address(NATIVE_QUOTE)
    .done();
}

export interface ToldMigration {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly feeLamports: bigint;
  readonly pool: Address;
}

export function migrationEvent(
  { mint, curve, user, unixTime }: CurveMoment,
  { baseRaw, quoteRaw, feeLamports, pool }: ToldMigration,
): Uint8Array {
  return new InstructionBytes()
    .hex('bde95db95c94ea94')
    .address(user)
    .address(mint)
    .u64(baseRaw)
    .u64(quoteRaw)
    .u64(feeLamports)
    .address(curve)
    .i64(BigInt(unixTime))
    .address(pool)
    .address(NATIVE_QUOTE)
    .done();
}
