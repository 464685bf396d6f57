import {
  ASSOCIATED_TOKEN_PROGRAM,
  METAPLEX_METADATA_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { paying, readOnly, signing, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Keyring } from '../chain/keyring.ts';
import { ensureTokenAccount, type TokenAccounts } from './associated-token.ts';
import { createAccount } from './system.ts';
import { initializeMint, MINT_SPACE, mintTokens, transferTokensChecked } from './token.ts';

const PROGRAM = asAddress('LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE');
/** Owns the locked LP tokens. */
const AUTHORITY = asAddress('3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH');
const RENT = asAddress('SysvarRent111111111111111111111111111111111');
const LOCK_CP_LIQUIDITY = 'd89d1d4e26331f1a';
const LOCKED_LIQUIDITY_SPACE = 352;

/** The parts of a CPMM pool that the locker needs. */
export interface LockablePool {
  readonly pool: Address;
  readonly lpMint: Address;
  readonly vault0: Address;
  readonly vault1: Address;
}

/** A planned permanent lock. */
export interface PlannedRaydiumLock {
  /** Signers in addition to the owner: the mint of the NFT that claims the fees. */
  readonly createSigners: readonly Address[];
  lock(execution: Execution, owner: Address, pool: LockablePool, lpRaw: bigint): void;
}

/** Raydium's "burn and earn" (`lock_cp_liquidity`) without metadata for the NFT. */
export function planRaydiumLock(keyring: Keyring, accounts: TokenAccounts): PlannedRaydiumLock {
  const nftMint = keyring.account();
  const locked = keyring.account();
  const metadata = keyring.account();
  return {
    createSigners: [nftMint],
    lock: (execution, owner, pool, lpRaw) =>
      lockLiquidity(execution, accounts, { nftMint, locked, metadata }, owner, pool, lpRaw),
  };
}

function lockLiquidity(
  execution: Execution,
  accounts: TokenAccounts,
  { nftMint, locked, metadata }: Readonly<Record<'nftMint' | 'locked' | 'metadata', Address>>,
  owner: Address,
  { pool, lpMint, vault0, vault1 }: LockablePool,
  lpRaw: bigint,
): void {
  const from = accounts.of(owner, lpMint);
  const to = accounts.of(AUTHORITY, lpMint);
  const uses = [
    ...[readOnly(AUTHORITY), paying(owner), signing(owner), readOnly(owner), paying(nftMint)],
    ...[writable(accounts.of(owner, nftMint)), readOnly(pool), writable(locked), readOnly(lpMint)],
    ...[writable(from), writable(to), writable(vault0), writable(vault1), writable(metadata)],
    ...[readOnly(RENT), readOnly(SYSTEM_PROGRAM), readOnly(SPL_TOKEN_PROGRAM)],
    ...[readOnly(ASSOCIATED_TOKEN_PROGRAM), readOnly(METAPLEX_METADATA_PROGRAM)],
  ];
  const data = new InstructionBytes().hex(LOCK_CP_LIQUIDITY).u64(lpRaw).bool(false).done();
  execution.invoke(PROGRAM, uses, data, () => {
    createAccount(execution, owner, nftMint, MINT_SPACE, SPL_TOKEN_PROGRAM);
    const authorities = { mintAuthority: AUTHORITY, freezeAuthority: null };
    initializeMint(execution, SPL_TOKEN_PROGRAM, nftMint, { decimals: 0, ...authorities });
    const nftAccount = ensureTokenAccount(execution, accounts, owner, owner, nftMint);
    mintTokens(execution, { mint: nftMint, to: nftAccount, authority: AUTHORITY, amountRaw: 1n });
    createAccount(execution, owner, locked, LOCKED_LIQUIDITY_SPACE, PROGRAM);
    ensureTokenAccount(execution, accounts, owner, AUTHORITY, lpMint);
    transferTokensChecked(execution, { from, to, authority: owner, amountRaw: lpRaw });
  });
}
