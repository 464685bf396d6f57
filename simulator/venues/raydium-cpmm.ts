/**
 * Raydium's constant-product pools, program CPMMoo8L…, by its interface file and source. The
 * protocol's and the fund's share of every fee stay in the vaults but are not part of the reserves.
 * Mints of Token-2022 with a transfer fee are supported: the received amount counts.
 */

import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { transferTokensChecked } from '../programs/token.ts';
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
  CPMM_CONFIG,
  CPMM_ERROR,
  type CpmmAccounts,
  type CpmmConfig,
  type CpmmState,
  drawCpmmAccounts,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_PROGRAM,
} from './raydium-cpmm-accounts.ts';
import { initializeCpmm } from './raydium-cpmm-initialize.ts';
import {
  type CpmmChange,
  type CpmmProvision,
  depositCpmm,
  lpForDeposit,
  withdrawCpmm,
} from './raydium-cpmm-liquidity.ts';
import {
  type CpmmReserves,
  type CpmmTrade,
  tradeForInput,
  tradeForOutput,
} from './raydium-cpmm-math.ts';

const SWAP_BASE_INPUT = '8fbe5adac41e33de';
const SWAP_BASE_OUTPUT = '37d96256a34ab4ad';
const SWAP_EVENT = '40c6cde8260871e2';

/** A pool with generated addresses. */
export function planRaydiumCpmm(
  context: VenueContext,
  pair: PoolPair,
  config: CpmmConfig = CPMM_CONFIG,
): PlannedPool & { readonly pool: RaydiumCpmmPool } {
  return plannedPool(new RaydiumCpmmPool(context, orderedPair(pair), config));
}

export class RaydiumCpmmPool implements LiquidityPool {
  readonly venue = 'raydium_cpmm';
  readonly takesLamports = false;
  readonly pool: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly accounts: CpmmAccounts;
  private readonly config: CpmmConfig;
  private readonly tokenAccounts: TokenAccounts;

  constructor({ keyring, tokenAccounts }: VenueContext, pair: PoolPair, config: CpmmConfig) {
    this.tokenAccounts = tokenAccounts;
    this.config = config;
    this.baseMint = pair.baseMint;
    this.quoteMint = pair.quoteMint;
    this.accounts = drawCpmmAccounts(keyring, pair.baseMint, pair.quoteMint);
    this.pool = this.accounts.pool;
  }

  get lpMint(): Address {
    return this.accounts.lpMint;
  }

  isOpen(ledger: Ledger): boolean {
    return hasState(ledger, this.pool);
  }

  reserves(ledger: Ledger): Reserves {
    return vaultReserves(ledger, this.accounts.base.vault, this.accounts.quote.vault);
  }

  spotPrice(ledger: Ledger): number {
    return priceOf(this.tradable(ledger));
  }

  quote(ledger: Ledger, side: Side, amountInRaw: bigint): bigint {
    if (amountInRaw <= 0n || !this.isOpen(ledger)) return 0n;
    const trade = tradeForInput(this.config, this.directedReserves(ledger, side), amountInRaw);
    return trade.paidRaw - trade.paidFeeRaw;
  }

  /** The amount to send for `gotRaw` to be received; null if the pool has less. */
  quoteExactOut(ledger: Ledger, side: Side, gotRaw: bigint): bigint | null {
    if (!this.isOpen(ledger)) return null;
    const reserves = this.directedReserves(ledger, side);
    return tradeForOutput(this.config, reserves, gotRaw)?.sentRaw ?? null;
  }

  swap(execution: Execution, { trader, side, amountInRaw, minOutRaw }: SwapRequest): void {
    const data = new InstructionBytes().hex(SWAP_BASE_INPUT).u64(amountInRaw).u64(minOutRaw).done();
    this.invokeSwap(execution, trader, side, data, true, () => {
      const reserves = this.directedReserves(execution.ledger, side);
      const trade = tradeForInput(this.config, reserves, amountInRaw);
      if (amountInRaw <= 0n || trade.paidRaw <= trade.paidFeeRaw) {
        throw new ProgramFailure(CPMM_ERROR.zeroTradingTokens, 'zero trading tokens');
      }
      if (trade.paidRaw - trade.paidFeeRaw < minOutRaw) {
        throw new ProgramFailure(CPMM_ERROR.exceededSlippage, 'exceeds desired slippage limit');
      }
      return trade;
    });
  }

  /** `swap_base_output`: exactly `amountOutRaw` is received, for at most `maxInRaw` sent. */
  swapExactOut(execution: Execution, order: ExactOutRequest): void {
    const { trader, side, amountOutRaw, maxInRaw } = order;
    const data = new InstructionBytes().hex(SWAP_BASE_OUTPUT).u64s(maxInRaw, amountOutRaw).done();
    this.invokeSwap(execution, trader, side, data, false, () => {
      const reserves = this.directedReserves(execution.ledger, side);
      const trade = tradeForOutput(this.config, reserves, amountOutRaw);
      if (trade === null) {
        throw new ProgramFailure(CPMM_ERROR.zeroTradingTokens, 'zero trading tokens');
      }
      if (trade.sentRaw > maxInRaw) {
        throw new ProgramFailure(CPMM_ERROR.exceededSlippage, 'exceeds desired slippage limit');
      }
      return trade;
    });
  }

  initialize(execution: Execution, creator: Address, baseRaw: bigint, quoteRaw: bigint): void {
    const { accounts: at, tokenAccounts: accounts, config } = this;
    const first = { baseRaw, quoteRaw };
    initializeCpmm(execution, { accounts, at, provider: creator }, config.address, first);
    if (execution.failure === null) reportPool(execution, this, creator);
  }

