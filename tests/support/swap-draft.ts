import { readSwap, type SwapReading } from '../../src/decoders/legs/swap-legs.ts';
import { TransactionView } from '../../src/decoders/transaction/transaction-view.ts';
import type { Swap } from '../../src/model/swap.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
  type TokenBalanceDraft,
} from './build-transaction.ts';

const VENUE = address('venue');

/** A transaction with one swap instruction; accounts are named by words. */
export interface SwapTransactionDraft {
  readonly inner: readonly InstructionDraft[];
  readonly balances: readonly TokenBalanceDraft[];
  readonly before?: readonly InstructionDraft[];
  readonly after?: readonly InstructionDraft[];
  readonly signers?: readonly string[];
  readonly vaults?: readonly [string, string];
  readonly user?: string;
  readonly userAccounts?: readonly [string, string];
  readonly caller?: string;
  readonly extras?: Parameters<typeof readSwap>[3];
  /** Index of the swap's first movement; all movements when omitted. */
  readonly firstMovement?: number;
}

/** The result of `readSwap` for the swap instruction. */
export function readDraft(draft: SwapTransactionDraft): {
  reading: SwapReading;
  swap: Swap | null;
} {
  const venue = { program: VENUE, accounts: [address('pool')], inner: draft.inner };
  const called =
    draft.caller === undefined ? venue : { program: address(draft.caller), inner: [venue] };
  const transaction = buildTransaction({
    signers: (draft.signers ?? ['wallet']).map(address),
    instructions: [...(draft.before ?? []), called, ...(draft.after ?? [])],
    tokenBalances: draft.balances,
  });
  const view = new TransactionView(transaction, (program) => program === VENUE);
  const instruction = transaction.instructions.find(({ programId }) => programId === VENUE);
  if (instruction === undefined) throw new Error('no venue');
  const index = (word: string) => transaction.keys.indexOf(address(word));
  const [one, other] = draft.vaults ?? ['base vault', 'quote vault'];
  const [source, destination] = draft.userAccounts ?? ['wallet quote', 'wallet base'];
  const movements = view.tokenMovementsUnder(instruction).slice(draft.firstMovement ?? 0);
  const accounts = {
    venue: 'raydium_cpmm' as const,
    pool: index('pool'),
    vaults: [index(one), index(other)] as const,
    user: index(draft.user ?? 'wallet'),
    userAccounts: [index(source), index(destination)] as const,
    ...(draft.firstMovement === undefined ? {} : { movements }),
  };
  const reading = readSwap(view, instruction, accounts, draft.extras);
  return { reading, swap: reading.status === 'event' ? reading.event : null };
}

export function balance(
  account: string,
  mint: string,
  owner: string,
  before: bigint,
  after: bigint,
  decimals: number,
): TokenBalanceDraft {
  return { account: address(account), mint, owner: address(owner), before, after, decimals };
}
