/**
 * The arithmetic of Meteora's DLMM pools: bin prices as the program computes them, swaps through
 * bins, liquidity in bins. Prices are raw Y per raw X with 64 fraction bits. Fees are never part of
 * a bin.
 */

import { log } from '../random/portable-math.ts';
import { divideUp } from './constant-product.ts';

/** One price level. */
export interface Bin {
  readonly xRaw: bigint;
  readonly yRaw: bigint;
  /** Supply of liquidity shares, with 64 fraction bits. */
  readonly shares: bigint;
}

export const EMPTY_BIN: Bin = { xRaw: 0n, yRaw: 0n, shares: 0n };

const FRACTION_BITS = 64n;
const ONE = 1n << FRACTION_BITS;
const MAX_UINT128 = (1n << 128n) - 1n;
const BASIS_POINTS = 10_000n;

/** The denominator of fee rates. */
export const FEE_UNIT = 1_000_000_000n;

/**
 * (1 + binStep / 10,000) ^ id by repeated squaring of the inverse base, each product truncated to
 * 64 fraction bits: the program's own method, which gives identical last bits.
 */
export function priceOfBin(binStep: number, id: number): bigint {
  const base = ONE + (BigInt(binStep) << FRACTION_BITS) / BASIS_POINTS;
  if (id === 0) return ONE;
  let square = MAX_UINT128 / base;
  let power = ONE;
  for (let rest = Math.abs(id); rest > 0; rest >>= 1) {
    if ((rest & 1) === 1) power = (power * square) >> FRACTION_BITS;
    square = (square * square) >> FRACTION_BITS;
  }
  return id < 0 ? power : MAX_UINT128 / power;
}

/** The bin with the highest price not above `price` (raw Y per raw X). */
export function binOfPrice(binStep: number, price: number): number {
  return Math.floor(log(price) / log(1 + binStep / 10_000));
}

/** A swap inside one bin. */
export interface BinSwap {
  readonly bin: Bin;
  readonly usedRaw: bigint;
  readonly outRaw: bigint;
  readonly feeRaw: bigint;
}

/** Trades up to `amountInRaw`, including the fee, against one bin; the fee is rounded up. */
export function swapInBin(
  bin: Bin,
  price: bigint,
  isXIn: boolean,
  amountInRaw: bigint,
  feeRate: bigint,
): BinSwap {
  const most = isXIn ? bin.yRaw : bin.xRaw;
  const mostIn = isXIn ? divideUp(most << FRACTION_BITS, price) : divideUp(most * price, ONE);
  const mostFee = divideUp(mostIn * feeRate, FEE_UNIT - feeRate);
  if (amountInRaw > mostIn + mostFee) {
    return swapped(bin, isXIn, mostIn, most, mostFee);
  }
  const feeRaw = divideUp(amountInRaw * feeRate, FEE_UNIT);
  const netRaw = amountInRaw - feeRaw;
  const outRaw = isXIn ? (netRaw * price) >> FRACTION_BITS : (netRaw << FRACTION_BITS) / price;
  return swapped(bin, isXIn, netRaw, outRaw > most ? most : outRaw, feeRaw);
}

function swapped(
  bin: Bin,
  isXIn: boolean,
  netRaw: bigint,
  outRaw: bigint,
  feeRaw: bigint,
): BinSwap {
  const { shares } = bin;
  const after = isXIn
    ? { xRaw: bin.xRaw + netRaw, yRaw: bin.yRaw - outRaw, shares }
    : { xRaw: bin.xRaw - outRaw, yRaw: bin.yRaw + netRaw, shares };
  return { bin: after, usedRaw: netRaw + feeRaw, outRaw, feeRaw };
}

/** The part of a pool's state that a swap uses. */
export interface BinPath {
  readonly activeId: number;
  readonly feeRate: bigint;
  /** The protocol's share of each bin's fee. */
  readonly protocolShareBps: bigint;
  /** Null beyond the last bin with an account. */
  readonly binAt: (id: number) => Bin | null;
  readonly priceAt: (id: number) => bigint;
}

export interface PathSwap {
  readonly bins: ReadonlyMap<number, Bin>;
  readonly activeId: number;
  readonly outRaw: bigint;
  readonly feeRaw: bigint;
  /** Part of the fee. */
  readonly protocolFeeRaw: bigint;
}

/** Trades bin by bin until the input is used up; null if the liquidity does not suffice. */
export function swapThroughBins(
  path: BinPath,
  isXIn: boolean,
  amountInRaw: bigint,
): PathSwap | null {
  const bins = new Map<number, Bin>();
  let id = path.activeId;
  let leftRaw = amountInRaw;
  let outRaw = 0n;
  let feeRaw = 0n;
  let protocolFeeRaw = 0n;
  for (;;) {
    const bin = path.binAt(id);
    if (bin === null) return null;
    if ((isXIn ? bin.yRaw : bin.xRaw) > 0n) {
      const swap = swapInBin(bin, path.priceAt(id), isXIn, leftRaw, path.feeRate);
      bins.set(id, swap.bin);
      leftRaw -= swap.usedRaw;
      outRaw += swap.outRaw;
      feeRaw += swap.feeRaw;
      protocolFeeRaw += (swap.feeRaw * path.protocolShareBps) / BASIS_POINTS;
    }
    if (leftRaw <= 0n) return { bins, activeId: id, outRaw, feeRaw, protocolFeeRaw };
    id += isXIn ? -1 : 1;
  }
}

/** The bin with the liquidity added, and the shares issued for it. */
export function depositInBin(
  bin: Bin,
  price: bigint,
  xRaw: bigint,
  yRaw: bigint,
): { readonly bin: Bin; readonly shares: bigint } {
  const worth = liquidityOf(price, xRaw, yRaw);
  const held = liquidityOf(price, bin.xRaw, bin.yRaw);
  const shares = bin.shares === 0n || held === 0n ? worth : (worth * bin.shares) / held;
  return {
    bin: { xRaw: bin.xRaw + xRaw, yRaw: bin.yRaw + yRaw, shares: bin.shares + shares },
    shares,
  };
}

/** The value of shares of a bin, rounded down, and the bin without them. */
export function withdrawFromBin(
  bin: Bin,
  shares: bigint,
): { readonly bin: Bin; readonly xRaw: bigint; readonly yRaw: bigint } {
  if (shares === 0n) return { bin, xRaw: 0n, yRaw: 0n };
  const xRaw = (bin.xRaw * shares) / bin.shares;
  const yRaw = (bin.yRaw * shares) / bin.shares;
  return {
    bin: { xRaw: bin.xRaw - xRaw, yRaw: bin.yRaw - yRaw, shares: bin.shares - shares },
    xRaw,
    yRaw,
  };
}

function liquidityOf(price: bigint, xRaw: bigint, yRaw: bigint): bigint {
  return price * xRaw + (yRaw << FRACTION_BITS);
}
