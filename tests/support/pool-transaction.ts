import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { WRAPPED_SOL } from '../../src/model/program.ts';
import { address, buildTransaction, type TransactionDraft } from './build-transaction.ts';
import { transfer } from './token-instructions.ts';

/** The base mint of the pools that these tests trade on. */
export const BASE_MINT = address('base mint');

/** Raw units before and after. */
export interface VaultChanges {
  readonly base: readonly [bigint, bigint];
  readonly quote: readonly [bigint, bigint];
}

/** Balances of a pool's `base vault` (6 decimals) and `quote vault` (SOL). */
export function vaultBalances({ base, quote }: VaultChanges) {
  const owner = address('vault owner');
  return [
    { ...changeOf('base vault', base), mint: BASE_MINT, owner, decimals: 6 },
    { ...changeOf('quote vault', quote), mint: WRAPPED_SOL, owner, decimals: 9 },
  ];
}

function changeOf(account: string, [before, after]: readonly [bigint, bigint]) {
  return { account: address(account), before, after };
}

/** Transfers from a wallet to a vault, and from a vault to a wallet. */
export function payIn(from: string, to: string, amount: bigint) {
  return transfer({ from, to, by: 'wallet', amount });
}

export function payOut(from: string, to: string, amount: bigint) {
  return transfer({ from, to, by: 'vault owner', amount });
}

/** `count` accounts: the named ones at their positions, the rest are fillers. */
export function accountList(
  count: number,
  named: Readonly<Record<number, string>>,
): readonly string[] {
  return Array.from({ length: count }, (_, position) =>
    address(named[position] ?? `filler ${position}`),
  );
}

/** Pool events, outcome counters and problems of a transaction that `wallet` signed. */
export function decodeDraft(draft: Omit<TransactionDraft, 'signers'>) {
  const tally = new Tally();
  const transaction = buildTransaction({ signers: [address('wallet')], ...draft });
  const facts = decodeTransaction(transaction, 0, tally);
  const events = facts.events.filter(({ kind }) => kind !== 'tokenTransfer');
  return { events, outcomes: tally.outcomes, problems: tally.problems };
}
