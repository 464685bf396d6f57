import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { readOnly, signing, writable } from '../chain/account-use.ts';
import { type Execution, INSUFFICIENT_FUNDS, ProgramFailure } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Ledger, TransferFee } from '../chain/ledger.ts';

/** Account sizes of the token program. */
export const MINT_SPACE = 82;
export const TOKEN_ACCOUNT_SPACE = 165;

/** MintMismatch: the accounts belong to different mints. */
const MINT_MISMATCH = 3;
/** OwnerMismatch: the signer is not the owner. */
const OWNER_MISMATCH = 4;
/** NonNativeHasBalance: an account with tokens cannot be closed. */
const STILL_HOLDS_TOKENS = 11;
/** AccountHasWithheldTransferFees: an account with withheld fees cannot be closed. */
const STILL_HOLDS_FEES = 35;

export interface MintSettings {
  readonly decimals: number;
  readonly mintAuthority: Address;
  readonly freezeAuthority: Address | null;
}

/** InitializeMint2 on an existing account: call `createAccount` first. */
export function initializeMint(
  execution: Execution,
  program: Address,
  mint: Address,
  { decimals, mintAuthority, freezeAuthority }: MintSettings,
  transferFee: TransferFee | null = null,
): void {
  const data = new InstructionBytes()
    .u8(20)
    .u8(decimals)
    .address(mintAuthority)
    .optionalAddress(freezeAuthority)
    .done();
  execution.invoke(program, [writable(mint)], data, () =>
    execution.change(mint, {
      mint: { decimals, supplyRaw: 0n, mintAuthority, freezeAuthority, transferFee },
    }),
  );
}

/** InitializeAccount3 on an existing account. Fails without the mint. */
export function initializeTokenAccount(
  execution: Execution,
  account: Address,
  mint: Address,
  owner: Address,
): void {
  const { program } = execution.ledger.get(mint);
  const data = new InstructionBytes().u8(18).address(owner).done();
  execution.invoke(program, [writable(account), readOnly(mint)], data, () => {
    execution.ledger.mint(mint);
    execution.change(account, { token: { mint, owner, amountRaw: 0n, withheldRaw: 0n } });
  });
}

/** Specific to the native mint: the balance is the account's lamports above its rent. */
export function syncNative(execution: Execution, account: Address, rentLamports: bigint): void {
  execution.invoke(SPL_TOKEN_PROGRAM, [writable(account)], Uint8Array.of(17), () => {
    const { lamports } = execution.ledger.get(account);
    const token = execution.ledger.token(account);
    execution.change(account, { token: { ...token, amountRaw: lamports - rentLamports } });
  });
}

export interface TokenMove {
  readonly from: Address;
  readonly to: Address;
  /** Signs for the source: its owner, or the program address that owns a vault. */
  readonly authority: Address;
  readonly amountRaw: bigint;
}

/** Transfer, as older programs call it. Only for mints without a transfer fee. */
export function transferTokens(execution: Execution, move: TokenMove): void {
  const { from, to, authority, amountRaw } = move;
  const program = tokenProgramOf(execution, from);
  const data = new InstructionBytes().u8(3).u64(amountRaw).done();
  execution.invoke(program, [writable(from), writable(to), signing(authority)], data, () =>
    moveTokens(execution, move),
  );
}

/** TransferChecked. A mint's transfer fee is withheld on the receiving account. */
export function transferTokensChecked(execution: Execution, move: TokenMove): void {
  const { from, to, authority, amountRaw } = move;
  const { mint } = execution.ledger.token(from);
  const { program } = execution.ledger.get(mint);
  const { decimals } = execution.ledger.mint(mint);
  const data = new InstructionBytes().u8(12).u64(amountRaw).u8(decimals).done();
  const accounts = [writable(from), readOnly(mint), writable(to), signing(authority)];
  execution.invoke(program, accounts, data, () => moveTokens(execution, move));
}

/**
 * The program of a token account; the classic one if the account does not exist, as wallets assume.
 */
function tokenProgramOf({ ledger }: Execution, account: Address): Address {
  const { token } = ledger.get(account);
  return token === null ? SPL_TOKEN_PROGRAM : ledger.get(token.mint).program;
}

/** The transfer fee: rounded up, at most the maximum. */
export function transferFeeOf(fee: TransferFee | null, amountRaw: bigint): bigint {
  if (fee === null || fee.feeBps === 0) return 0n;
  const cut = (amountRaw * BigInt(fee.feeBps) + 9_999n) / 10_000n;
  return cut < fee.maxFeeRaw ? cut : fee.maxFeeRaw;
}

