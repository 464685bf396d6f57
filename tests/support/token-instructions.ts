import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '../../src/model/program.ts';
import { concat, key, u8, u32, u64 } from './borsh-bytes.ts';
import { address, type InstructionDraft } from './build-transaction.ts';

/** Token and system instructions for tests. Accounts are words or addresses. */
export interface TransferDraft {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly amount: bigint;
}

export function transfer({ from, to, by, amount }: TransferDraft): InstructionDraft {
  return token([from, to, by], u8(3), u64(amount));
}

export function transferChecked(
  { from, to, by, amount }: TransferDraft,
  mint: string,
  program: string = TOKEN_2022_PROGRAM,
): InstructionDraft {
  return { ...token([from, mint, to, by], u8(12), u64(amount), u8(6)), program };
}

export function transferCheckedWithFee(
  { from, to, by, amount }: TransferDraft,
  mint: string,
  fee: bigint,
): InstructionDraft {
  const data = concat(u8(26), u8(1), u64(amount), u8(6), u64(fee));
  return { program: TOKEN_2022_PROGRAM, accounts: [from, mint, to, by].map(account), data };
}

export function mintTo(
  mint: string,
  to: string,
  amount: bigint,
  by = 'mint authority',
): InstructionDraft {
  return token([mint, to, by], u8(7), u64(amount));
}

export function burn(from: string, mint: string, amount: bigint): InstructionDraft {
  return token([from, mint, 'holder'], u8(8), u64(amount));
}

export function closeAccount(closed: string, refunded: string): InstructionDraft {
  return token([closed, refunded, refunded], u8(9));
}

export function syncNative(synced: string): InstructionDraft {
  return token([synced], u8(17));
}

export function initializeAccount3(created: string, mint: string, owner: string): InstructionDraft {
  return token([created, mint], u8(18), key(account(owner)));
}

/** Several token instructions in one, as the p-token program accepts them. */
export function batch(...parts: readonly InstructionDraft[]): InstructionDraft {
  const encoded = parts.map(({ accounts = [], data = new Uint8Array(0) }) =>
    concat(u8(accounts.length), u8(data.length), data),
  );
  return {
    program: SPL_TOKEN_PROGRAM,
    accounts: parts.flatMap(({ accounts = [] }) => accounts),
    data: concat(u8(255), ...encoded),
  };
}

export function sendLamports(from: string, to: string, lamports: bigint): InstructionDraft {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [account(from), account(to)],
    data: concat(u32(2), u64(lamports)),
  };
}

function token(accounts: readonly string[], ...data: readonly Uint8Array[]): InstructionDraft {
  return { program: SPL_TOKEN_PROGRAM, accounts: accounts.map(account), data: concat(...data) };
}

/** Words are converted to addresses; texts of the length of an address are kept. */
export function account(word: string): string {
  return word.length >= 32 ? word : address(word);
}
