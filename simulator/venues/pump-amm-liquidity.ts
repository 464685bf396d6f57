import type { Address } from '../../src/model/units.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { ensureTokenAccount, type TokenAccounts } from '../programs/associated-token.ts';
import { burnTokens, mintTokens, transferTokensChecked } from '../programs/token.ts';
import { liquidityUses, type PoolAddresses } from './pump-amm-accounts.ts';
import { depositEvent, type LiquidityFields, withdrawEvent } from './pump-amm-events.ts';
import { depositFor, liquidityFor, type PoolReserves, withdrawalFor } from './pump-amm-math.ts';
import {
  effectivePoolReserves,
  openPoolState,
  poolMoment,
  poolState,
  setLpSupply,
} from './pump-amm-state.ts';
import { emitPumpEvent, PUMP_AMM } from './pump-program.ts';

/** ZeroBaseAmount of the program. */
const ZERO_AMOUNT = 6_001;
/** BoostPoolLiquidityUnsupported. */
const BOOSTED = 6_064;

/** A provider of liquidity and the pool. */
export interface Provision {
  readonly addresses: PoolAddresses;
  readonly tokenAccounts: TokenAccounts;
  readonly provider: Address;
}

/** `deposit`: as many LP tokens as the amounts pay for, after creating an account for them. */
export function deposit(execution: Execution, provision: Provision, limits: PoolReserves): void {
  const { addresses, tokenAccounts, provider } = provision;
  const { pool, lpMint } = addresses;
  const { ledger } = execution;
  ensureTokenAccount(execution, tokenAccounts, provider, provider, lpMint);
  const supply = poolState(ledger, pool)?.lpSupplyRaw ?? 0n;
  const lpRaw = liquidityFor(effectivePoolReserves(ledger, addresses), supply, limits);
  const data = new InstructionBytes()
    .hex('f223c68952e1f2b6')
    .u64s(lpRaw, limits.baseRaw, limits.quoteRaw)
    .done();
  invoke(execution, provision, data, (lpSupplyRaw) => {
    execution.log('Instruction: Deposit');
    requireAmount(lpRaw);
    const moment = poolMoment(execution, addresses, tokenAccounts, provider);
    const moved = depositFor(effectivePoolReserves(ledger, addresses), lpSupplyRaw, lpRaw);
    const { baseRaw, quoteRaw } = moved;
    payIntoVaults(execution, provision, moved);
    const userLp = tokenAccounts.of(provider, lpMint);
    mintTokens(execution, { mint: lpMint, to: userLp, authority: pool, amountRaw: lpRaw });
    setLpSupply(execution, pool, lpSupplyRaw + lpRaw);
    const fields: LiquidityFields = { lpRaw, limits, moved, lpSupplyRaw, userLp };
    emitPumpEvent(execution, PUMP_AMM, depositEvent(moment, fields));
    execution.report({ kind: 'liquidity', pool, provider, baseRaw, quoteRaw });
  });
}

/** Transfers both sides of a deposit from the provider to the pool. */
export function payIntoVaults(
  execution: Execution,
  { addresses, tokenAccounts, provider: authority }: Provision,
  { baseRaw, quoteRaw }: PoolReserves,
): void {
  const { baseMint, quoteMint, baseVault, quoteVault } = addresses;
  for (const [mint, to, amountRaw] of [
    [baseMint, baseVault, baseRaw],
    [quoteMint, quoteVault, quoteRaw],
  ] as const) {
    const from = tokenAccounts.of(authority, mint);
    transferTokensChecked(execution, { from, to, authority, amountRaw });
  }
}

/** `withdraw` without minimum amounts. */
export function withdraw(execution: Execution, provision: Provision, lpRaw: bigint): void {
  const { addresses, tokenAccounts, provider } = provision;
  const { pool, lpMint, baseVault, quoteVault } = addresses;
  const data = new InstructionBytes().hex('b712469c946da122').u64(lpRaw).u64(0n).u64(0n).done();
  invoke(execution, provision, data, (lpSupplyRaw) => {
    execution.log('Instruction: Withdraw');
    requireAmount(lpRaw);
    const moment = poolMoment(execution, addresses, tokenAccounts, provider);
    const moved = withdrawalFor(
      effectivePoolReserves(execution.ledger, addresses),
      lpSupplyRaw,
      lpRaw,
    );
    const authority = pool;
    const { userBase, userQuote } = moment;
    const { baseRaw, quoteRaw } = moved;
    transferTokensChecked(execution, {
      from: baseVault,
      to: userBase,
      authority,
      amountRaw: baseRaw,
    });
    transferTokensChecked(execution, {
      from: quoteVault,
      to: userQuote,
      authority,
      amountRaw: quoteRaw,
    });
    const userLp = tokenAccounts.of(provider, lpMint);
    burnTokens(execution, { from: userLp, authority: provider, amountRaw: lpRaw });
    setLpSupply(execution, pool, lpSupplyRaw - lpRaw);
    const fields: LiquidityFields = { lpRaw, limits: NO_LIMITS, moved, lpSupplyRaw, userLp };
    emitPumpEvent(execution, PUMP_AMM, withdrawEvent(moment, fields));
    execution.report({
      kind: 'liquidity',
      pool,
      provider,
      baseRaw: -baseRaw,
      quoteRaw: -quoteRaw,
    });
  });
}

const NO_LIMITS: PoolReserves = { baseRaw: 0n, quoteRaw: 0n };

function invoke(
  execution: Execution,
  { addresses, tokenAccounts, provider }: Provision,
  data: Uint8Array,
  body: (lpSupplyRaw: bigint) => void,
): void {
  const uses = liquidityUses(addresses, tokenAccounts, provider);
  execution.invoke(PUMP_AMM.program, uses, data, () => {
    const { lpSupplyRaw, boostRaw } = openPoolState(execution.ledger, addresses.pool);
    if (boostRaw > 0n) throw new ProgramFailure(BOOSTED, 'BoostPoolLiquidityUnsupported');
    body(lpSupplyRaw);
  });
}

function requireAmount(lpRaw: bigint): void {
  if (lpRaw === 0n) throw new ProgramFailure(ZERO_AMOUNT, 'ZeroBaseAmount');
}
