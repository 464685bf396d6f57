import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { paying, readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import {
  ensureTokenAccount,
  TOKEN_ACCOUNT_RENT,
  type TokenAccounts,
} from '../programs/associated-token.ts';
import { createAccount, transferLamports } from '../programs/system.ts';
import {
  burnTokens,
  initializeMint,
  MINT_SPACE,
  mintTokens,
  syncNative,
  transferTokens,
} from '../programs/token.ts';
import { divideUp, squareRoot } from './constant-product.ts';
import { createVault, ownTokens, RENT_SYSVAR } from './pool-parts.ts';
import {
  AMM_ERROR,
  type AmmAccounts,
  type AmmState,
  MARKET_PROGRAM,
  RAYDIUM_AMM_V4_AUTHORITY,
  RAYDIUM_AMM_V4_FEES,
  RAYDIUM_AMM_V4_PROGRAM,
} from './raydium-amm-v4-accounts.ts';

const TAG = { initialize2: 1, deposit: 3, withdraw: 4 } as const;
const CREATE_FEE_LAMPORTS = 400_000_000n;
const AMM_SPACE = 752;
const TARGET_ORDERS_SPACE = 2_208;

/** What the pool's two vaults received or, negative, paid. */
export interface AmmChange {
  readonly coinRaw: bigint;
  readonly pcRaw: bigint;
}

/**
 * `initialize2`: accounts, first liquidity, LP tokens to the creator. Of √(coin × pc) LP tokens one
 * whole token is counted but never minted; less than that is refused.
 */
export function initializeAmm(
  execution: Execution,
  accounts: TokenAccounts,
  at: AmmAccounts,
  creator: Address,
  { coinRaw, pcRaw }: AmmChange,
): void {
  const { ledger } = execution;
  const data = new InstructionBytes()
    .u8(TAG.initialize2)
    .u8(254)
    .u64s(BigInt(execution.clock.unixTime), pcRaw, coinRaw)
    .done();
  const uses = initializeUses(accounts, at, creator);
  execution.invoke(RAYDIUM_AMM_V4_PROGRAM, uses, data, () => {
    const coin = ownTokens(ledger, accounts, creator, at.coinMint);
    const pc = ownTokens(ledger, accounts, creator, at.pcMint);
    transferLamports(execution, creator, RAYDIUM_AMM_V4_FEES, CREATE_FEE_LAMPORTS);
    syncNative(execution, RAYDIUM_AMM_V4_FEES, TOKEN_ACCOUNT_RENT);
    const { decimals } = ledger.mint(at.coinMint);
    createAccount(execution, creator, at.targetOrders, TARGET_ORDERS_SPACE, RAYDIUM_AMM_V4_PROGRAM);
    createLpMint(execution, creator, at.lpMint, decimals);
    createVault(execution, creator, at.coinVault, at.coinMint, RAYDIUM_AMM_V4_AUTHORITY);
    createVault(execution, creator, at.pcVault, at.pcMint, RAYDIUM_AMM_V4_AUTHORITY);
    createAccount(execution, creator, at.pool, AMM_SPACE, RAYDIUM_AMM_V4_PROGRAM);
    const lpAccount = ensureTokenAccount(execution, accounts, creator, creator, at.lpMint);
    const from = { authority: creator };
    transferTokens(execution, { ...from, from: coin, to: at.coinVault, amountRaw: coinRaw });
    transferTokens(execution, { ...from, from: pc, to: at.pcVault, amountRaw: pcRaw });
    const lpRaw = squareRoot(coinRaw * pcRaw);
    const keptRaw = 10n ** BigInt(decimals);
    if (lpRaw <= keptRaw) throw new ProgramFailure(AMM_ERROR.invalidInput, 'too little liquidity');
    mintLp(execution, at, lpAccount, lpRaw - keptRaw);
    execution.change(at.pool, { state: { lpRaw } satisfies AmmState });
  });
}

function initializeUses(accounts: TokenAccounts, at: AmmAccounts, creator: Address) {
  return [
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(SYSTEM_PROGRAM),
    readOnly(RENT_SYSVAR),
    writable(at.pool),
    readOnly(RAYDIUM_AMM_V4_AUTHORITY),
    writable(at.openOrders),
    writable(at.lpMint),
    readOnly(at.coinMint),
    readOnly(at.pcMint),
    writable(at.coinVault),
    writable(at.pcVault),
    writable(at.withdrawQueue),
    writable(at.targetOrders),
    writable(RAYDIUM_AMM_V4_FEES),
    readOnly(MARKET_PROGRAM),
    readOnly(at.market),
    paying(creator),
    writable(accounts.of(creator, at.coinMint)),
    writable(accounts.of(creator, at.pcMint)),
    writable(accounts.of(creator, at.lpMint)),
  ];
}

function createLpMint(
  execution: Execution,
  payer: Address,
  lpMint: Address,
  decimals: number,
): void {
  createAccount(execution, payer, lpMint, MINT_SPACE, SPL_TOKEN_PROGRAM);
  initializeMint(execution, SPL_TOKEN_PROGRAM, lpMint, {
    decimals,
    mintAuthority: RAYDIUM_AMM_V4_AUTHORITY,
    freezeAuthority: null,
  });
}

function mintLp(execution: Execution, at: AmmAccounts, to: Address, amountRaw: bigint): void {
  const authority = RAYDIUM_AMM_V4_AUTHORITY;
  mintTokens(execution, { mint: at.lpMint, to, authority, amountRaw });
}

/**
 * `deposit`: the whole of one side, and as much of the other as the reserves require, rounded up.
 */
export function depositAmm(
  execution: Execution,
  accounts: TokenAccounts,
  at: AmmAccounts,
  provider: Address,
  most: AmmChange,
): AmmChange | null {
  const { ledger } = execution;
  const reserves = reservesOf(ledger, at);
  const isCoinFixed = most.coinRaw * reserves.pcRaw <= most.pcRaw * reserves.coinRaw;
  const data = new InstructionBytes()
    .u8(TAG.deposit)
    .u64s(most.coinRaw, most.pcRaw, isCoinFixed ? 0n : 1n)
    .done();
  let change: AmmChange | null = null;
  execution.invoke(RAYDIUM_AMM_V4_PROGRAM, depositUses(accounts, at, provider), data, () => {
    const state = stateOf(ledger, at);
    const { lpRaw, ...paid } = depositOf(most, reserves, state.lpRaw, isCoinFixed);
    if (lpRaw === 0n) throw new ProgramFailure(AMM_ERROR.notAllowZeroLp, 'no LP tokens');
    const coin = ownTokens(ledger, accounts, provider, at.coinMint);
    const pc = ownTokens(ledger, accounts, provider, at.pcMint);
    const lp = ownTokens(ledger, accounts, provider, at.lpMint);
    const from = { authority: provider };
    transferTokens(execution, { ...from, from: coin, to: at.coinVault, amountRaw: paid.coinRaw });
    transferTokens(execution, { ...from, from: pc, to: at.pcVault, amountRaw: paid.pcRaw });
    mintLp(execution, at, lp, lpRaw);
    execution.change(at.pool, { state: { lpRaw: state.lpRaw + lpRaw } satisfies AmmState });
    change = paid;
  });
  return change;
}

/** The payments and LP tokens of a deposit. */
export function depositOf(
  most: AmmChange,
  reserves: AmmChange,
  lpRaw: bigint,
  isCoinFixed: boolean,
): AmmChange & { readonly lpRaw: bigint } {
  if (isCoinFixed) {
    const { coinRaw } = most;
    const pcRaw = divideUp(coinRaw * reserves.pcRaw, reserves.coinRaw);
    return { coinRaw, pcRaw, lpRaw: (coinRaw * lpRaw) / reserves.coinRaw };
  }
  const { pcRaw } = most;
  const coinRaw = divideUp(pcRaw * reserves.coinRaw, reserves.pcRaw);
  return { coinRaw, pcRaw, lpRaw: (pcRaw * lpRaw) / reserves.pcRaw };
}

function depositUses(accounts: TokenAccounts, at: AmmAccounts, provider: Address) {
  return [
    readOnly(SPL_TOKEN_PROGRAM),
    writable(at.pool),
    readOnly(RAYDIUM_AMM_V4_AUTHORITY),
    readOnly(at.openOrders),
    writable(at.targetOrders),
    writable(at.lpMint),
    writable(at.coinVault),
    writable(at.pcVault),
    readOnly(at.market),
    writable(accounts.of(provider, at.coinMint)),
    writable(accounts.of(provider, at.pcMint)),
    writable(accounts.of(provider, at.lpMint)),
    signing(provider),
    readOnly(at.marketAccounts[2]),
  ];
}

/** `withdraw`: burns LP tokens for their share of both vaults, rounded down. */
export function withdrawAmm(
  execution: Execution,
  accounts: TokenAccounts,
  at: AmmAccounts,
  provider: Address,
  lpRaw: bigint,
): AmmChange | null {
  const { ledger } = execution;
  const data = new InstructionBytes().u8(TAG.withdraw).u64(lpRaw).done();
  let change: AmmChange | null = null;
  execution.invoke(RAYDIUM_AMM_V4_PROGRAM, withdrawUses(accounts, at, provider), data, () => {
    const state = stateOf(ledger, at);
    const lp = ownTokens(ledger, accounts, provider, at.lpMint);
    if (lpRaw === 0n || ledger.token(lp).amountRaw < lpRaw) {
      throw new ProgramFailure(AMM_ERROR.invalidInput, 'not that many LP tokens');
    }
    const coin = ownTokens(ledger, accounts, provider, at.coinMint);
    const pc = ownTokens(ledger, accounts, provider, at.pcMint);
    const reserves = reservesOf(ledger, at);
    const { coinRaw, pcRaw } = withdrawalOf(reserves, state.lpRaw, lpRaw);
    if (coinRaw === 0n || pcRaw === 0n) {
      throw new ProgramFailure(AMM_ERROR.invalidInput, 'less than a unit of a side');
    }
    const from = { authority: RAYDIUM_AMM_V4_AUTHORITY };
    transferTokens(execution, { ...from, from: at.coinVault, to: coin, amountRaw: coinRaw });
    transferTokens(execution, { ...from, from: at.pcVault, to: pc, amountRaw: pcRaw });
    burnTokens(execution, { from: lp, authority: provider, amountRaw: lpRaw });
    execution.change(at.pool, { state: { lpRaw: state.lpRaw - lpRaw } satisfies AmmState });
    change = { coinRaw: -coinRaw, pcRaw: -pcRaw };
  });
  return change;
}

/** The value of LP tokens. */
export function withdrawalOf(reserves: AmmChange, lpTotalRaw: bigint, lpRaw: bigint): AmmChange {
  return {
    coinRaw: (reserves.coinRaw * lpRaw) / lpTotalRaw,
    pcRaw: (reserves.pcRaw * lpRaw) / lpTotalRaw,
  };
}

function withdrawUses(accounts: TokenAccounts, at: AmmAccounts, provider: Address) {
  const [bids, asks, eventQueue, coinVault, pcVault, vaultSigner] = at.marketAccounts;
  return [
    readOnly(SPL_TOKEN_PROGRAM),
    writable(at.pool),
    readOnly(RAYDIUM_AMM_V4_AUTHORITY),
    writable(at.openOrders),
    writable(at.targetOrders),
    writable(at.lpMint),
    writable(at.coinVault),
    writable(at.pcVault),
    writable(at.withdrawQueue),
    writable(at.tempLp),
    readOnly(MARKET_PROGRAM),
    writable(at.market),
    writable(coinVault),
    writable(pcVault),
    readOnly(vaultSigner),
    writable(accounts.of(provider, at.lpMint)),
    writable(accounts.of(provider, at.coinMint)),
    writable(accounts.of(provider, at.pcMint)),
    signing(provider),
    writable(eventQueue),
    writable(bids),
    writable(asks),
  ];
}

function reservesOf(ledger: Ledger, at: AmmAccounts): AmmChange {
  return {
    coinRaw: ledger.heldRaw(at.coinVault),
    pcRaw: ledger.heldRaw(at.pcVault),
  };
}

/** Fails for a pool that does not exist. */
function stateOf(ledger: Ledger, at: AmmAccounts): AmmState {
  const state = ledger.get(at.pool).state as AmmState | null;
  if (state === null) throw new ProgramFailure(AMM_ERROR.invalidInput, 'no such pool');
  return state;
}
