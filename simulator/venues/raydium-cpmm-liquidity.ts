import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, signing, writable } from '../chain/account-use.ts';
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
  transferFeeOf,
  transferTokensChecked,
} from '../programs/token.ts';
import { divideUp, squareRoot } from './constant-product.ts';
import { createVault, ownTokens, RENT_SYSVAR } from './pool-parts.ts';
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
import { inverseTransferFee } from './raydium-cpmm-math.ts';

const INITIALIZE = 'afaf6d1f0d989bed';
const DEPOSIT = 'f223c68952e1f2b6';
const WITHDRAW = 'b712469c946da122';
const LP_CHANGE_EVENT = '79a3cdc939da753c';
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;

const CREATE_FEE_LAMPORTS = 150_000_000n;
const POOL_SPACE = 637;
const OBSERVATION_SPACE = 4_075;
const LP_DECIMALS = 9;
/** Counted at the start and never minted. */
const KEPT_LP_RAW = 100n;

/** What the pool's two vaults got or, negative, gave. */
export interface CpmmChange {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** `initialize`: accounts and first liquidity; the creator gets √(what arrived) LP tokens. */
export function initializeCpmm(
  execution: Execution,
  accounts: TokenAccounts,
  at: CpmmAccounts,
  config: Address,
  creator: Address,
  first: CpmmChange,
): void {
  const { ledger } = execution;
  const [amount0, amount1] = inProgramOrder(at, first.baseRaw, first.quoteRaw);
  const data = new InstructionBytes()
    .hex(INITIALIZE)
    .u64(amount0)
    .u64(amount1)
    .u64(BigInt(execution.clock.unixTime))
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

function mintLp(execution: Execution, at: CpmmAccounts, to: Address, amountRaw: bigint): void {
  const authority = RAYDIUM_CPMM_AUTHORITY;
  mintTokens(execution, { mint: at.lpMint, to, authority, amountRaw });
}

function pay(
  execution: Execution,
  accounts: TokenAccounts,
  owner: Address,
  { mint, vault }: CpmmSide,
  amountRaw: bigint,
): void {
  const from = ownTokens(execution.ledger, accounts, owner, mint);
  transferTokensChecked(execution, { from, to: vault, authority: owner, amountRaw });
}

function payOut(
  execution: Execution,
  accounts: TokenAccounts,
  owner: Address,
  { mint, vault }: CpmmSide,
  amountRaw: bigint,
): void {
  const to = ownTokens(execution.ledger, accounts, owner, mint);
  const authority = RAYDIUM_CPMM_AUTHORITY;
  transferTokensChecked(execution, { from: vault, to, authority, amountRaw });
}

/** The most LP tokens that a deposit of at most these amounts, transfer fees included, pays for. */
export function lpForDeposit(
  ledger: Ledger,
  at: CpmmAccounts,
  reserves: CpmmChange,
  most: CpmmChange,
): bigint {
  const state = ledger.get(at.pool).state as CpmmState | null;
  if (state === null || reserves.baseRaw === 0n || reserves.quoteRaw === 0n) return 0n;
  const arriving = (mint: Address, raw: bigint) =>
    raw - transferFeeOf(ledger.mint(mint).transferFee, raw);
  const byBase = (arriving(at.base.mint, most.baseRaw) * state.lpRaw) / reserves.baseRaw;
  const byQuote = (arriving(at.quote.mint, most.quoteRaw) * state.lpRaw) / reserves.quoteRaw;
  if (byBase > byQuote) return byQuote;
  return byBase;
}

/** `deposit`: `lpRaw` LP tokens for their share of both sides, rounded up, arriving in the vaults. */
export function depositCpmm(
  execution: Execution,
  accounts: TokenAccounts,
  at: CpmmAccounts,
  provider: Address,
  reserves: CpmmChange,
  lpRaw: bigint,
  most: CpmmChange,
): CpmmChange | null {
  const { ledger } = execution;
  const [most0, most1] = inProgramOrder(at, most.baseRaw, most.quoteRaw);
  const data = new InstructionBytes().hex(DEPOSIT).u64(lpRaw).u64(most0).u64(most1).done();
  let change: CpmmChange | null = null;
  execution.invoke(RAYDIUM_CPMM_PROGRAM, changeUses(accounts, at, provider), data, () => {
    const state = stateOf(ledger, at);
    if (lpRaw === 0n) throw new ProgramFailure(CPMM_ERROR.zeroTradingTokens, 'zero LP tokens');
    const paid = {
      baseRaw: divideUp(lpRaw * reserves.baseRaw, state.lpRaw),
      quoteRaw: divideUp(lpRaw * reserves.quoteRaw, state.lpRaw),
    };
    const fees = {
      baseRaw: inverseTransferFee(ledger.mint(at.base.mint).transferFee, paid.baseRaw),
      quoteRaw: inverseTransferFee(ledger.mint(at.quote.mint).transferFee, paid.quoteRaw),
    };
    const sent = { base: paid.baseRaw + fees.baseRaw, quote: paid.quoteRaw + fees.quoteRaw };
    if (sent.base > most.baseRaw || sent.quote > most.quoteRaw) {
      throw new ProgramFailure(CPMM_ERROR.exceededSlippage, 'exceeds desired slippage limit');
    }
    logChange(execution, at, state.lpRaw, reserves, paid, fees, 0);
    const lpAccount = ownTokens(ledger, accounts, provider, at.lpMint);
    const [token0, token1] = inProgramOrder(at, at.base, at.quote);
    const [sent0, sent1] = inProgramOrder(at, sent.base, sent.quote);
    pay(execution, accounts, provider, token0, sent0);
    pay(execution, accounts, provider, token1, sent1);
    mintLp(execution, at, lpAccount, lpRaw);
    execution.change(at.pool, { state: { ...state, lpRaw: state.lpRaw + lpRaw } });
    change = paid;
  });
  return change;
}

/** `withdraw`: burns LP tokens for their share of both sides, rounded down. */
export function withdrawCpmm(
  execution: Execution,
  accounts: TokenAccounts,
  at: CpmmAccounts,
  provider: Address,
  reserves: CpmmChange,
  lpRaw: bigint,
): CpmmChange | null {
  const { ledger } = execution;
  const data = new InstructionBytes().hex(WITHDRAW).u64(lpRaw).u64(0n).u64(0n).done();
  const uses = [...changeUses(accounts, at, provider), readOnly(MEMO_PROGRAM)];
  let change: CpmmChange | null = null;
  execution.invoke(RAYDIUM_CPMM_PROGRAM, uses, data, () => {
    const state = stateOf(ledger, at);
    const from = ownTokens(ledger, accounts, provider, at.lpMint);
    if (lpRaw === 0n || lpRaw > state.lpRaw) {
      throw new ProgramFailure(CPMM_ERROR.zeroTradingTokens, 'not that many LP tokens');
    }
    const baseRaw = (lpRaw * reserves.baseRaw) / state.lpRaw;
    const quoteRaw = (lpRaw * reserves.quoteRaw) / state.lpRaw;
    if (baseRaw === 0n || quoteRaw === 0n) {
      throw new ProgramFailure(CPMM_ERROR.zeroTradingTokens, 'less than a unit of a side');
    }
    const fees = {
      baseRaw: transferFeeOf(ledger.mint(at.base.mint).transferFee, baseRaw),
      quoteRaw: transferFeeOf(ledger.mint(at.quote.mint).transferFee, quoteRaw),
    };
    logChange(execution, at, state.lpRaw, reserves, { baseRaw, quoteRaw }, fees, 1);
    burnTokens(execution, { from, authority: provider, amountRaw: lpRaw });
    const [token0, token1] = inProgramOrder(at, at.base, at.quote);
    const [amount0, amount1] = inProgramOrder(at, baseRaw, quoteRaw);
    payOut(execution, accounts, provider, token0, amount0);
    payOut(execution, accounts, provider, token1, amount1);
    execution.change(at.pool, { state: { ...state, lpRaw: state.lpRaw - lpRaw } });
    change = { baseRaw: -baseRaw, quoteRaw: -quoteRaw };
  });
  return change;
}

/** The accounts that deposits and withdrawals share. */
function changeUses(accounts: TokenAccounts, at: CpmmAccounts, provider: Address): AccountUse[] {
  const [token0, token1] = inProgramOrder(at, at.base, at.quote);
  return [
    signing(provider),
    readOnly(RAYDIUM_CPMM_AUTHORITY),
    writable(at.pool),
    writable(accounts.of(provider, at.lpMint)),
    writable(accounts.of(provider, token0.mint)),
    writable(accounts.of(provider, token1.mint)),
    writable(token0.vault),
    writable(token1.vault),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(token0.mint),
    readOnly(token1.mint),
    writable(at.lpMint),
  ];
}

function logChange(
  execution: Execution,
  at: CpmmAccounts,
  lpBefore: bigint,
  reserves: CpmmChange,
  moved: CpmmChange,
  fees: CpmmChange,
  changeType: 0 | 1,
): void {
  const event = new InstructionBytes().hex(LP_CHANGE_EVENT).address(at.pool).u64(lpBefore);
  for (const { baseRaw, quoteRaw } of [reserves, moved, fees]) {
    const [amount0, amount1] = inProgramOrder(at, baseRaw, quoteRaw);
    event.u64(amount0).u64(amount1);
  }
  execution.logData(event.u8(changeType).done());
}

/** Fails for a pool that does not exist. */
function stateOf(ledger: Ledger, at: CpmmAccounts): CpmmState {
  const state = ledger.get(at.pool).state as CpmmState | null;
  if (state === null) throw new ProgramFailure(CPMM_ERROR.invalidInput, 'no such pool');
  return state;
}
