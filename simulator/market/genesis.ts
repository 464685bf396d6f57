import { SPL_TOKEN_PROGRAM, USDC, WRAPPED_SOL } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import type { LookupTable } from '../chain/compile-message.ts';
import { type ChainClock, Execution } from '../chain/execution.ts';
import type { Account, Ledger } from '../chain/ledger.ts';
import { ensureTokenAccount, TOKEN_ACCOUNT_RENT } from '../programs/associated-token.ts';
import { rentExemptLamports } from '../programs/system.ts';
import { MINT_SPACE, mintTokens } from '../programs/token.ts';
import type { LiquidityPool, PlannedPool, VenueContext } from '../venues/launchpad.ts';
import { type MeteoraDlmmPool, planMeteoraDlmm } from '../venues/meteora-dlmm.ts';
import { POSITION_WIDTH } from '../venues/meteora-dlmm-accounts.ts';
import { PUMP, PUMP_AMM } from '../venues/pump-program.ts';
import { planRaydiumAmmV4 } from '../venues/raydium-amm-v4.ts';
import { RAYDIUM_AMM_V4_FEES } from '../venues/raydium-amm-v4-accounts.ts';
import { planRaydiumCpmm } from '../venues/raydium-cpmm.ts';
import { RAYDIUM_CPMM_FEES } from '../venues/raydium-cpmm-accounts.ts';
import { BUILTIN_PROGRAMS, DEPLOYED_PROGRAMS, EXCHANGE_WALLETS } from './common-accounts.ts';

export interface GenesisContext extends VenueContext {
  readonly ledger: Ledger;
  readonly clock: ChainClock;
  readonly tables: readonly LookupTable[];
  /** Initial price of a SOL in dollars. */
  readonly solUsd: number;
}

/** What exists before the first slot. */
export interface Genesis {
  /** Deep pools of SOL in USDC at the same price: constant products and bins. */
  readonly solUsdcPools: readonly LiquidityPool[];
  /** Keeps those pools at the price; holds wrapped SOL and USDC. */
  readonly priceKeeper: Address;
  /** Wallets that pay out to others: lamports, and USDC in their token account. */
  readonly exchanges: readonly Address[];
}

const LAMPORTS = 1_000_000_000n;
const UPGRADEABLE_LOADER = asAddress('BPFLoaderUpgradeab1e11111111111111111111111');
const NATIVE_LOADER = asAddress('NativeLoader1111111111111111111111111111111');
const LOOKUP_TABLE_PROGRAM = asAddress('AddressLookupTab1e1111111111111111111111111');
const PROGRAM_LAMPORTS = 1_141_440n;

const SOL_DECIMALS = 9;
const USDC_DECIMALS = 6;
const EXCHANGE_LAMPORTS = 2_000_000n * LAMPORTS;
const EXCHANGE_USD = 100_000_000;
const KEEPER_LAMPORTS = 1_000_000n * LAMPORTS;
const KEEPER_USD = 200_000_000;
/** SOL in each pool, along with USDC of the same value. */
const POOL_SOL = { ammV4: 60_000n, cpmm: 40_000n, dlmmPosition: 8_000n } as const;
/**
 * Positions on each side of the price: with bin steps of 20 basis points they cover about 30 % each
 * way.
 */
const DLMM_POSITIONS_EACH_WAY = 2;
const OWN_LAMPORTS = 1_000n * LAMPORTS;

/** Creates the accounts that every market needs. To be called once, before the first slot. */
export function createGenesis(context: GenesisContext): Genesis {
  const { ledger, keyring, clock, solUsd } = context;
  createPrograms(ledger, context.tables);
  createCommonMints(ledger, keyring.wallet());
  for (const account of [RAYDIUM_AMM_V4_FEES, RAYDIUM_CPMM_FEES]) {
    holdWrappedSol(ledger, account, keyring.wallet(), 0n);
  }
  const execution = new Execution(ledger, clock);
  for (const wallet of EXCHANGE_WALLETS) {
    giveLamports(ledger, wallet, EXCHANGE_LAMPORTS);
    giveUsdc(execution, context, wallet, EXCHANGE_USD);
  }
  holdWrappedSol(
    ledger,
    context.tokenAccounts.of(PUMP.buybackRecipient, WRAPPED_SOL),
    PUMP.buybackRecipient,
    0n,
  );
  giveLamports(ledger, PUMP_AMM.boostAuthority, OWN_LAMPORTS);
  const priceKeeper = keyring.wallet();
  giveLamports(ledger, priceKeeper, OWN_LAMPORTS);
  giveWrappedSol(context, priceKeeper, KEEPER_LAMPORTS);
  giveUsdc(execution, context, priceKeeper, KEEPER_USD);
  const solUsdcPools = createSolUsdcPools(execution, context, keyring.wallet());
  if (execution.failure !== null) {
    throw new Error(`the first accounts fail with code ${execution.failure.code} at $${solUsd}`);
  }
  return { solUsdcPools, priceKeeper, exchanges: EXCHANGE_WALLETS };
}

/** Raw USDC per lamport. */
export function rawPriceOf(solUsd: number): number {
  return solUsd / 10 ** (SOL_DECIMALS - USDC_DECIMALS);
}

