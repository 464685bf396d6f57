/**
 * Meteora's DLMM pools, program LBUZKhRx…: liquidity in bins of one price each, by the program's
 * IDL and with the arithmetic of `dlmm-bins.ts`. The fee is the base fee: these pools have no
 * variable fee. Fees stay in the reserves until claimed, which never happens here.
 */

import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
import { binOfPrice, type PathSwap, priceOfBin, swapThroughBins } from './dlmm-bins.ts';
import type { LiquidityPool, PlannedPool, VenueContext } from './launchpad.ts';
import type { Reserves, SwapRequest } from './market.ts';
import {
  arrayIndexOf,
  BINS_PER_ARRAY,
  DLMM_ERROR,
  DLMM_EVENT_AUTHORITY,
  DLMM_SETTINGS,
  DlmmAccounts,
  type DlmmSettings,
  METEORA_DLMM_PROGRAM,
  type PairState,
  POSITION_WIDTH,
} from './meteora-dlmm-accounts.ts';
import { emitDlmmEvent, initializePair } from './meteora-dlmm-initialize.ts';
import { depositDlmm, storeBins, withdrawDlmm } from './meteora-dlmm-liquidity.ts';
import {
  hasState,
  inAndOut,
  orderedPair,
  ownTokens,
  type PoolPair,
  priceOf,
  reportLiquidity,
  reportPool,
  reportTrade,
  vaultReserves,
} from './pool-parts.ts';

const SWAP = 'f8c69e91e17587c8';
const SWAP_EVENT = '516ce3becdd00ac4';
/** Bin arrays that clients pass to a swap: a swap that needs more fails. */
const ARRAYS_PER_SWAP = 3;
const PRICE_UNIT = 2 ** 64;

/**
 * A pool of two plain SPL mints with generated addresses. Its first price is that of the first
 * amounts.
 */
export function planMeteoraDlmm(
  context: VenueContext,
  pair: PoolPair,
  settings: DlmmSettings = DLMM_SETTINGS,
): PlannedPool & { readonly pool: MeteoraDlmmPool } {
  const pool = new MeteoraDlmmPool(context, orderedPair(pair), settings);
  return {
    pool,
    createSigners: [],
    create: (execution, creator, baseRaw, quoteRaw) => {
      pool.initialize(execution, creator, priceOf({ baseRaw, quoteRaw }));
      pool.addLiquidity(execution, creator, baseRaw, quoteRaw);
    },
  };
}

export class MeteoraDlmmPool implements LiquidityPool {
  readonly venue = 'meteora_dlmm';
  readonly takesLamports = false;
  readonly lpMint = null;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  private readonly settings: DlmmSettings;
  private readonly feeRate: bigint;
  private readonly at: DlmmAccounts;
  private readonly tokenAccounts: TokenAccounts;
  private readonly prices = new Map<number, bigint>();

  constructor({ keyring, tokenAccounts }: VenueContext, pair: PoolPair, settings: DlmmSettings) {
    this.tokenAccounts = tokenAccounts;
    this.settings = settings;
    this.feeRate = BigInt(settings.baseFactor) * BigInt(settings.binStep) * 10n;
    this.baseMint = pair.baseMint;
    this.quoteMint = pair.quoteMint;
    this.at = new DlmmAccounts(keyring);
    this.pool = this.at.pool;
  }

  isOpen(ledger: Ledger): boolean {
    return hasState(ledger, this.pool);
  }

  reserves(ledger: Ledger): Reserves {
    return vaultReserves(ledger, this.at.reserveX, this.at.reserveY);
  }

  spotPrice(ledger: Ledger): number {
    return Number(this.priceAt(this.activeId(ledger))) / PRICE_UNIT;
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    if (amountInRaw <= 0n || !this.isOpen(ledger)) return 0n;
    return this.swapOf(ledger, side, amountInRaw)?.outRaw ?? 0n;
  }