function moveTokens(execution: Execution, { from, to, authority, amountRaw }: TokenMove): void {
  const { ledger } = execution;
  const { mint, amountRaw: heldRaw } = ledger.token(from);
  if (ledger.token(to).mint !== mint) throw new ProgramFailure(MINT_MISMATCH, 'mint mismatch');
  if (heldRaw < amountRaw) throw new ProgramFailure(INSUFFICIENT_FUNDS, 'insufficient funds');
  assertOwner(ledger, from, authority);
  // For a self-transfer both programs stop here: nothing moves and no fee is withheld.
  if (from === to) return;
  const fee = transferFeeOf(ledger.mint(mint).transferFee, amountRaw);
  execution.changeTokens(from, -amountRaw);
  execution.changeTokens(to, amountRaw - fee);
  if (fee > 0n) {
    const token = ledger.token(to);
    execution.change(to, { token: { ...token, withheldRaw: token.withheldRaw + fee } });
  }
  if (mint === WRAPPED_SOL) execution.moveLamports(from, to, amountRaw);
}

function assertOwner(ledger: Ledger, account: Address, authority: Address): void {
  if (ledger.token(account).owner === authority) return;
  throw new ProgramFailure(OWNER_MISMATCH, 'owner does not match');
}

export function mintTokens(
  execution: Execution,
  { mint, to, authority, amountRaw }: Omit<TokenMove, 'from'> & { readonly mint: Address },
): void {
  const { program } = execution.ledger.get(mint);
  const data = new InstructionBytes().u8(7).u64(amountRaw).done();
  execution.invoke(program, [writable(mint), writable(to), signing(authority)], data, () => {
    execution.changeTokens(to, amountRaw);
    changeSupply(execution, mint, amountRaw);
  });
}

export function burnTokens(
  execution: Execution,
  { from, authority, amountRaw }: Omit<TokenMove, 'to'>,
): void {
  const { mint } = execution.ledger.token(from);
  const { program } = execution.ledger.get(mint);
  const data = new InstructionBytes().u8(8).u64(amountRaw).done();
  execution.invoke(program, [writable(from), writable(mint), signing(authority)], data, () => {
    assertOwner(execution.ledger, from, authority);
    execution.changeTokens(from, -amountRaw);
    changeSupply(execution, mint, -amountRaw);
  });
}

/** Closes a token account: its lamports, including wrapped ones, go to `to`. */
export function closeTokenAccount(
  execution: Execution,
  account: Address,
  to: Address,
  authority: Address,
): void {
  const program = tokenProgramOf(execution, account);
  const accounts = [writable(account), writable(to), signing(authority)];
  execution.invoke(program, accounts, Uint8Array.of(9), () => {
    const { mint, amountRaw, withheldRaw } = execution.ledger.token(account);
    const { lamports } = execution.ledger.get(account);
    assertOwner(execution.ledger, account, authority);
    if (mint !== WRAPPED_SOL && amountRaw > 0n) {
      throw new ProgramFailure(STILL_HOLDS_TOKENS, 'the account still holds tokens');
    }
    if (withheldRaw > 0n) {
      throw new ProgramFailure(STILL_HOLDS_FEES, 'the account still holds withheld fees');
    }
    execution.moveLamports(account, to, lamports);
    execution.ledger.set(account, null);
  });
}

export type MintRole = 'mint' | 'freeze';

/** SetAuthority on a mint; null removes the authority permanently. */
export function setMintAuthority(
  execution: Execution,
  mint: Address,
  role: MintRole,
  current: Address,
  next: Address | null,
): void {
  const account = execution.ledger.get(mint);
  const data = new InstructionBytes()
    .u8(6)
    .u8(role === 'mint' ? 0 : 1)
    .optionalAddress(next)
    .done();
  execution.invoke(account.program, [writable(mint), signing(current)], data, () => {
    const state = execution.ledger.mint(mint);
    const changed =
      role === 'mint' ? { ...state, mintAuthority: next } : { ...state, freezeAuthority: next };
    execution.change(mint, { mint: changed });
  });
}

function changeSupply(execution: Execution, mint: Address, change: bigint): void {
  const state = execution.ledger.mint(mint);
  execution.change(mint, { mint: { ...state, supplyRaw: state.supplyRaw + change } });
}
