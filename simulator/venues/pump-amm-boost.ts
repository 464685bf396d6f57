import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { burnTokens, transferTokens, transferTokensChecked } from '../programs/token.ts';
import { reportTrade } from './pool-parts.ts';
import { boostBuyEvent, buyEvent, initBoostEvent } from './pump-amm-events.ts';
import { buyWithBudgetKept, type PoolReserves, type PoolTrade } from './pump-amm-math.ts';
import type { PumpAmmPool } from './pump-amm-pool.ts';
import { openPoolState, virtualQuoteOf } from './pump-amm-state.ts';
import { SUPPLY_RAW } from './pump-curve-math.ts';
import { emitPumpEvent, PUMP_AMM } from './pump-program.ts';

/** ZeroBaseAmount, BuySlippageBelowMinBaseAmountOut and PoolCannotBoost of the program. */
const FAILURE = { zeroBase: 6_001, tooFewTokens: 6_040, cannotBoost: 6_065 } as const;

/**
 * The quote that a migration sets aside: the same share as the pool's share of all tokens (both
 * recorded migrations: 3hYp997p…, 4274sXD9… to the last lamport).
 */
export function boostOf({ baseRaw, quoteRaw }: PoolReserves): bigint {
  return (quoteRaw * baseRaw) / SUPPLY_RAW;
}

/**
 * `init_boost`, called by a migration after `create_pool`: quote moves from the pool's vault to the
 * boost vault and becomes virtual, which keeps the price unchanged.
 */
export function initBoost(
  execution: Execution,
  pool: PumpAmmPool,
  tokenAccounts: TokenAccounts,
): void {
  const { addresses, quoteMint, baseMint, venue } = pool;
  const { creator, boostAuthority, boostVault, quoteVault, curve } = addresses;
  const data = new InstructionBytes().hex('8ce9215e845ac28f').done();
  execution.invoke(PUMP_AMM.program, initUses(execution, pool), data, () => {
    execution.log('Instruction: InitBoost');
    const boostRaw = boostOf(pool.reserves(execution.ledger));
    ensureTokenAccount(execution, tokenAccounts, creator, boostAuthority, quoteMint);
    transferTokensChecked(execution, {
      from: quoteVault,
      to: boostVault,
      authority: pool.pool,
      amountRaw: boostRaw,
    });
    const state = openPoolState(execution.ledger, pool.pool);
    const after = { ...state, boostRaw };
    execution.change(pool.pool, { state: after });
    const event = initBoostEvent({
      unixTime: execution.clock.unixTime,
      mint: baseMint,
      curve,
      pool: pool.pool,
      virtualQuoteRaw: virtualQuoteOf(after),
      quoteAfterRaw: pool.reserves(execution.ledger).quoteRaw,
    });
    emitPumpEvent(execution, PUMP_AMM, event);
    const poolDeltaRaw = -boostRaw;
    execution.report({
      kind: 'poolBoost',
      venue,
      pool: pool.pool,
      mint: quoteMint,
      poolDeltaRaw,
    });
  });
}

/**
 * `boost_buy_and_burn`: the boost vault pays the pool, and the bought tokens are burnt from the
 * pool's vault. There is no trader and no fee.
 */
export function boostBuyAndBurn(
  execution: Execution,
  pool: PumpAmmPool,
  { quoteRaw, minBaseRaw }: { readonly quoteRaw: bigint; readonly minBaseRaw: bigint },
): void {
  const { ledger } = execution;
  const { boostVault, boostAuthority, quoteVault, baseVault } = pool.addresses;
  const data = new InstructionBytes().hex('694406af000723a2').u64(quoteRaw).u64(minBaseRaw).done();
  execution.invoke(PUMP_AMM.program, burnUses(execution, pool), data, () => {
    execution.log('Instruction: BoostBuyAndBurn');
    const { boostRaw } = openPoolState(ledger, pool.pool);
    if (boostRaw === 0n) throw new ProgramFailure(FAILURE.cannotBoost, 'PoolCannotBoost');
    const heldRaw = ledger.heldRaw(boostVault);
    const usedRaw = quoteRaw < heldRaw ? quoteRaw : heldRaw;
    const trade = buyWithBudgetKept(pool.effectiveReserves(ledger), usedRaw, NO_FEES);
    if (trade.baseRaw === 0n) throw new ProgramFailure(FAILURE.zeroBase, 'ZeroBaseAmount');
    if (trade.baseRaw < minBaseRaw) throw new ProgramFailure(FAILURE.tooFewTokens, 'slippage');
    const before = pool.reserves(ledger);
    transferTokens(execution, {
      from: boostVault,
      to: quoteVault,
      authority: boostAuthority,
      amountRaw: usedRaw,
    });
    burnTokens(execution, { from: baseVault, authority: pool.pool, amountRaw: trade.baseRaw });
    emitBurn(execution, pool, { before, heldRaw, trade, minBaseRaw, requestedRaw: quoteRaw });
    const { baseRaw } = trade;
    reportTrade(execution, pool, { trader: null, side: 'buy', baseRaw, quoteRaw: usedRaw });
  });
}