  addLiquidity(execution: Execution, provider: Address, baseRaw: bigint, quoteRaw: bigint): void {
    const { ledger } = execution;
    ensureTokenAccount(execution, this.tokenAccounts, provider, provider, this.lpMint);
    const provision = this.provisionOf(ledger, provider);
    const most = { baseRaw, quoteRaw };
    const lpRaw = lpForDeposit(ledger, this.accounts, provision.reserves, most);
    this.reportChange(execution, provider, depositCpmm(execution, provision, lpRaw, most));
  }

  removeLiquidity(execution: Execution, provider: Address, lpRaw: bigint): void {
    const provision = this.provisionOf(execution.ledger, provider);
    this.reportChange(execution, provider, withdrawCpmm(execution, provision, lpRaw));
  }

  private provisionOf(ledger: Ledger, provider: Address): CpmmProvision {
    const { accounts: at, tokenAccounts: accounts } = this;
    return { accounts, at, provider, reserves: this.tradable(ledger) };
  }

  private reportChange(execution: Execution, provider: Address, change: CpmmChange | null): void {
    if (change !== null) reportLiquidity(execution, this, { provider, ...change });
  }

  /** The vaults without the fees reserved in them. */
  private tradable(ledger: Ledger): CpmmChange {
    const { baseRaw, quoteRaw } = this.reserves(ledger);
    const state = ledger.get(this.pool).state as CpmmState | null;
    return {
      baseRaw: baseRaw - (state?.baseFeesRaw ?? 0n),
      quoteRaw: quoteRaw - (state?.quoteFeesRaw ?? 0n),
    };
  }

  private directedReserves(ledger: Ledger, side: Side): CpmmReserves {
    const { baseRaw, quoteRaw } = this.tradable(ledger);
    const baseFee = ledger.get(this.baseMint).mint?.transferFee ?? null;
    const quoteFee = ledger.get(this.quoteMint).mint?.transferFee ?? null;
    const [inRaw, outRaw] = inAndOut(side, baseRaw, quoteRaw);
    const [inTransferFee, outTransferFee] = inAndOut(side, baseFee, quoteFee);
    return { inRaw, outRaw, inTransferFee, outTransferFee };
  }

  private invokeSwap(
    execution: Execution,
    trader: Address,
    side: Side,
    data: Uint8Array,
    isBaseInput: boolean,
    price: () => CpmmTrade,
  ): void {
    const { ledger } = execution;
    const { pool, base, quote, observation } = this.accounts;
    const [paidIn, paidOut] = inAndOut(side, base, quote);
    const source = this.tokenAccounts.of(trader, paidIn.mint);
    const destination = this.tokenAccounts.of(trader, paidOut.mint);
    const uses = [
      signing(trader),
      readOnly(RAYDIUM_CPMM_AUTHORITY),
      readOnly(this.config.address),
      writable(pool),
      writable(source),
      writable(destination),
      writable(paidIn.vault),
      writable(paidOut.vault),
      readOnly(ledger.get(paidIn.mint).program),
      readOnly(ledger.get(paidOut.mint).program),
      readOnly(paidIn.mint),
      readOnly(paidOut.mint),
      writable(observation),
    ];
    execution.invoke(RAYDIUM_CPMM_PROGRAM, uses, data, () => {
      ownTokens(ledger, this.tokenAccounts, trader, paidIn.mint);
      ownTokens(ledger, this.tokenAccounts, trader, paidOut.mint);
      if (!this.isOpen(ledger)) throw new ProgramFailure(CPMM_ERROR.invalidInput, 'no such pool');
      const trade = price();
      this.logSwap(execution, side, trade, isBaseInput);
      const { sentRaw, paidRaw } = trade;
      const to = { from: source, to: paidIn.vault, authority: trader };
      transferTokensChecked(execution, { ...to, amountRaw: sentRaw });
      const from = { from: paidOut.vault, to: destination, authority: RAYDIUM_CPMM_AUTHORITY };
      transferTokensChecked(execution, { ...from, amountRaw: paidRaw });
      this.setApart(execution, side, trade.setApartRaw);
      const arrivedRaw = sentRaw - trade.sentFeeRaw;
      const [baseRaw, quoteRaw] = inAndOut(side, arrivedRaw, paidRaw);
      reportTrade(execution, this, { trader, side, baseRaw, quoteRaw });
    });
  }

  private setApart(execution: Execution, side: Side, feesRaw: bigint): void {
    const state = execution.ledger.get(this.pool).state as CpmmState;
    const changed: CpmmState =
      side === 'buy'
        ? { ...state, quoteFeesRaw: state.quoteFeesRaw + feesRaw }
        : { ...state, baseFeesRaw: state.baseFeesRaw + feesRaw };
    execution.change(this.pool, { state: changed });
  }

  private logSwap(execution: Execution, side: Side, trade: CpmmTrade, isBaseInput: boolean): void {
    const { inRaw, outRaw } = this.directedReserves(execution.ledger, side);
    const event = new InstructionBytes()
      .hex(SWAP_EVENT)
      .address(this.pool)
      .u64s(
        inRaw,
        outRaw,
        trade.sentRaw - trade.sentFeeRaw,
        trade.paidRaw,
        trade.sentFeeRaw,
        trade.paidFeeRaw,
      )
      .bool(isBaseInput);
    execution.logData(event.done());
  }
}
