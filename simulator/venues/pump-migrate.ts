import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, readOnly, signing, writable } from '../chain/account-use.ts';
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
import { createPool, openVaults } from './pump-amm-create.ts';
import type { PoolReserves } from './pump-amm-math.ts';
import type { PumpAmmPool } from './pump-amm-pool.ts';
import type { PumpCurve, PumpCurveState } from './pump-curve.ts';
import { migrationEvent } from './pump-events.ts';
import { emitPumpEvent, PUMP, PUMP_AMM } from './pump-program.ts';

/** What a migration keeps of the curve's lamports: rents of the new accounts, the rest a fee. */
export const MIGRATION_FEE_LAMPORTS = 15_000_001n;

/** BondingCurveNotComplete of the program. */
const NOT_COMPLETE = 6_006;

export interface PumpMigration {
  readonly curve: PumpCurve;
  /** Its creator is the address that signs for the curve's program: the pool authority. */
  readonly pool: PumpAmmPool;
  readonly tokenAccounts: TokenAccounts;
}

/**
 * `migrate`: everything a complete curve holds becomes a pool whose LP tokens are burnt. Called
 * again it succeeds and does nothing.
 */
export function migrateCurve(
  execution: Execution,
  migration: PumpMigration,
  caller: Address,
): void {
  const { curve, pool } = migration;
  execution.invoke(PUMP.program, usesOf(migration, caller), MIGRATE, () => {
    execution.log('Instruction: Migrate');
    const state = curve.state(execution.ledger);
    if (state?.isComplete !== true) {
      throw new ProgramFailure(NOT_COMPLETE, 'The bonding curve has not completed');
    }
    if (pool.isOpen(execution.ledger)) {
      execution.log('Bonding curve already migrated');
      return;
    }
    const deposited = moveIntoAuthority(execution, migration, state);
    createPool(execution, pool, migration.tokenAccounts, deposited);
    closeAuthority(execution, migration);
    const moment = curve.momentOf(execution, caller);
    const feeLamports = MIGRATION_FEE_LAMPORTS;
    const told = { ...deposited, feeLamports, pool: pool.pool };
    emitPumpEvent(execution, PUMP, migrationEvent(moment, told));
    const { baseMint: mint, pool: fromPool } = curve;
    execution.report({ kind: 'migrate', mint, fromPool, toPool: pool.pool });
  });
}

const MIGRATE = Uint8Array.from(Buffer.from('9beae792ec9ea21e', 'hex'));

/** The curve's tokens and lamports, the latter wrapped, in token accounts of the pool authority. */
function moveIntoAuthority(
  execution: Execution,
  { curve, pool, tokenAccounts }: PumpMigration,
  state: PumpCurveState,
): PoolReserves {
  const { ledger } = execution;
  const authority = pool.addresses.creator;
  execution.moveLamports(curve.pool, authority, MIGRATION_FEE_LAMPORTS);
  openVaults(execution, pool, tokenAccounts, authority);
  const { baseMint } = curve;
  const base = ensureTokenAccount(execution, tokenAccounts, authority, authority, baseMint);
  const quote = ensureTokenAccount(execution, tokenAccounts, authority, authority, WRAPPED_SOL);
  const baseRaw = ledger.token(curve.vault).amountRaw;
  const quoteRaw = state.realQuoteRaw - MIGRATION_FEE_LAMPORTS;
  const move = { from: curve.vault, to: base, authority: curve.pool, amountRaw: baseRaw };
  if (curve.accounts.tokenProgram === TOKEN_2022_PROGRAM) transferTokensChecked(execution, move);
  else transferTokens(execution, move);
  execution.moveLamports(curve.pool, quote, quoteRaw);
  syncNative(execution, quote, TOKEN_ACCOUNT_RENT);
  execution.change(curve.pool, { state: emptied(state) });
  return { baseRaw, quoteRaw };
}

/** The curve's account stays, with its rent. */
function emptied(state: PumpCurveState): PumpCurveState {
  return {
    ...state,
    virtualBaseRaw: 0n,
    virtualQuoteRaw: 0n,
    realBaseRaw: 0n,
    realQuoteRaw: 0n,
  };
}

/** Burns the LP tokens; rents of what is closed, and what is left, go to the protocol. */
function closeAuthority(execution: Execution, { pool, tokenAccounts }: PumpMigration): void {
  const { ledger } = execution;
  const { withdrawAuthority } = PUMP;
  const authority = pool.addresses.creator;
  const close = (mint: Address) =>
    closeTokenAccount(execution, tokenAccounts.of(authority, mint), withdrawAuthority, authority);
  close(pool.baseMint);
  close(WRAPPED_SOL);
  const lp = tokenAccounts.of(authority, pool.lpMint);
  burnTokens(execution, { from: lp, authority, amountRaw: ledger.token(lp).amountRaw });
  close(pool.lpMint);
  transferLamports(execution, authority, withdrawAuthority, ledger.get(authority).lamports);
}

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
    signing(caller),
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
