/**
 * Raydium's first pools, program 675kPX9M…, with the layouts of its interface file and, for swaps
 * without a market, of its published source. Fees stay in the vaults and are part of the reserves.
 * The share of them that the program reserves for buybacks when liquidity changes is not modelled:
 * pools behave as if it were zero.
 */

import { SPL_TOKEN_PROGRAM } from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { transferTokens } from '../programs/token.ts';
import { divideUp, inputOf, outputOf } from './constant-product.ts';
import type { LiquidityPool, PlannedPool, VenueContext } from './launchpad.ts';
import type { ExactOutRequest, Reserves, SwapRequest } from './market.ts';
import {
  hasState,
  inAndOut,
  orderedPair,
  ownTokens,
  type PoolPair,
  plannedPool,
  priceOf,
  reportLiquidity,
  reportPool,
  reportTrade,
  vaultReserves,
} from './pool-parts.ts';
import {
  AMM_ERROR,
  type AmmAccounts,
  drawAmmAccounts,
  MARKET_PROGRAM,
  RAYDIUM_AMM_V4_AUTHORITY,
  RAYDIUM_AMM_V4_PROGRAM,
} from './raydium-amm-v4-accounts.ts';
import {
  type AmmChange,
  depositAmm,
  initializeAmm,
  withdrawAmm,
} from './raydium-amm-v4-liquidity.ts';

/** 0.25 %, rounded up. */
const FEE_NUMERATOR = 25n;
const FEE_DENOMINATOR = 10_000n;

const TAG = { swapBaseIn: 9, swapBaseOut: 11 } as const;
/** Swaps without market accounts have tags of their own. */
const MARKETLESS_TAG = { 9: 16, 11: 17 } as const;
const MARKET_PLACES_BEHIND_VAULTS = 8;

/**
 * The accounts that clients pass: all of the market's (18), the same without the target orders and
 * with the pool in place of the market's accounts, as routers do (17), or none of the market (8).
 */
export type RaydiumSwapForm = 'market' | 'filled' | 'marketless';

/** A pool of two plain SPL mints with generated addresses. */
export function planRaydiumAmmV4(
  context: VenueContext,
  pair: PoolPair,
  form: RaydiumSwapForm = 'market',
): PlannedPool & { readonly pool: RaydiumAmmV4Pool } {
  return plannedPool(new RaydiumAmmV4Pool(context, orderedPair(pair), form));
}

/** The output of a swap of `amountInRaw`, including the fee. */
export function ammOutput(amountInRaw: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const feeRaw = divideUp(amountInRaw * FEE_NUMERATOR, FEE_DENOMINATOR);
  return outputOf(amountInRaw - feeRaw, reserveIn, reserveOut);
}

/** The input, including the fee, of a swap that pays out `amountOutRaw`. */
export function ammInput(amountOutRaw: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const beforeFee = inputOf(amountOutRaw, reserveIn, reserveOut);
  return divideUp(beforeFee * FEE_DENOMINATOR, FEE_DENOMINATOR - FEE_NUMERATOR);
}

export class RaydiumAmmV4Pool implements LiquidityPool {
  readonly venue = 'raydium_amm_v4';
  readonly takesLamports = false;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  private readonly form: RaydiumSwapForm;
  private readonly at: AmmAccounts;
  private readonly tokenAccounts: TokenAccounts;

  constructor({ keyring, tokenAccounts }: VenueContext, pair: PoolPair, form: RaydiumSwapForm) {
    this.tokenAccounts = tokenAccounts;
    this.form = form;
    this.baseMint = pair.baseMint;
    this.quoteMint = pair.quoteMint;
    this.at = drawAmmAccounts(keyring, pair.baseMint, pair.quoteMint);
    this.pool = this.at.pool;
  }

  get lpMint(): Address {
    return this.at.lpMint;
  }

  isOpen(ledger: Ledger): boolean {
    return hasState(ledger, this.pool);
  }

  reserves(ledger: Ledger): Reserves {
    return vaultReserves(ledger, this.at.coinVault, this.at.pcVault);
  }

  spotPrice(ledger: Ledger): number {
    return priceOf(this.reserves(ledger));
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    if (amountInRaw <= 0n || !this.isOpen(ledger)) return 0n;
    const { reserveIn, reserveOut } = this.directed(ledger, side);
    return ammOutput(amountInRaw, reserveIn, reserveOut);
  }

  /** The payment, including the fee, for `amountOutRaw`; null if the pool has less. */
  quoteExactOut(ledger: Ledger, side: Side, amountOutRaw: bigint): bigint | null {
    const { reserveIn, reserveOut } = this.directed(ledger, side);
    if (amountOutRaw <= 0n || amountOutRaw >= reserveOut) return null;
    return ammInput(amountOutRaw, reserveIn, reserveOut);
  }

  swap(execution: Execution, { trader, side, amountInRaw, minOutRaw }: SwapRequest): void {
    this.invokeSwap(execution, trader, side, TAG.swapBaseIn, [amountInRaw, minOutRaw], () => {
      const outRaw = this.quote(execution.ledger, side, amountInRaw);
      if (outRaw === 0n) throw new ProgramFailure(AMM_ERROR.invalidInput, 'invalid input');
      if (outRaw < minOutRaw)
        throw new ProgramFailure(AMM_ERROR.exceededSlippage, 'exceeded slippage');
      return { inRaw: amountInRaw, outRaw, logTail: outRaw };
    });
  }

