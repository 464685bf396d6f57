import type {
  SimulatedBlock,
  SimulatedTransaction,
} from '../../simulator/chain/simulated-transaction.ts';
import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';

/** Values that can be read from raw blocks without a decoder: balances, transfers, positions. */
export interface PlacedTransaction {
  readonly transaction: SimulatedTransaction;
  readonly slot: number;
  readonly txIndex: number;
}

export function placed(blocks: readonly SimulatedBlock[]): PlacedTransaction[] {
  return blocks.flatMap(({ slot, transactions }) =>
    transactions.map((transaction, txIndex) => ({ transaction, slot, txIndex })),
  );
}

export function keysOf(transaction: SimulatedTransaction): readonly Address[] {
  const { staticKeys, loadedWritable, loadedReadonly } = transaction;
  return [...staticKeys, ...loadedWritable, ...loadedReadonly];
}

/** Change of a wallet's lamports, network fee included. */
export function lamportChange(transaction: SimulatedTransaction, wallet: Address): bigint {
  const index = keysOf(transaction).indexOf(wallet);
  if (index < 0) return 0n;
  const { lamportsBefore, lamportsAfter } = transaction;
  return (lamportsAfter[index] ?? 0n) - (lamportsBefore[index] ?? 0n);
}

/** Change of all token accounts of an owner. */
export function tokenChange(
  { tokenBalances }: SimulatedTransaction,
  owner: Address,
  mint: Address,
): bigint {
  return tokenBalances
    .filter((balance) => balance.owner === owner && balance.mint === mint)
    .reduce((sum, { beforeRaw, afterRaw }) => sum + (afterRaw ?? 0n) - (beforeRaw ?? 0n), 0n);
}

export interface LamportTransfer {
  readonly from: Address;
  readonly to: Address;
  readonly lamports: bigint;
}

/** System transfers at any depth, read from the bytes of the instructions. */
export function transfersOf(transaction: SimulatedTransaction): LamportTransfer[] {
  if (transaction.error !== null) return [];
  const keys = keysOf(transaction);
  return transaction.instructions.flatMap(({ programIndex, accountIndexes, data }) => {
    const bytes = Buffer.from(data);
    if (keys[programIndex] !== SYSTEM_PROGRAM || bytes.length !== 12) return [];
    if (bytes.readUInt32LE(0) !== 2) return [];
    const [from, to] = accountIndexes.map((index) => keys[index]);
    if (from === undefined || to === undefined) return [];
    return [{ from, to, lamports: bytes.readBigUInt64LE(4) }];
  });
}

/** All trades of a wallet in one mint. */
export interface Episode {
  readonly wallet: Address;
  readonly mint: Address;
  paidLamports: bigint;
  gotLamports: bigint;
  heldRaw: bigint;
  buys: number;
  sells: number;
  firstSlot: number;
  lastSlot: number;
}

/** Episodes of these wallets in these mints, from the changes of their balances alone. */
export function episodesOf(
  blocks: readonly SimulatedBlock[],
  wallets: ReadonlySet<Address>,
  mints: ReadonlySet<Address>,
): Episode[] {
  const episodes = new Map<string, Episode>();
  for (const { transaction, slot } of placed(blocks)) {
    const touched = new Map<Address, Address>();
    for (const { owner, mint } of transaction.tokenBalances) {
      if (wallets.has(owner) && mints.has(mint)) touched.set(owner, mint);
    }
    for (const [wallet, mint] of touched) {
      const change = tokenChange(transaction, wallet, mint);
      if (change === 0n) continue;
      const key = `${wallet}/${mint}`;
      const episode = episodes.get(key) ?? begun(wallet, mint, slot);
      episodes.set(key, episode);
      book(episode, change, lamportChange(transaction, wallet), slot);
    }
  }
  return [...episodes.values()];
}

function begun(wallet: Address, mint: Address, slot: number): Episode {
  const nothing = { paidLamports: 0n, gotLamports: 0n, heldRaw: 0n, buys: 0, sells: 0 };
  return { wallet, mint, ...nothing, firstSlot: slot, lastSlot: slot };
}

function book(episode: Episode, change: bigint, lamports: bigint, slot: number): void {
  episode.heldRaw += change;
  episode.lastSlot = slot;
  if (change > 0n) {
    episode.buys++;
    episode.paidLamports -= lamports;
  } else {
    episode.sells++;
    episode.gotLamports += lamports;
  }
}

/** Discriminators of purchases by budget on the curve and in its pools, from their IDLs. */
const BUDGET_PURCHASES = ['38fc74089edfcd5f', 'c62e1552b4d9e870'];

/**
 * Amount spent in purchases by budget, fees of the venue included, as the instructions state it.
 */
export function boughtLamports({ instructions, error }: SimulatedTransaction): bigint[] {
  if (error !== null) return [];
  return instructions.flatMap(({ data }) => {
    const bytes = Buffer.from(data);
    const isPurchase = BUDGET_PURCHASES.includes(bytes.subarray(0, 8).toString('hex'));
    return isPurchase ? [bytes.readBigUInt64LE(8)] : [];
  });
}
