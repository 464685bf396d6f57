import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import {
  ensureTokenAccount,
  TOKEN_ACCOUNT_RENT,
  type TokenAccounts,
} from '../programs/associated-token.ts';
import { createAccount, transferLamports } from '../programs/system.ts';
import { initializeMint, MINT_SPACE, syncNative } from '../programs/token.ts';
import { squareRoot } from './constant-product.ts';
import { createVault, RENT_SYSVAR } from './pool-parts.ts';
import {
  CPMM_ERROR,
  type CpmmAccounts,
  type CpmmSide,
  type CpmmState,
  inProgramOrder,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_FEES,
  RAYDIUM_CPMM_PROGRAM,
} from './raydium-cpmm-accounts.ts';
import { type CpmmChange, type CpmmProvision, mintLp, pay } from './raydium-cpmm-liquidity.ts';

const INITIALIZE = 'afaf6d1f0d989bed';
const CREATE_FEE_LAMPORTS = 150_000_000n;
const POOL_SPACE = 637;
const OBSERVATION_SPACE = 4_075;
const LP_DECIMALS = 9;
/** Counted at the start but never minted. */
const KEPT_LP_RAW = 100n;

/**
 * `initialize`: accounts and first liquidity; the creator receives √(received amounts) LP tokens.
 */
export function initializeCpmm(
  execution: Execution,
  { accounts, at, provider: creator }: Omit<CpmmProvision, 'reserves'>,
  config: Address,
  first: CpmmChange,
): void {
  const { ledger } = execution;
  const [amount0, amount1] = inProgramOrder(at, first.baseRaw, first.quoteRaw);
  const data = new InstructionBytes()
    .hex(INITIALIZE)
    .u64s(amount0, amount1, BigInt(execution.clock.unixTime))
    .done();
  const uses = initializeUses(ledger, accounts, at, config, creator);
  execution.invoke(RAYDIUM_CPMM_PROGRAM, uses, data, () => {
    createAccount(execution, creator, at.pool, POOL_SPACE, RAYDIUM_CPMM_PROGRAM);
    createLpMint(execution, creator, at.lpMint);
    const lpAccount = ensureTokenAccount(execution, accounts, creator, creator, at.lpMint);
    createAccount(execution, creator, at.observation, OBSERVATION_SPACE, RAYDIUM_CPMM_PROGRAM);
    const sides = inProgramOrder(at, at.base, at.quote);
    for (const { mint, vault } of sides) {
      createVault(execution, creator, vault, mint, RAYDIUM_CPMM_AUTHORITY);
    }
    const [token0, token1] = sides;
    pay(execution, accounts, creator, token0, amount0);
    pay(execution, accounts, creator, token1, amount1);
    const held = (side: CpmmSide) => ledger.token(side.vault).amountRaw;
    const lpRaw = squareRoot(held(token0) * held(token1));
    if (lpRaw <= KEPT_LP_RAW) {
      throw new ProgramFailure(CPMM_ERROR.initLpAmountTooLess, 'init lp amount is too less');
    }
    mintLp(execution, at, lpAccount, lpRaw - KEPT_LP_RAW);
    transferLamports(execution, creator, RAYDIUM_CPMM_FEES, CREATE_FEE_LAMPORTS);
    syncNative(execution, RAYDIUM_CPMM_FEES, TOKEN_ACCOUNT_RENT);
    const state: CpmmState = { lpRaw, baseFeesRaw: 0n, quoteFeesRaw: 0n };
    execution.change(at.pool, { state });
  });
}

function initializeUses(
  ledger: Ledger,
  accounts: TokenAccounts,
  at: CpmmAccounts,
  config: Address,
  creator: Address,
): AccountUse[] {
  const [token0, token1] = inProgramOrder(at, at.base, at.quote);
  return [
    paying(creator),
    readOnly(config),
    readOnly(RAYDIUM_CPMM_AUTHORITY),
    writable(at.pool),
    readOnly(token0.mint),
    readOnly(token1.mint),
    writable(at.lpMint),
    writable(accounts.of(creator, token0.mint)),
    writable(accounts.of(creator, token1.mint)),
    writable(accounts.of(creator, at.lpMint)),
    writable(token0.vault),
    writable(token1.vault),
    writable(RAYDIUM_CPMM_FEES),
    writable(at.observation),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(ledger.get(token0.mint).program),
    readOnly(ledger.get(token1.mint).program),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(SYSTEM_PROGRAM),
    readOnly(RENT_SYSVAR),
  ];
}

function createLpMint(execution: Execution, payer: Address, lpMint: Address): void {
  createAccount(execution, payer, lpMint, MINT_SPACE, SPL_TOKEN_PROGRAM);
  initializeMint(execution, SPL_TOKEN_PROGRAM, lpMint, {
    decimals: LP_DECIMALS,
    mintAuthority: RAYDIUM_CPMM_AUTHORITY,
    freezeAuthority: null,
  });
}
