import { SPL_TOKEN_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { type AccountUse, readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { burnTokens, mintTokens, transferFeeOf, transferTokensChecked } from '../programs/token.ts';
import { divideUp } from './constant-product.ts';
import { ownTokens } from './pool-parts.ts';
import {
  CPMM_ERROR,
  type CpmmAccounts,
  type CpmmSide,
  type CpmmState,
  inProgramOrder,
  RAYDIUM_CPMM_AUTHORITY,
  RAYDIUM_CPMM_PROGRAM,
} from './raydium-cpmm-accounts.ts';
import { inverseTransferFee } from './raydium-cpmm-math.ts';

const DEPOSIT = 'f223c68952e1f2b6';
const WITHDRAW = 'b712469c946da122';
const LP_CHANGE_EVENT = '79a3cdc939da753c';
const MEMO_PROGRAM = asAddress('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/** What the pool's two vaults received or, negative, paid. */
export interface CpmmChange {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** The provider and the pool of a change of liquidity. */
export interface CpmmProvision {
  readonly accounts: TokenAccounts;
  readonly at: CpmmAccounts;
  readonly provider: Address;
  /** The tradable reserves: the vaults without the fees reserved in them. */
  readonly reserves: CpmmChange;
}

/** Mints LP tokens of a pool. */
export function mintLp(
  execution: Execution,
  at: CpmmAccounts,
  to: Address,
  amountRaw: bigint,
): void {
  const authority = RAYDIUM_CPMM_AUTHORITY;
  mintTokens(execution, { mint: at.lpMint, to, authority, amountRaw });
}

/** Pays into a vault. */
export function pay(
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

/**
 * The maximum LP tokens that a deposit of at most these amounts, including transfer fees, pays for.
 */
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

/**
 * `deposit`: `lpRaw` LP tokens for their share of both sides, rounded up, as received by the
 * vaults.
 */
export function depositCpmm(
  execution: Execution,
  provision: CpmmProvision,
  lpRaw: bigint,
  most: CpmmChange,
): CpmmChange | null {
  const { ledger } = execution;
  const { accounts, at, provider, reserves } = provision;
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
    logChange(execution, provision, state.lpRaw, { moved: paid, fees, changeType: 0 });
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
  provision: CpmmProvision,
  lpRaw: bigint,
): CpmmChange | null {
  const { ledger } = execution;
  const { accounts, at, provider, reserves } = provision;
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
    logChange(execution, provision, state.lpRaw, {
      moved: { baseRaw, quoteRaw },
      fees,
      changeType: 1,
    });
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

/** The common accounts of deposits and withdrawals. */
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
  { at, reserves }: CpmmProvision,
  lpBefore: bigint,
  change: { readonly moved: CpmmChange; readonly fees: CpmmChange; readonly changeType: 0 | 1 },
): void {
  const event = new InstructionBytes().hex(LP_CHANGE_EVENT).address(at.pool).u64(lpBefore);
  for (const { baseRaw, quoteRaw } of [reserves, change.moved, change.fees]) {
    const [amount0, amount1] = inProgramOrder(at, baseRaw, quoteRaw);
    event.u64(amount0).u64(amount1);
  }
  execution.logData(event.u8(change.changeType).done());
}

/** Fails for a pool that does not exist. */
function stateOf(ledger: Ledger, at: CpmmAccounts): CpmmState {
  const state = ledger.get(at.pool).state as CpmmState | null;
  if (state === null) throw new ProgramFailure(CPMM_ERROR.invalidInput, 'no such pool');
  return state;
}
