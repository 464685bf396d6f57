import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../src/model/program.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import { paying, readOnly, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import type { Keyring } from '../chain/keyring.ts';
import { ensureTokenAccount, type TokenAccounts } from './associated-token.ts';
import { createAccount } from './system.ts';
import { initializeTokenAccount, TOKEN_ACCOUNT_SPACE, transferTokensChecked } from './token.ts';

const PROGRAM = asAddress('strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m');
const TREASURY = asAddress('5SEpbdjFK5FxwTvfsGMXVQTD2v4M2c5tyRTxhdsPkgDw');
const WITHDRAWOR = asAddress('wdrwhnCv4pzW8beKsbPa4S2UDZrXenjg16KJdKSpb5u');
const FEE_ORACLE = asAddress('B743wFVk2pCYhV91cn287e1xY7f1vt4gdY48hhNiuQmT');
const RENT = asAddress('SysvarRent111111111111111111111111111111111');
const CREATE = '181ec828051c0777';
const METADATA_SPACE = 1_104;
const NAME_BYTES = 64;

/** A planned lock: everything is released at one time, and it cannot be cancelled. */
export interface PlannedStream {
  readonly metadata: Address;
  readonly escrow: Address;
  /** Signers in addition to the sender. */
  readonly createSigners: readonly Address[];
  create(execution: Execution, lock: StreamLock): void;
}

export interface StreamLock {
  readonly sender: Address;
  readonly mint: Address;
  readonly amountRaw: bigint;
  /** Seconds since 1970. */
  readonly unlockTime: number;
}

/** A token lock with Streamflow (`create`), for the sender's own benefit and without fees. */
export function planStream(keyring: Keyring, accounts: TokenAccounts): PlannedStream {
  const metadata = keyring.account();
  const escrow = keyring.account();
  return {
    metadata,
    escrow,
    createSigners: [metadata],
    create: (execution, lock) => createStream(execution, accounts, metadata, escrow, lock),
  };
}

function createStream(
  execution: Execution,
  accounts: TokenAccounts,
  metadata: Address,
  escrow: Address,
  lock: StreamLock,
): void {
  const { sender, mint, amountRaw } = lock;
  const { program: tokenProgram } = execution.ledger.get(mint);
  const senderTokens = accounts.of(sender, mint);
  const treasuryTokens = accounts.of(TREASURY, mint);
  const uses = [
    ...[paying(sender), writable(senderTokens), writable(sender), paying(metadata)],
    ...[writable(escrow), writable(senderTokens), writable(TREASURY), writable(treasuryTokens)],
    ...[writable(WITHDRAWOR), writable(TREASURY), writable(treasuryTokens), readOnly(mint)],
    ...[readOnly(FEE_ORACLE), readOnly(RENT), readOnly(PROGRAM), readOnly(tokenProgram)],
    ...[readOnly(ASSOCIATED_TOKEN_PROGRAM), readOnly(SYSTEM_PROGRAM)],
  ];
  execution.invoke(PROGRAM, uses, dataOf(lock), () => {
    ensureTokenAccount(execution, accounts, sender, TREASURY, mint);
    createAccount(execution, sender, metadata, METADATA_SPACE, PROGRAM);
    createAccount(execution, sender, escrow, TOKEN_ACCOUNT_SPACE, tokenProgram);
    initializeTokenAccount(execution, escrow, mint, escrow);
    const move = { from: senderTokens, to: escrow, authority: sender, amountRaw };
    transferTokensChecked(execution, move);
  });
}

/**
 * Start, net amount, seconds of a period, amount of a period, cliff, amount at the cliff; six
 * flags, none set; name; withdrawal frequency; `pausable` and `can_update_rate`, both present and
 * false.
 */
function dataOf({ amountRaw, unlockTime }: StreamLock): Uint8Array {
  const time = BigInt(unlockTime);
  const name = Buffer.alloc(NAME_BYTES);
  name.write('Liquidity lock');
  return new InstructionBytes()
    .hex(CREATE)
    .u64s(time, amountRaw, 1n, 1n, time, amountRaw)
    .raw(new Uint8Array(6))
    .raw(name)
    .u64(0n)
    .u8(1)
    .bool(false)
    .u8(1)
    .bool(false)
    .done();
}