  /** `swapBaseOut`: exactly `amountOutRaw` for at most `maxInRaw`. */
  swapExactOut(execution: Execution, order: ExactOutRequest): void {
    const { trader, side, amountOutRaw, maxInRaw } = order;
    this.invokeSwap(execution, trader, side, TAG.swapBaseOut, [maxInRaw, amountOutRaw], () => {
      const inRaw = this.quoteExactOut(execution.ledger, side, amountOutRaw);
      if (inRaw === null) throw new ProgramFailure(AMM_ERROR.invalidInput, 'invalid input');
      if (inRaw > maxInRaw)
        throw new ProgramFailure(AMM_ERROR.exceededSlippage, 'exceeded slippage');
      return { inRaw, outRaw: amountOutRaw, logTail: inRaw };
    });
  }

  initialize(execution: Execution, creator: Address, baseRaw: bigint, quoteRaw: bigint): void {
    const first = { coinRaw: baseRaw, pcRaw: quoteRaw };
    initializeAmm(execution, this.tokenAccounts, this.at, creator, first);
    if (execution.failure === null) reportPool(execution, this, creator);
  }

  addLiquidity(execution: Execution, provider: Address, baseRaw: bigint, quoteRaw: bigint): void {
    ensureTokenAccount(execution, this.tokenAccounts, provider, provider, this.at.lpMint);
    const most = { coinRaw: baseRaw, pcRaw: quoteRaw };
    const paid = depositAmm(execution, this.tokenAccounts, this.at, provider, most);
    this.reportChange(execution, provider, paid);
  }

  removeLiquidity(execution: Execution, provider: Address, lpRaw: bigint): void {
    const taken = withdrawAmm(execution, this.tokenAccounts, this.at, provider, lpRaw);
    this.reportChange(execution, provider, taken);
  }

  private reportChange(execution: Execution, provider: Address, change: AmmChange | null): void {
    if (change === null) return;
    const { coinRaw: baseRaw, pcRaw: quoteRaw } = change;
    reportLiquidity(execution, this, { provider, baseRaw, quoteRaw });
  }

  private invokeSwap(
    execution: Execution,
    trader: Address,
    side: Side,
    tag: typeof TAG.swapBaseIn | typeof TAG.swapBaseOut,
    args: readonly [bigint, bigint],
    price: () => { readonly inRaw: bigint; readonly outRaw: bigint; readonly logTail: bigint },
  ): void {
    const { ledger } = execution;
    const { vaultIn, vaultOut, mintIn, mintOut } = this.directed(ledger, side);
    const source = this.tokenAccounts.of(trader, mintIn);
    const destination = this.tokenAccounts.of(trader, mintOut);
    const data = new InstructionBytes()
      .u8(this.form === 'marketless' ? MARKETLESS_TAG[tag] : tag)
      .u64s(args[0], args[1])
      .done();
    const uses = this.swapUses(source, destination, trader);
    execution.invoke(RAYDIUM_AMM_V4_PROGRAM, uses, data, () => {
      ownTokens(ledger, this.tokenAccounts, trader, mintOut);
      const held = ledger.token(ownTokens(ledger, this.tokenAccounts, trader, mintIn)).amountRaw;
      const { inRaw, outRaw, logTail } = price();
      this.logSwap(execution, tag, side, args, held, logTail);
      transferTokens(execution, { from: source, to: vaultIn, authority: trader, amountRaw: inRaw });
      const authority = RAYDIUM_AMM_V4_AUTHORITY;
      transferTokens(execution, { from: vaultOut, to: destination, authority, amountRaw: outRaw });
      const [baseRaw, quoteRaw] = inAndOut(side, inRaw, outRaw);
      reportTrade(execution, this, { trader, side, baseRaw, quoteRaw });
    });
  }

  private directed(ledger: Ledger, side: Side) {
    const { coinVault, pcVault } = this.at;
    const { baseRaw, quoteRaw } = this.reserves(ledger);
    const [vaultIn, vaultOut] = inAndOut(side, coinVault, pcVault);
    const [mintIn, mintOut] = inAndOut(side, this.baseMint, this.quoteMint);
    const [reserveIn, reserveOut] = inAndOut(side, baseRaw, quoteRaw);
    return { vaultIn, vaultOut, mintIn, mintOut, reserveIn, reserveOut };
  }

  private swapUses(source: Address, destination: Address, trader: Address): AccountUse[] {
    const { openOrders, targetOrders, coinVault, pcVault, market, marketAccounts } = this.at;
    const head = [
      readOnly(SPL_TOKEN_PROGRAM),
      writable(this.pool),
      readOnly(RAYDIUM_AMM_V4_AUTHORITY),
    ];
    const vaults = [writable(coinVault), writable(pcVault)];
    const user = [writable(source), writable(destination), signing(trader)];
    if (this.form === 'marketless') return [...head, ...vaults, ...user];
    if (this.form === 'filled') {
      const filler = writable(this.pool);
      return [
        ...head,
        filler,
        ...vaults,
        ...Array.from({ length: MARKET_PLACES_BEHIND_VAULTS }, () => filler),
        ...user,
      ];
    }
    const orders = [writable(openOrders), writable(targetOrders)];
    const ofMarket = [readOnly(MARKET_PROGRAM), writable(market), ...marketAccounts.map(writable)];
    return [...head, ...orders, ...vaults, ...ofMarket, ...user];
  }

  /** The program's `SwapBaseInLog` or `SwapBaseOutLog`. */
  private logSwap(
    execution: Execution,
    tag: number,
    side: Side,
    args: readonly [bigint, bigint],
    held: bigint,
    tail: bigint,
  ): void {
    const { baseRaw, quoteRaw } = this.reserves(execution.ledger);
    const bytes = new InstructionBytes()
      .u8(tag === TAG.swapBaseIn ? 3 : 4)
      .u64s(args[0], args[1], side === 'buy' ? 1n : 2n, held, baseRaw, quoteRaw, tail);
    execution.log(`ray_log: ${Buffer.from(bytes.done()).toString('base64')}`);
  }
}
