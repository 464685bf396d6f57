import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { PoolFees, PoolReserves, PoolTrade } from './pump-amm-math.ts';
import type { FeeBucket } from './pump-events.ts';

/** The user of a pool instruction, and all balances before it. */
export interface PoolMoment {
  readonly unixTime: number;
  readonly pool: Address;
  readonly user: Address;
  readonly userBase: Address;
  readonly userQuote: Address;
  readonly held: PoolReserves;
  readonly reserves: PoolReserves;
}

export interface SwapFields {
  readonly trade: PoolTrade;
  readonly fees: PoolFees;
  /** The zero key if fees stay in the pool. */
  readonly feeRecipient: Address;
  readonly feeRecipientQuote: Address;
  readonly coinCreator: Address | null;
  /** The trader's limit: maximum quote of a buy, minimum of a sale. */
  readonly quoteLimitRaw: bigint;
  readonly minBaseRaw: bigint;
  readonly instruction: 'buy' | 'buy_exact_quote_in' | 'buy_v2' | 'buy_exact_quote_in_v2' | 'sell';
  readonly buybackBps: bigint;
  readonly buybackRaw: bigint;
  /** Before the trade, signed. */
  readonly virtualQuoteRaw: bigint;
  readonly isBoosted: boolean;
  /** Supply of the token; 0n for pools without a curve. */
  readonly baseSupplyRaw: bigint;
  readonly isHolderReward: boolean;
  /** The creator's unclaimed fees in the pool after the trade. */
  readonly creatorUnclaimedRaw: bigint;
}

/** cashback_fee_basis_points, cashback. */
const NO_CASHBACK = new Uint8Array(2 * 8);
/** track_volume, the two token counts, volume and its time. */
const NO_VOLUME = new Uint8Array(1 + 4 * 8);

/** BuyEvent with the fields of October 2026. */
export function buyEvent(moment: PoolMoment, fields: SwapFields): Uint8Array {
  const head = swapHead('67f4521f2cf57777', moment, fields);
  const tail = swapTail(head, moment, fields)
    .raw(NO_VOLUME)
    .u64(fields.minBaseRaw)
    .string(fields.instruction);
  return octoberFields(tail, fields).done();
}

/** SellEvent with the fields of October 2026. */
export function sellEvent(moment: PoolMoment, fields: SwapFields): Uint8Array {
  const head = swapHead('3e2f370aa503dc2a', moment, fields);
  return octoberFields(swapTail(head, moment, fields), fields).done();
}

function octoberFields(bytes: InstructionBytes, fields: SwapFields): InstructionBytes {
  const { fees, trade, isHolderReward } = fields;
  return bytes
    .raw(NO_CASHBACK)
    .u64s(fields.buybackBps, fields.buybackRaw)
    .i128(fields.virtualQuoteRaw)
    .bool(fields.isBoosted)
    .u64s(
      fields.baseSupplyRaw,
      isHolderReward ? fees.creatorBps : 0n,
      isHolderReward ? trade.creatorFeeRaw : 0n,
      fields.creatorUnclaimedRaw,
    );
}

/**
 * A purchase by budget that keeps its fees lists the trader's payment before the amount that is
 * traded (recorded: v2d2Jm2H…); all others use the opposite order.
 */
function swapHead(discriminator: string, moment: PoolMoment, fields: SwapFields): InstructionBytes {
  const { trade, fees } = fields;
  const isReversed = fields.instruction === 'buy_exact_quote_in_v2';
  const { curveQuoteRaw, traderQuoteRaw } = trade;
  return new InstructionBytes()
    .hex(discriminator)
    .i64(BigInt(moment.unixTime))
    .u64s(trade.baseRaw, fields.quoteLimitRaw)
    .raw(balances(moment))
    .u64s(
      isReversed ? traderQuoteRaw : curveQuoteRaw,
      fees.lpBps,
      trade.lpFeeRaw,
      fees.protocolBps,
      trade.protocolFeeRaw,
      trade.vaultQuoteRaw,
      isReversed ? curveQuoteRaw : traderQuoteRaw,
    );
}

function swapTail(
  bytes: InstructionBytes,
  moment: PoolMoment,
  fields: SwapFields,
): InstructionBytes {
  return bytes
    .addresses(
      moment.pool,
      moment.user,
      moment.userBase,
      moment.userQuote,
      fields.feeRecipient,
      fields.feeRecipientQuote,
      fields.coinCreator ?? SYSTEM_PROGRAM,
    )
    .u64s(fields.fees.creatorBps, fields.trade.creatorFeeRaw);
}

export interface LiquidityFields {
  readonly lpRaw: bigint;
  readonly limits: PoolReserves;
  readonly moved: PoolReserves;
  /** LP tokens before, including the locked ones. */
  readonly lpSupplyRaw: bigint;
  readonly userLp: Address;
}

