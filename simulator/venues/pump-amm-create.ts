import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { createAccount } from '../programs/system.ts';
import { initializeMint, MINT_SPACE, mintTokens } from '../programs/token.ts';
import type { PlannedPool, VenueContext } from './launchpad.ts';
import { reportPool } from './pool-parts.ts';
import { createPoolUses, poolAddresses } from './pump-amm-accounts.ts';
import { createPoolEvent } from './pump-amm-events.ts';
import { payIntoVaults } from './pump-amm-liquidity.ts';
import { firstLiquidity, LOCKED_LIQUIDITY, type PoolReserves } from './pump-amm-math.ts';
import { PumpAmmPool } from './pump-amm-pool.ts';
import { openPoolState, setLpSupply } from './pump-amm-state.ts';
import { emitPumpEvent, PUMP_AMM } from './pump-program.ts';

/** All fields of the account (IDL of October 2026), after Anchor's eight bytes. */
const POOL_SPACE = 287;
const LP_DECIMALS = 9;
/** The system program's AccountAlreadyInUse. */
const ALREADY_IN_USE = 0;
/** TooLittlePoolTokenLiquidity of the program. */
const TOO_LITTLE_LIQUIDITY = 6_003;

export interface PumpAmmOptions {
  /** Distinguishes pools of one creator for one pair. Default 0. */
  readonly index?: number;
  /** Default wrapped SOL. */
  readonly quoteMint?: Address;
}

/**
 * Plans a pool that anyone may open for a mint; its fees are flat and there are no creator fees.
 */
export function planPumpAmmPool(
  context: VenueContext,
  creator: Address,
  baseMint: Address,
  { index = 0, quoteMint = WRAPPED_SOL }: PumpAmmOptions = {},
): PlannedPool & { readonly pool: PumpAmmPool } {
  const { tokenAccounts } = context;
  const setup = {
    index,
    creator,
    baseMint,
    quoteMint,
    coinCreator: null,
    isCanonical: false,
    curve: SYSTEM_PROGRAM,
    ownCreatorBps: null,
    isHolderReward: false,
  };
  const pool = new PumpAmmPool(poolAddresses(context, setup), context);
  return {
    pool,
    createSigners: [],
    create(execution, _creator, baseRaw, quoteRaw) {
      openVaults(execution, pool, tokenAccounts, creator);
      createPool(execution, pool, tokenAccounts, { baseRaw, quoteRaw });
    },
  };
}

/** Creates the pool's token accounts, which `create_pool` expects to exist. */
export function openVaults(
  execution: Execution,
  { pool, baseMint, quoteMint }: PumpAmmPool,
  tokenAccounts: TokenAccounts,
  payer: Address,
): void {
  ensureTokenAccount(execution, tokenAccounts, payer, pool, baseMint);
  ensureTokenAccount(execution, tokenAccounts, payer, pool, quoteMint);
}

/**
 * Invokes `create_pool`: the creator signs, pays, and receives the LP tokens except the locked
 * ones.
 */
export function createPool(
  execution: Execution,
  pool: PumpAmmPool,
  tokenAccounts: TokenAccounts,
  deposited: PoolReserves,
): void {
  const uses = createPoolUses(pool.addresses, execution.ledger, tokenAccounts);
  execution.invoke(PUMP_AMM.program, uses, createData(pool, deposited), () => {
    execution.log('Instruction: CreatePool');
    if (pool.isOpen(execution.ledger)) {
      throw new ProgramFailure(ALREADY_IN_USE, 'account already in use');
    }
    const lpSupplyRaw = firstLiquidity(deposited);
    if (lpSupplyRaw <= LOCKED_LIQUIDITY) {
      throw new ProgramFailure(TOO_LITTLE_LIQUIDITY, 'TooLittlePoolTokenLiquidity');
    }
    openAccounts(execution, pool, tokenAccounts);
    const { creator } = pool.addresses;
    const provision = { addresses: pool.addresses, tokenAccounts, provider: creator };
    payIntoVaults(execution, provision, deposited);
    mintTokens(execution, {
      mint: pool.lpMint,
      to: tokenAccounts.of(creator, pool.lpMint),
      authority: pool.pool,
      amountRaw: lpSupplyRaw - LOCKED_LIQUIDITY,
    });
    setLpSupply(execution, pool.pool, lpSupplyRaw);
    emitCreation(execution, pool, tokenAccounts, deposited);
  });
}

function createData({ addresses }: PumpAmmPool, { baseRaw, quoteRaw }: PoolReserves): Uint8Array {
  return new InstructionBytes()
    .hex('e992d18ecf6840bc')
    .u16(addresses.index)
    .u64s(baseRaw, quoteRaw)
    .address(addresses.coinCreator ?? SYSTEM_PROGRAM)
    .bool(false)
    .bool(false)
    .u64(addresses.ownCreatorBps ?? 0n)
    .bool(false)
    .bool(addresses.isHolderReward)
    .done();
}

/** The pool's own account, its LP mint, and the creator's account for LP tokens. */
function openAccounts(
  execution: Execution,
  { pool, lpMint, addresses }: PumpAmmPool,
  tokenAccounts: TokenAccounts,
): void {
  const { creator } = addresses;
  createAccount(execution, creator, pool, POOL_SPACE, PUMP_AMM.program);
  createAccount(execution, creator, lpMint, MINT_SPACE, TOKEN_2022_PROGRAM);
  initializeMint(execution, TOKEN_2022_PROGRAM, lpMint, {
    decimals: LP_DECIMALS,
    mintAuthority: pool,
    freezeAuthority: null,
  });
  ensureTokenAccount(execution, tokenAccounts, creator, creator, lpMint);
}

function emitCreation(
  execution: Execution,
  pool: PumpAmmPool,
  tokenAccounts: TokenAccounts,
  deposited: PoolReserves,
): void {
  const { ledger, clock } = execution;
  const { baseMint, quoteMint, lpMint, addresses } = pool;
  const { creator } = addresses;
  const moment = {
    unixTime: clock.unixTime,
    pool: pool.pool,
    user: creator,
    userBase: tokenAccounts.of(creator, baseMint),
    userQuote: tokenAccounts.of(creator, quoteMint),
  };
  const event = createPoolEvent(moment, {
    ...addresses,
    decimals: [ledger.mint(baseMint).decimals, ledger.mint(quoteMint).decimals],
    deposited,
    lockedRaw: LOCKED_LIQUIDITY,
    lpSupplyRaw: openPoolState(ledger, pool.pool).lpSupplyRaw,
    lpMint,
  });
  emitPumpEvent(execution, PUMP_AMM, event);
  reportPool(execution, pool, creator);
}