  swap(execution: Execution, { trader, side, amountInRaw, minOutRaw }: SwapRequest): void {
    const { ledger } = execution;
    const data = new InstructionBytes().hex(SWAP).u64(amountInRaw).u64(minOutRaw).done();
    execution.invoke(METEORA_DLMM_PROGRAM, this.swapUses(ledger, trader, side), data, () => {
      const startId = this.activeId(ledger);
      const swap = amountInRaw > 0n ? this.swapOf(ledger, side, amountInRaw) : null;
      if (swap === null) {
        throw new ProgramFailure(DLMM_ERROR.insufficientLiquidity, 'pair insufficient liquidity');
      }
      if (swap.outRaw === 0n) {
        throw new ProgramFailure(DLMM_ERROR.insufficientOutAmount, 'insufficient out amount');
      }
      if (swap.outRaw < minOutRaw) {
        throw new ProgramFailure(DLMM_ERROR.exceededSlippage, 'exceeded amount slippage tolerance');
      }
      this.settle(execution, trader, side, amountInRaw, swap);
      this.emitSwap(execution, trader, side, amountInRaw, swap, startId);
      const { outRaw } = swap;
      const [baseRaw, quoteRaw] = inAndOut(side, amountInRaw, outRaw);
      reportTrade(execution, this, { trader, side, baseRaw, quoteRaw });
    });
  }

  /** Opens the empty pool at the bin of a price in raw quote units per raw base unit. */
  initialize(execution: Execution, creator: Address, price: number): void {
    const activeId = binOfPrice(this.settings.binStep, price);
    initializePair(execution, this.at, this, this.settings.binStep, creator, activeId);
    if (execution.failure === null) reportPool(execution, this, creator);
  }

  /**
   * Adds to the provider's position around the active bin, which is created if necessary: the base
   * evenly from the active bin up, the quote evenly from there down. Either amount may be 0.
   */
  addLiquidity(execution: Execution, provider: Address, baseRaw: bigint, quoteRaw: bigint): void {
    const { ledger } = execution;
    const activeId = this.activeId(ledger);
    const around = this.at.positionsOf(ledger, provider).find(({ state: { lowerBinId } }) => {
      return lowerBinId <= activeId && activeId < lowerBinId + POSITION_WIDTH;
    });
    const lowerBinId = around?.state.lowerBinId ?? activeId - (POSITION_WIDTH - 1) / 2;
    this.addLiquidityFrom(execution, provider, lowerBinId, baseRaw, quoteRaw);
  }

  /**
   * The same in the provider's position that begins at a given bin, regardless of the active one.
   */
  addLiquidityFrom(
    execution: Execution,
    provider: Address,
    lowerBinId: number,
    baseRaw: bigint,
    quoteRaw: bigint,
  ): void {
    const priceAt = (id: number) => this.priceAt(id);
    const paid = depositDlmm(execution, {
      accounts: this.tokenAccounts,
      at: this.at,
      pair: this,
      priceAt,
      provider,
      lowerBinId,
      xRaw: baseRaw,
      yRaw: quoteRaw,
    });
    if (paid === null || (paid.xRaw === 0n && paid.yRaw === 0n)) return;
    reportLiquidity(execution, this, { provider, baseRaw: paid.xRaw, quoteRaw: paid.yRaw });
  }

  /** `lpRaw` is the share of each of the provider's positions, in basis points. */
  removeLiquidity(execution: Execution, provider: Address, lpRaw: bigint): void {
    const { tokenAccounts: accounts, at } = this;
    for (const position of at.positionsOf(execution.ledger, provider)) {
      const removal = { accounts, at, pair: this, provider, position, bps: Number(lpRaw) };
      const taken = withdrawDlmm(execution, removal);
      if (taken === null || (taken.xRaw === 0n && taken.yRaw === 0n)) continue;
      reportLiquidity(execution, this, { provider, baseRaw: -taken.xRaw, quoteRaw: -taken.yRaw });
    }
  }

  /** The active bin; 0 for a pool that does not exist. */
  activeId(ledger: Ledger): number {
    const state = ledger.get(this.pool).state as PairState | null;
    return state?.activeId ?? 0;
  }

  private priceAt(id: number): bigint {
    let price = this.prices.get(id);
    if (price === undefined) {
      price = priceOfBin(this.settings.binStep, id);
      this.prices.set(id, price);
    }
    return price;
  }