export function depositEvent(moment: PoolMoment, fields: LiquidityFields): Uint8Array {
  return liquidityEvent('78f83d531f8e6b90', moment, fields);
}

export function withdrawEvent(moment: PoolMoment, fields: LiquidityFields): Uint8Array {
  return liquidityEvent('1609851aa02c47c0', moment, fields);
}

/** Both have the same fields in the same order. */
function liquidityEvent(
  discriminator: string,
  moment: PoolMoment,
  fields: LiquidityFields,
): Uint8Array {
  return new InstructionBytes()
    .hex(discriminator)
    .i64(BigInt(moment.unixTime))
    .u64s(fields.lpRaw, fields.limits.baseRaw, fields.limits.quoteRaw)
    .raw(balances(moment))
    .u64s(fields.moved.baseRaw, fields.moved.quoteRaw, fields.lpSupplyRaw)
    .addresses(moment.pool, moment.user, moment.userBase, moment.userQuote, fields.userLp)
    .done();
}

function balances({ held, reserves }: PoolMoment): Uint8Array {
  return new InstructionBytes()
    .u64s(held.baseRaw, held.quoteRaw, reserves.baseRaw, reserves.quoteRaw)
    .done();
}

export interface PoolFields {
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
  readonly ownCreatorBps: bigint | null;
  readonly isHolderReward: boolean;
}

/** The most likely bump of the pool's address, whose actual bump the simulation does not store. */
const LIKELY_BUMP = 255;

export function createPoolEvent(
  moment: Omit<PoolMoment, 'held' | 'reserves'>,
  fields: PoolFields,
): Uint8Array {
  const { baseRaw, quoteRaw } = fields.deposited;
  const [baseDecimals, quoteDecimals] = fields.decimals;
  return new InstructionBytes()
    .hex('b1310cd2a076a774')
    .i64(BigInt(moment.unixTime))
    .u16(fields.index)
    .addresses(fields.creator, fields.baseMint, fields.quoteMint)
    .u8(baseDecimals)
    .u8(quoteDecimals)
    .u64s(
      baseRaw,
      quoteRaw,
      baseRaw,
      quoteRaw,
      fields.lockedRaw,
      fields.lpSupplyRaw,
      fields.lpSupplyRaw - fields.lockedRaw,
    )
    .u8(LIKELY_BUMP)
    .addresses(
      moment.pool,
      fields.lpMint,
      moment.userBase,
      moment.userQuote,
      fields.coinCreator ?? SYSTEM_PROGRAM,
    )
    .bool(false)
    .u64(fields.ownCreatorBps ?? 0n)
    .bool(false)
    .bool(fields.isHolderReward)
    .done();
}

export interface BoostFields {
  readonly unixTime: number;
  readonly mint: Address;
  readonly curve: Address;
  readonly pool: Address;
  readonly virtualQuoteRaw: bigint;
}

export function initBoostEvent(
  fields: BoostFields & { readonly quoteAfterRaw: bigint },
): Uint8Array {
  return new InstructionBytes()
    .hex('ae7c4af90451f611')
    .i64(BigInt(fields.unixTime))
    .addresses(fields.mint, fields.curve, fields.pool)
    .i128(fields.virtualQuoteRaw)
    .u64(fields.quoteAfterRaw)
    .done();
}

export interface BoostBuyFields extends BoostFields {
  readonly authority: Address;
  readonly requestedRaw: bigint;
  readonly usedRaw: bigint;
  readonly burntRaw: bigint;
  readonly after: PoolReserves;
  /** Remaining balance of the boost vault. */
  readonly leftRaw: bigint;
}

export function boostBuyEvent(fields: BoostBuyFields): Uint8Array {
  return new InstructionBytes()
    .hex('3f451c16305cc2b9')
    .i64(BigInt(fields.unixTime))
    .addresses(fields.mint, fields.curve, fields.pool, fields.authority)
    .u64s(fields.requestedRaw, fields.usedRaw, fields.burntRaw)
    .i128(fields.virtualQuoteRaw)
    .u64s(fields.after.quoteRaw, fields.after.baseRaw, fields.leftRaw)
    .done();
}

export interface PoolSweepFields {
  readonly unixTime: number;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly recipient: Address;
  readonly payer: Address;
  readonly amountRaw: bigint;
  readonly bucket: FeeBucket;
}

/** SweepPoolFeeEvent. */
export function poolSweepEvent(fields: PoolSweepFields): Uint8Array {
  return new InstructionBytes()
    .hex('82a42461e48287a5')
    .i64(BigInt(fields.unixTime))
    .addresses(fields.pool, fields.baseMint, fields.quoteMint, fields.recipient, fields.payer)
    .u64(fields.amountRaw)
    .u8(fields.bucket === 'protocol' ? 0 : 1)
    .done();
}
