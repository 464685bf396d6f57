import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { PoolFees, PoolReserves, PoolTrade } from './pump-amm-math.ts';

/** Who does something to a pool, and what everybody held before. */
export interface PoolMoment {
  readonly unixTime: number;
  readonly pool: Address;
  readonly user: Address;
  readonly userBase: Address;
  readonly userQuote: Address;
  readonly held: PoolReserves;
  readonly reserves: PoolReserves;
}

export interface ToldSwap {
  readonly trade: PoolTrade;
  readonly fees: PoolFees;
  readonly feeRecipient: Address;
  readonly feeRecipientQuote: Address;
  readonly coinCreator: Address | null;
  /** The trader's limit: most quote of a buy, least of a sale. */
  readonly quoteLimitRaw: bigint;
  readonly minBaseRaw: bigint;
  readonly instruction: 'buy' | 'buy_exact_quote_in' | 'sell';
}

/** cashback_fee_basis_points, cashback, buyback_fee_basis_points, buyback_fee. */
const NO_EXTRA_FEES = new Uint8Array(4 * 8);
/** track_volume, the two token counts, volume and its time. */
const NO_VOLUME = new Uint8Array(1 + 4 * 8);

/** BuyEvent with the fields of 2026. */
export function buyEvent(moment: PoolMoment, told: ToldSwap): Uint8Array {
  const head = swapHead('67f4521f2cf57777', moment, told);
  return swapTail(head, moment, told)
    .raw(NO_VOLUME)
    .u64(told.minBaseRaw)
    .string(told.instruction)
    .raw(NO_EXTRA_FEES)
    .done();
}

/** SellEvent with the fields of 2026. */
export function sellEvent(moment: PoolMoment, told: ToldSwap): Uint8Array {
  const head = swapHead('3e2f370aa503dc2a', moment, told);
  return swapTail(head, moment, told).raw(NO_EXTRA_FEES).done();
}

function swapHead(discriminator: string, moment: PoolMoment, told: ToldSwap): InstructionBytes {
  const { trade, fees } = told;
  return new InstructionBytes()
    .hex(discriminator)
    .i64(BigInt(moment.unixTime))
    .u64(trade.baseRaw)
    .u64(told.quoteLimitRaw)
    .raw(balances(moment))
    .u64(trade.curveQuoteRaw)
    .u64(fees.lpBps)
    .u64(trade.lpFeeRaw)
    .u64(fees.protocolBps)
    .u64(trade.protocolFeeRaw)
    .u64(trade.vaultQuoteRaw)
    .u64(trade.traderQuoteRaw);
}

function swapTail(bytes: InstructionBytes, moment: PoolMoment, told: ToldSwap): InstructionBytes {
  return bytes
    .address(moment.pool)
    .address(moment.user)
    .address(moment.userBase)
    .address(moment.userQuote)
    .address(told.feeRecipient)
    .address(told.feeRecipientQuote)
    .address(told.coinCreator ?? SYSTEM_PROGRAM)
    .u64(told.fees.creatorBps)
    .u64(told.trade.creatorFeeRaw);
}

export interface ToldLiquidity {
  readonly lpRaw: bigint;
  readonly limits: PoolReserves;
  readonly moved: PoolReserves;
  /** LP tokens before, the locked ones included. */
  readonly lpSupplyRaw: bigint;
  readonly userLp: Address;
}

export function depositEvent(moment: PoolMoment, told: ToldLiquidity): Uint8Array {
  return liquidityEvent('78f83d531f8e6b90', moment, told);
}

export function withdrawEvent(moment: PoolMoment, told: ToldLiquidity): Uint8Array {
  return liquidityEvent('1609851aa02c47c0', moment, told);
}

/** Both have the same fields in the same order. */
function liquidityEvent(
  discriminator: string,
  moment: PoolMoment,
  told: ToldLiquidity,
): Uint8Array {
  return new InstructionBytes()
    .hex(discriminator)
    .i64(BigInt(moment.unixTime))
    .u64(told.lpRaw)
    .u64(told.limits.baseRaw)
    .u64(told.limits.quoteRaw)
    .raw(balances(moment))
    .u64(told.moved.baseRaw)
    .u64(told.moved.quoteRaw)
    .u64(told.lpSupplyRaw)
    .address(moment.pool)
    .address(moment.user)
    .address(moment.userBase)
    .address(moment.userQuote)
    .address(told.userLp)
    .done();
}

function balances({ held, reserves }: PoolMoment): Uint8Array {
  return new InstructionBytes()
    .u64(held.baseRaw)
    .u64(held.quoteRaw)
    .u64(reserves.baseRaw)
    .u64(reserves.quoteRaw)
    .done();
}

export interface ToldPool {
  readonly index: number;
  readonly creator: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly decimals: readonly [base: number, quote: number];
  readonly deposited: PoolReserves;
  readonly lockedRaw: bigint;
  readonly lpSupplyRaw: bigint;
  readonly lpMint: Address;
  readonly coinCreator: Address | null;
}

/** The bump of the pool's address, which the simulation does not keep: the most likely one. */
const LIKELY_BUMP = 255;

export function createPoolEvent(
  moment: Omit<PoolMoment, 'held' | 'reserves'>,
  told: ToldPool,
): Uint8Array {
  const { baseRaw, quoteRaw } = told.deposited;
  const [baseDecimals, quoteDecimals] = told.decimals;
  return new InstructionBytes()
    .hex('b1310cd2a076a774')
    .i64(BigInt(moment.unixTime))
    .u16(told.index)
    .address(told.creator)
    .address(told.baseMint)
    .address(told.quoteMint)
    .u8(baseDecimals)
    .u8(quoteDecimals)
    .u64(baseRaw)
    .u64(quoteRaw)
    .u64(baseRaw)
    .u64(quoteRaw)
    .u64(told.lockedRaw)
    .u64(told.lpSupplyRaw)
    .u64(told.lpSupplyRaw - told.lockedRaw)
    .u8(LIKELY_BUMP)
    .address(moment.pool)
    .address(told.lpMint)
    .address(moment.userBase)
    .address(moment.userQuote)
    .address(told.coinCreator ?? SYSTEM_PROGRAM)
    .bool(false)
    .done();
}
