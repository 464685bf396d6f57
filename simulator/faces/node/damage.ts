import { decodeBase58, encodeBase58 } from '../../../src/lib/base58.ts';
import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import type { Random } from '../../random/random.ts';

/** Ways in which answers are damaged. Each draws its details from the given random stream. */

/**
 * Another block of the same slot, with one transaction less and another hash, as produced by a
 * leader that signs two blocks.
 */
export function twinOf(block: SimulatedBlock): SimulatedBlock {
  const bytes = decodeBase58(block.blockhash) ?? new Uint8Array(32);
  const blockhash = encodeBase58(bytes.map((byte) => byte ^ 0xff));
  return {
    ...block,
    blockhash,
    transactions: block.transactions.slice(0, -1),
  };
}

/**
 * The runtime's own rule: messages beyond the limit are dropped, and the first dropped one leaves a
 * note.
 */
export function truncateLogs(logs: readonly string[], limitBytes: number): string[] {
  const kept: string[] = [];
  let written = 0;
  let isTruncated = false;
  for (const message of logs) {
    const length = Buffer.byteLength(message);
    if (written + length < limitBytes) {
      written += length;
      kept.push(message);
    } else if (!isTruncated) {
      isTruncated = true;
      kept.push('Log truncated');
    }
  }
  return kept;
}

export function withTruncatedLogs(block: SimulatedBlock, limitBytes: number): SimulatedBlock {
  const transactions = block.transactions.map((transaction) => ({
    ...transaction,
    logs: truncateLogs(transaction.logs, limitBytes),
  }));
  return { ...block, transactions };
}

interface WireBlock {
  readonly transactions?: readonly WireTransaction[];
}

interface WireTransaction {
  readonly meta: object | null;
}

/** The block with `meta` missing in one transaction. */
export function withoutMeta(block: object, random: Random): object {
  return withChangedTransaction(block, random, (transaction) => ({ ...transaction, meta: null }));
}

/** The block with the inner instructions of one transaction not recorded. */
export function withoutInnerInstructions(block: object, random: Random): object {
  return withChangedTransaction(block, random, (transaction) => ({
    ...transaction,
    meta: { ...transaction.meta, innerInstructions: null },
  }));
}

export function withoutLoadedAddresses(block: object): object {
  const { transactions } = block as WireBlock;
  if (transactions === undefined) return block;
  return { ...block, transactions: transactions.map(withoutLoaded) };
}

function withoutLoaded(transaction: WireTransaction): WireTransaction {
  const { loadedAddresses: _, ...meta } = (transaction.meta ?? {}) as Record<string, unknown>;
  return { ...transaction, meta };
}

function withChangedTransaction(
  block: object,
  random: Random,
  change: (transaction: WireTransaction) => WireTransaction,
): object {
  const { transactions } = block as WireBlock;
  if (transactions === undefined || transactions.length === 0) return block;
  const chosen = random.below(transactions.length);
  const changed = transactions.map((transaction, index) =>
    index === chosen ? change(transaction) : transaction,
  );
  return { ...block, transactions: changed };
}

/** Changes the type of one field of the outermost object, or of the whole value. */
export function withWrongType(resultJson: string, random: Random): string {
  const value = JSON.parse(resultJson) as unknown;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return typeof value === 'string' ? '17' : '"unexpected"';
  }
  const fields = Object.keys(value);
  if (fields.length === 0) return '"unexpected"';
  const field = random.pick(fields);
  const present = (value as Record<string, unknown>)[field];
  const wrong = typeof present === 'string' ? { unexpected: present.length } : 'unexpected';
  return JSON.stringify({ ...value, [field]: wrong });
}

const HUGE = '123456789012345678901234567890';

/** Replaces one integer of the text by one with thirty digits. */
export function withHugeInteger(resultJson: string, random: Random): string {
  const matches = [...resultJson.matchAll(/(?:^|"\w+":|[[,])(\d+)(?=[,}\]]|$)/g)];
  const match = matches.length === 0 ? null : random.pick(matches);
  if (match === null) return HUGE;
  const start = match.index + match[0].length - (match[1] ?? '').length;
  return `${resultJson.slice(0, start)}${HUGE}${resultJson.slice(match.index + match[0].length)}`;
}

/** The first half of a text, at least one character short of it. */
export function halfOf(text: string): string {
  return text.slice(0, Math.max(0, Math.floor(text.length / 2)));
}

export const WEB_PAGE =
  '<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>';
