import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import {
  ensureTokenAccount,
  TOKEN_ACCOUNT_RENT,
  type TokenAccounts,
} from '../programs/associated-token.ts';
import { transferLamports } from '../programs/system.ts';
import {
  burnTokens,
  closeTokenAccount,
  syncNative,
  transferTokens,
  transferTokensChecked,
} from '../programs/token.ts';
import { RENT_SYSVAR } from './pool-parts.ts';
import { initBoost } from './pump-amm-boost.ts';
import { createPool, openVaults } from './pump-amm-create.ts';
import type { PoolReserves } from './pump-amm-math.ts';
import type { PumpAmmPool } from './pump-amm-pool.ts';
import type { PumpCurve } from './pump-curve.ts';
import type { PumpCurveState } from './pump-curve-state.ts';
import { migrationEvent } from './pump-events.ts';
import { emitPumpEvent, PUMP, PUMP_AMM } from './pump-program.ts';

/** BondingCurveNotComplete of the program. */
const NOT_COMPLETE = 6_006;

export interface PumpMigration {
  readonly curve: PumpCurve;
  /** Its creator is the address that signs for the curve's program: the pool authority. */
  readonly pool: PumpAmmPool;
  readonly tokenAccounts: TokenAccounts;
}

/**
 * `migrate`: the whole contents of a complete curve become a pool whose LP tokens are burnt. A
 * repeated call succeeds without effect.
 */
export function migrateCurve(
  execution: Execution,
  migration: PumpMigration,
  caller: Address,
): void {
  const uses = usesOf(migration, caller);
  const data = Uint8Array.from(Buffer.from('9beae792ec9ea21e', 'hex'));
  execution.invoke(PUMP.program, uses, data, () => {
    execution.log('Instruction: Migrate');
    carryOut(execution, migration, caller, false);
  });
}

/**
 * `migrate_v2`: the same for every quote, and part of the quote is set aside for buybacks. The
 * caller pays for the pool's token accounts, and for a curve without lamports for all of them.
 */
export function migrateCurveBoosted(
  execution: Execution,
  migration: PumpMigration,
  caller: Address,
): void {
  const uses = secondUsesOf(execution, migration, caller);
  const data = Uint8Array.from(Buffer.from('bbcb121fceedfe29', 'hex'));
  execution.invoke(PUMP.program, uses, data, () => {
    execution.log('Instruction: MigrateV2');
    carryOut(execution, migration, caller, true);
  });
}

function carryOut(
  execution: Execution,
  migration: PumpMigration,
  caller: Address,
  isBoosted: boolean,
): void {
  const { curve, pool, tokenAccounts } = migration;
  const state = curve.state(execution.ledger);
  if (state?.isComplete !== true) {
    throw new ProgramFailure(NOT_COMPLETE, 'The bonding curve has not completed');
  }
  if (pool.isOpen(execution.ledger)) {
    execution.log('Bonding curve already migrated');
    return;
  }
  const authority = pool.addresses.creator;
  if (curve.takesLamports) execution.moveLamports(curve.pool, authority, curve.migrationFeeRaw);
  else transferLamports(execution, caller, authority, POOL_RENT_LAMPORTS);
  openVaults(execution, pool, tokenAccounts, isBoosted ? caller : authority);
  const deposited = moveIntoAuthority(execution, migration, state);
  createPool(execution, pool, tokenAccounts, deposited);
  if (isBoosted) initBoost(execution, pool, tokenAccounts);
  closeAuthority(execution, migration);
  const moment = curve.momentOf(execution, caller);
  const fields = { ...deposited, feeLamports: curve.migrationFeeRaw, pool: pool.pool };
  emitPumpEvent(execution, PUMP, migrationEvent(moment, fields));
  const { baseMint: mint, pool: fromPool } = curve;
  execution.report({ kind: 'migrate', mint, fromPool, toPool: pool.pool });
}

/** Rents of a pool's own accounts, if no migration fee pays them: the rest goes to the protocol. */
const POOL_RENT_LAMPORTS = 15_000_000n;

/**
 * Moves the curve's tokens and quote, with lamports wrapped, to token accounts of the pool
 * authority.
 */