const NO_FEES = { lpBps: 0n, protocolBps: 0n, creatorBps: 0n };

interface Burnt {
  readonly before: PoolReserves;
  /** Previous balance of the boost vault. */
  readonly heldRaw: bigint;
  readonly trade: PoolTrade;
  readonly minBaseRaw: bigint;
  readonly requestedRaw: bigint;
}

/**
 * Emits the event: a purchase without fees by the owner of the boost vault, followed by its
 * specific fields.
 */
function emitBurn(execution: Execution, pool: PumpAmmPool, burnt: Burnt): void {
  const { ledger, clock } = execution;
  const { before, heldRaw, trade, minBaseRaw, requestedRaw } = burnt;
  const { addresses, baseMint } = pool;
  const state = openPoolState(ledger, pool.pool);
  const virtualQuoteRaw = virtualQuoteOf(state);
  const moment = {
    unixTime: clock.unixTime,
    pool: pool.pool,
    user: addresses.boostAuthority,
    userBase: SYSTEM_PROGRAM,
    userQuote: addresses.boostVault,
    held: { baseRaw: 0n, quoteRaw: heldRaw },
    reserves: before,
  };
  const event = buyEvent(moment, {
    trade,
    fees: NO_FEES,
    coinCreator: addresses.coinCreator,
    minBaseRaw,
    virtualQuoteRaw,
    feeRecipient: SYSTEM_PROGRAM,
    feeRecipientQuote: SYSTEM_PROGRAM,
    quoteLimitRaw: requestedRaw,
    instruction: 'buy_exact_quote_in' as const,
    buybackBps: 0n,
    buybackRaw: 0n,
    isBoosted: true,
    isHolderReward: false,
    // Recorded (LK86c649…): this is the supply after the burn.
    baseSupplyRaw: ledger.mint(baseMint).supplyRaw,
    creatorUnclaimedRaw: state.creatorFeesRaw,
  });
  emitPumpEvent(execution, PUMP_AMM, event);
  const after = pool.reserves(ledger);
  const boostEvent = boostBuyEvent({
    unixTime: clock.unixTime,
    mint: baseMint,
    curve: addresses.curve,
    pool: pool.pool,
    authority: PUMP_AMM.boostAuthority,
    requestedRaw,
    usedRaw: trade.traderQuoteRaw,
    burntRaw: trade.baseRaw,
    virtualQuoteRaw,
    after,
    leftRaw: heldRaw - trade.traderQuoteRaw,
  });
  emitPumpEvent(execution, PUMP_AMM, boostEvent);
}

/** IDL order of `init_boost`. */
function initUses({ ledger }: Execution, pool: PumpAmmPool): readonly AccountUse[] {
  const { addresses, baseMint, quoteMint } = pool;
  return [
    writable(pool.pool),
    readOnly(PUMP_AMM.globalConfig),
    paying(addresses.creator),
    readOnly(baseMint),
    readOnly(quoteMint),
    readOnly(addresses.baseVault),
    writable(addresses.quoteVault),
    readOnly(addresses.boostAuthority),
    writable(addresses.boostVault),
    readOnly(ledger.get(quoteMint).program),
    readOnly(SYSTEM_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
  ];
}

/** IDL order of `boost_buy_and_burn`. */
function burnUses({ ledger }: Execution, pool: PumpAmmPool): readonly AccountUse[] {
  const { addresses, baseMint, quoteMint } = pool;
  return [
    readOnly(pool.pool),
    paying(PUMP_AMM.boostAuthority),
    readOnly(PUMP_AMM.globalConfig),
    writable(baseMint),
    readOnly(quoteMint),
    writable(addresses.baseVault),
    writable(addresses.quoteVault),
    readOnly(addresses.boostAuthority),
    writable(addresses.boostVault),
    readOnly(ledger.get(baseMint).program),
    readOnly(ledger.get(quoteMint).program),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
  ];
}
