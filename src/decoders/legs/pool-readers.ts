import { events, IGNORED, malformed, resultOf } from './decoder.ts';
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from './liquidity-legs.ts';
import { type InstructionReader, indexOf, type ProgramCall } from './program-decoder.ts';
import { readSwap, type SwapAccounts } from './swap-legs.ts';

/** The accounts of a pool by the names that an instruction's layout has for them. */
interface PoolRoles<Accounts extends string> {
  readonly pool: Accounts;
  readonly vaults: readonly [Accounts, Accounts];
  /** True: the first vault holds the launched token, which is the base regardless of the mints. */
  readonly isBaseFirst?: true;
  /**
   * Several pools share the vaults, so a vault's balance does not show the reserves of this pool.
   */
  readonly areVaultsShared?: true;
}

export interface SwapRoles<Accounts extends string> extends PoolRoles<Accounts> {
  readonly user: Accounts;
  /** The user's two token accounts, in any order. */
  readonly userAccounts: readonly [Accounts, Accounts];
}

export interface LiquidityRoles<Accounts extends string> extends PoolRoles<Accounts> {
  readonly provider: Accounts;
  /** Omitted for pools whose positions are not LP tokens. */
  readonly lpMint?: Accounts;
}

/** A swap of one pool. */
export function swap<const Accounts extends string>(
  roles: SwapRoles<Accounts>,
): InstructionReader<Accounts> {
  return (call) => resultOf(readSwap(call.view, call.instruction, swapAccounts(call, roles)));
}

/** A deposit or a withdrawal. */
export function liquidity<const Accounts extends string>(
  roles: LiquidityRoles<Accounts>,
): InstructionReader<Accounts> {
  return (call) =>
    resultOf(readLiquidity(call.view, call.instruction, liquidityAccounts(call, roles)));
}

/** The creation of a pool with its first liquidity. */
export function poolCreated<const Accounts extends string>(
  roles: LiquidityRoles<Accounts>,
): InstructionReader<Accounts> {
  return (call) =>
    resultOf(readPoolCreated(call.view, call.instruction, liquidityAccounts(call, roles)));
}

/**
 * The creation of an empty pool. Nodes list the new vaults among the balances, with amount 0.
 * Without them the decimals of the mints are unknown, and the pool is first recorded with its first
 * position or swap.
 */
export function emptyPoolCreated<const Accounts extends string>(
  roles: LiquidityRoles<Accounts>,
): InstructionReader<Accounts> {
  return (call) => {
    const accounts = liquidityAccounts(call, roles);
    if (Math.min(accounts.pool, accounts.provider, ...accounts.vaults) < 0) {
      return malformed('too few accounts');
    }
    const reading = readPoolCreated(call.view, call.instruction, accounts);
    return reading.status === 'event' ? events(reading.event) : IGNORED;
  };
}

/** Key indices of the accounts of a swap, for readers that do more than `swap`. */
export function swapAccounts<Accounts extends string>(
  { name, at }: ProgramCall<Accounts>,
  roles: SwapRoles<Accounts>,
): SwapAccounts {
  return {
    venue: name,
    pool: at[roles.pool],
    vaults: [at[roles.vaults[0]], at[roles.vaults[1]]],
    isBaseFirst: roles.isBaseFirst === true,
    areVaultsShared: roles.areVaultsShared === true,
    user: at[roles.user],
    userAccounts: [at[roles.userAccounts[0]], at[roles.userAccounts[1]]],
  };
}

/** Key indices of the accounts of a deposit, a withdrawal or a creation. */
export function liquidityAccounts<Accounts extends string>(
  { name, at }: ProgramCall<Accounts>,
  roles: LiquidityRoles<Accounts>,
): LiquidityAccounts {
  return {
    venue: name,
    pool: at[roles.pool],
    vaults: [at[roles.vaults[0]], at[roles.vaults[1]]],
    isBaseFirst: roles.isBaseFirst === true,
    areVaultsShared: roles.areVaultsShared === true,
    provider: at[roles.provider],
    lpMint: indexOf(at, roles.lpMint),
  };
}