function moveIntoAuthority(
  execution: Execution,
  { curve, pool, tokenAccounts }: PumpMigration,
  state: PumpCurveState,
): PoolReserves {
  const { ledger } = execution;
  const { baseMint, quoteMint } = curve;
  const authority = pool.addresses.creator;
  const base = ensureTokenAccount(execution, tokenAccounts, authority, authority, baseMint);
  const quote = ensureTokenAccount(execution, tokenAccounts, authority, authority, quoteMint);
  const baseRaw = ledger.token(curve.vault).amountRaw;
  const quoteRaw = state.realQuoteRaw + state.beyondQuoteRaw - curve.migrationFeeRaw;
  const move = { from: curve.vault, to: base, authority: curve.pool, amountRaw: baseRaw };
  if (curve.accounts.tokenProgram === TOKEN_2022_PROGRAM) transferTokensChecked(execution, move);
  else transferTokens(execution, move);
  if (curve.takesLamports) {
    execution.moveLamports(curve.pool, quote, quoteRaw);
    syncNative(execution, quote, TOKEN_ACCOUNT_RENT);
  } else {
    const from = tokenAccounts.of(curve.pool, quoteMint);
    transferTokensChecked(execution, {
      from,
      to: quote,
      authority: curve.pool,
      amountRaw: quoteRaw,
    });
  }
  execution.change(curve.pool, { state: emptied(state) });
  return { baseRaw, quoteRaw };
}

/** The curve's account remains, with its rent and its kept fees. */
function emptied(state: PumpCurveState): PumpCurveState {
  return {
    ...state,
    virtualBaseRaw: 0n,
    virtualQuoteRaw: 0n,
    realBaseRaw: 0n,
    realQuoteRaw: 0n,
    beyondBaseRaw: 0n,
    beyondQuoteRaw: 0n,
  };
}

/** Burns the LP tokens; rents of closed accounts and the remainder go to the protocol. */
function closeAuthority(execution: Execution, { pool, tokenAccounts }: PumpMigration): void {
  const { ledger } = execution;
  const { withdrawAuthority } = PUMP;
  const authority = pool.addresses.creator;
  const close = (mint: Address) =>
    closeTokenAccount(execution, tokenAccounts.of(authority, mint), withdrawAuthority, authority);
  close(pool.baseMint);
  close(pool.quoteMint);
  const lp = tokenAccounts.of(authority, pool.lpMint);
  burnTokens(execution, { from: lp, authority, amountRaw: ledger.token(lp).amountRaw });
  close(pool.lpMint);
  transferLamports(execution, authority, withdrawAuthority, ledger.get(authority).lamports);
}

/** IDL order of `migrate_v2`. */
function secondUsesOf(
  { ledger }: Execution,
  { curve, pool, tokenAccounts }: PumpMigration,
  caller: Address,
): readonly AccountUse[] {
  const { creator: authority, baseVault, quoteVault, lpMint } = pool.addresses;
  const { baseMint, quoteMint } = curve;
  return [
    readOnly(PUMP.global),
    writable(PUMP.withdrawAuthority),
    readOnly(baseMint),
    readOnly(quoteMint),
    writable(curve.pool),
    writable(curve.vault),
    writable(tokenAccounts.of(curve.pool, quoteMint)),
    paying(caller),
    readOnly(SYSTEM_PROGRAM),
    readOnly(PUMP_AMM.program),
    writable(pool.pool),
    writable(authority),
    writable(tokenAccounts.of(authority, baseMint)),
    writable(tokenAccounts.of(authority, quoteMint)),
    readOnly(PUMP_AMM.globalConfig),
    writable(lpMint),
    writable(tokenAccounts.of(authority, lpMint)),
    writable(baseVault),
    writable(quoteVault),
    readOnly(curve.accounts.tokenProgram),
    readOnly(ledger.get(quoteMint).program),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(RENT_SYSVAR),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    // After the accounts of the IDL: those of the call of init_boost.
    readOnly(pool.addresses.boostAuthority),
    writable(pool.addresses.boostVault),
  ];
}

/** IDL order of `migrate`. */
function usesOf(
  { curve, pool, tokenAccounts }: PumpMigration,
  caller: Address,
): readonly AccountUse[] {
  const { creator: authority, baseVault, quoteVault, lpMint } = pool.addresses;
  return [
    readOnly(PUMP.global),
    writable(PUMP.withdrawAuthority),
    readOnly(curve.baseMint),
    writable(curve.pool),
    writable(curve.vault),
    paying(caller),
    readOnly(SYSTEM_PROGRAM),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.program),
    writable(pool.pool),
    writable(authority),
    writable(tokenAccounts.of(authority, curve.baseMint)),
    writable(tokenAccounts.of(authority, WRAPPED_SOL)),
    readOnly(PUMP_AMM.globalConfig),
    readOnly(WRAPPED_SOL),
    writable(lpMint),
    writable(tokenAccounts.of(authority, lpMint)),
    writable(baseVault),
    writable(quoteVault),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP.eventAuthority),
    readOnly(PUMP.program),
    readOnly(RENT_SYSVAR),
  ];
}