  private swapOf(ledger: Ledger, side: Side, amountInRaw: bigint): PathSwap | null {
    const activeId = this.activeId(ledger);
    const [first, last] = spanOf(activeId, side);
    const path = {
      activeId,
      feeRate: this.feeRate,
      protocolShareBps: this.settings.protocolShareBps,
      binAt: (id: number) => (id < first || id > last ? null : this.at.bin(ledger, id)),
      priceAt: (id: number) => this.priceAt(id),
    };
    return swapThroughBins(path, side === 'sell', amountInRaw);
  }

  private settle(
    execution: Execution,
    trader: Address,
    side: Side,
    amountInRaw: bigint,
    swap: PathSwap,
  ): void {
    const { ledger } = execution;
    const { pool, reserveX, reserveY } = this.at;
    const isXIn = side === 'sell';
    const [mintIn, mintOut] = inAndOut(side, this.baseMint, this.quoteMint);
    const from = ownTokens(ledger, this.tokenAccounts, trader, mintIn);
    const to = ownTokens(ledger, this.tokenAccounts, trader, mintOut);
    const [vaultIn, vaultOut] = inAndOut(side, reserveX, reserveY);
    const paid = { from, to: vaultIn, authority: trader, amountRaw: amountInRaw };
    transferTokensChecked(execution, paid);
    const got = { from: vaultOut, to, authority: pool, amountRaw: swap.outRaw };
    transferTokensChecked(execution, got);
    storeBins(execution, this.at, swap.bins);
    const { feesXRaw, feesYRaw } = ledger.get(pool).state as PairState;
    const state: PairState = {
      activeId: swap.activeId,
      feesXRaw: isXIn ? feesXRaw + swap.feeRaw : feesXRaw,
      feesYRaw: isXIn ? feesYRaw : feesYRaw + swap.feeRaw,
    };
    execution.change(pool, { state });
  }

  private swapUses(ledger: Ledger, trader: Address, side: Side) {
    const { at, baseMint, quoteMint } = this;
    const [mintIn, mintOut] = inAndOut(side, baseMint, quoteMint);
    const [first, last] = spanOf(this.activeId(ledger), side);
    const arrays = [];
    for (let index = arrayIndexOf(first); index <= arrayIndexOf(last); index++) {
      if (at.bin(ledger, index * BINS_PER_ARRAY) !== null) arrays.push(at.binArray(index));
    }
    if (side === 'sell') arrays.reverse();
    return [
      writable(this.pool),
      readOnly(METEORA_DLMM_PROGRAM),
      writable(at.reserveX),
      writable(at.reserveY),
      writable(this.tokenAccounts.of(trader, mintIn)),
      writable(this.tokenAccounts.of(trader, mintOut)),
      readOnly(baseMint),
      readOnly(quoteMint),
      writable(at.oracle),
      readOnly(METEORA_DLMM_PROGRAM),
      signing(trader),
      readOnly(ledger.get(baseMint).program),
      readOnly(ledger.get(quoteMint).program),
      readOnly(DLMM_EVENT_AUTHORITY),
      readOnly(METEORA_DLMM_PROGRAM),
      ...arrays.map(writable),
    ];
  }

  private emitSwap(
    execution: Execution,
    trader: Address,
    side: Side,
    amountInRaw: bigint,
    swap: PathSwap,
    startId: number,
  ): void {
    const event = new InstructionBytes()
      .hex(SWAP_EVENT)
      .addresses(this.pool, trader)
      .i32(startId)
      .i32(swap.activeId)
      .u64s(amountInRaw, swap.outRaw)
      .bool(side === 'sell')
      .u64s(swap.feeRaw, swap.protocolFeeRaw)
      .u128(this.feeRate)
      .u64(0n);
    emitDlmmEvent(execution, event.done());
  }
}

/**
 * The bins whose accounts a swap includes: the active bin's array and the next ones in its
 * direction.
 */
function spanOf(activeId: number, side: Side): readonly [number, number] {
  const index = arrayIndexOf(activeId);
  const [lowest, highest] =
    side === 'sell' ? [index - ARRAYS_PER_SWAP + 1, index] : [index, index + ARRAYS_PER_SWAP - 1];
  return [lowest * BINS_PER_ARRAY, (highest + 1) * BINS_PER_ARRAY - 1];
}