function createPrograms(ledger: Ledger, tables: readonly LookupTable[]): void {
  for (const address of BUILTIN_PROGRAMS) {
    ledger.set(address, plainAccount(1n, NATIVE_LOADER));
  }
  for (const address of DEPLOYED_PROGRAMS) {
    ledger.set(address, plainAccount(PROGRAM_LAMPORTS, UPGRADEABLE_LOADER));
  }
  for (const { address, entries } of tables) {
    const lamports = rentExemptLamports(56 + 32 * entries.length);
    ledger.set(address, plainAccount(lamports, LOOKUP_TABLE_PROGRAM));
  }
}

function plainAccount(lamports: bigint, program: Address): Account {
  return { lamports, program, mint: null, token: null, state: null };
}

function createCommonMints(ledger: Ledger, usdcAuthority: Address): void {
  const lamports = rentExemptLamports(MINT_SPACE);
  const common = { supplyRaw: 0n, transferFee: null };
  const noAuthorities = { mintAuthority: null, freezeAuthority: null };
  ledger.set(WRAPPED_SOL, {
    ...plainAccount(lamports, SPL_TOKEN_PROGRAM),
    mint: { decimals: SOL_DECIMALS, ...common, ...noAuthorities },
  });
  const issuer = { mintAuthority: usdcAuthority, freezeAuthority: usdcAuthority };
  ledger.set(USDC, {
    ...plainAccount(lamports, SPL_TOKEN_PROGRAM),
    mint: { decimals: USDC_DECIMALS, ...common, ...issuer },
  });
}

function giveLamports(ledger: Ledger, wallet: Address, lamports: bigint): void {
  const account = ledger.get(wallet);
  ledger.set(wallet, { ...account, lamports: account.lamports + lamports });
}

function holdWrappedSol(ledger: Ledger, account: Address, owner: Address, lamports: bigint): void {
  ledger.set(account, {
    ...plainAccount(TOKEN_ACCOUNT_RENT + lamports, SPL_TOKEN_PROGRAM),
    token: { mint: WRAPPED_SOL, owner, amountRaw: lamports, withheldRaw: 0n },
  });
}

function giveWrappedSol(
  { ledger, tokenAccounts }: GenesisContext,
  owner: Address,
  lamports: bigint,
): void {
  holdWrappedSol(ledger, tokenAccounts.of(owner, WRAPPED_SOL), owner, lamports);
}

function giveUsdc(
  execution: Execution,
  { ledger, tokenAccounts }: GenesisContext,
  owner: Address,
  usd: number,
): void {
  const authority = ledger.mint(USDC).mintAuthority ?? owner;
  const to = ensureTokenAccount(execution, tokenAccounts, owner, owner, USDC);
  mintTokens(execution, { mint: USDC, to, authority, amountRaw: usdcRaw(usd) });
}

function usdcRaw(usd: number): bigint {
  return BigInt(Math.round(usd * 10 ** USDC_DECIMALS));
}

function createSolUsdcPools(
  execution: Execution,
  context: GenesisContext,
  provider: Address,
): LiquidityPool[] {
  const pair = { baseMint: WRAPPED_SOL, quoteMint: USDC };
  const positions = BigInt(1 + DLMM_POSITIONS_EACH_WAY);
  const total = POOL_SOL.ammV4 + POOL_SOL.cpmm + positions * POOL_SOL.dlmmPosition;
  giveLamports(context.ledger, provider, OWN_LAMPORTS);
  giveWrappedSol(context, provider, total * LAMPORTS);
  giveUsdc(execution, context, provider, Number(total) * context.solUsd);
  const worth = (sol: bigint) => usdcRaw(Number(sol) * context.solUsd);
  const create = ({ create: run }: PlannedPool, sol: bigint): void =>
    run(execution, provider, sol * LAMPORTS, worth(sol));
  const ammV4 = planRaydiumAmmV4(context, pair);
  create(ammV4, POOL_SOL.ammV4);
  const cpmm = planRaydiumCpmm(context, pair);
  create(cpmm, POOL_SOL.cpmm);
  const dlmm = planMeteoraDlmm(context, pair);
  create(dlmm, POOL_SOL.dlmmPosition);
  widen(execution, context.ledger, dlmm.pool, provider, worth(POOL_SOL.dlmmPosition));
  return [ammV4.pool, cpmm.pool, dlmm.pool];
}

/** Adds positions of SOL above the first one and of USDC below it. */
function widen(
  execution: Execution,
  ledger: Ledger,
  pool: MeteoraDlmmPool,
  provider: Address,
  quoteRaw: bigint,
): void {
  const first = pool.activeId(ledger) - (POSITION_WIDTH - 1) / 2;
  for (let step = 1; step <= DLMM_POSITIONS_EACH_WAY; step++) {
    const [above, below] = [first + step * POSITION_WIDTH, first - step * POSITION_WIDTH];
    const baseRaw = POOL_SOL.dlmmPosition * LAMPORTS;
    pool.addLiquidityFrom(execution, provider, above, baseRaw, 0n);
    pool.addLiquidityFrom(execution, provider, below, 0n, quoteRaw);
  }
}
