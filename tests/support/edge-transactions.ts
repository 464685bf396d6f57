import { expect } from 'vitest';
import type { GraphEdge } from '../../src/model/finding-graph.ts';
import type { ChainBlock, ChainTransaction } from '../../src/model/transaction.ts';
import type { Address } from '../../src/model/units.ts';

const SYSTEM = '11111111111111111111111111111111';
/** System instructions that move lamports from their first to their second account, and their tag. */
const TRANSFER = 2;

/** Counts of edges that were compared with their transactions. */
export interface ComparedEdges {
  payments: number;
  /** Wallets of a transaction whose edges in the mint were summed. */
  holdings: number;
}

/**
 * Compares edges with the transactions they name, without decoders: a payment is a system transfer
 * in the instructions, and the edges of a wallet in a transaction sum up to the change of its token
 * accounts.
 */
export function compareEdges(
  edges: readonly GraphEdge[],
  blocks: readonly ChainBlock[],
  mint: Address,
): ComparedEdges {
  const transactions = new Map(
    blocks.flatMap(({ slot, transactions: all }) =>
      all.map((transaction) => [transaction.signature, { slot, transaction }] as const),
    ),
  );
  const moved = new Map<string, bigint>();
  const count: ComparedEdges = { payments: 0, holdings: 0 };
  for (const edge of edges) {
    if (edge.signature === null) continue;
    const named = transactions.get(edge.signature);
    if (named === undefined) throw new Error(`no transaction ${edge.signature}`);
    expect(named.slot).toBe(edge.slot);
    if (edge.kind === 'payment') {
      expect(transfersOf(named.transaction)).toContainEqual([edge.from, edge.to, edge.lamports]);
      count.payments++;
    } else
      for (const [owner, delta] of deltasOf(edge)) add(moved, `${edge.signature} ${owner}`, delta);
  }
  for (const [key, delta] of moved) {
    const [signature = '', owner = ''] = key.split(' ');
    const named = transactions.get(signature as never);
    if (named === undefined) throw new Error(`no transaction ${signature}`);
    expect([key, delta]).toEqual([key, changeOf(named.transaction, owner, mint)]);
    count.holdings++;
  }
  return count;
}

/** Tokens that an edge adds to the holdings of wallets. */
function deltasOf({ from, to, kind, tokensRaw }: GraphEdge): [Address, bigint][] {
  const raw = tokensRaw ?? 0n;
  if (kind === 'buy' || kind === 'liquidity_removed') return [[from, raw]];
  if (kind === 'sell' || kind === 'liquidity_added') return [[from, -raw]];
  return [
    [from, -raw],
    [to, raw],
  ];
}

function add(sums: Map<string, bigint>, key: string, delta: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + delta);
}

function transfersOf({ instructions }: ChainTransaction) {
  return instructions.flatMap((instruction) => {
    const { programId, data } = instruction;
    if (programId !== SYSTEM) return [];
    const bytes = Buffer.from(data);
    if (bytes.length !== 12 || bytes.readUInt32LE(0) !== TRANSFER) return [];
    return [[instruction.account(0), instruction.account(1), bytes.readBigUInt64LE(4)]];
  });
}

function changeOf({ tokenBalances }: ChainTransaction, owner: string, mint: Address): bigint {
  return tokenBalances
    .filter((balance) => balance.owner === owner && balance.mint === mint)
    .reduce((sum, { before, after }) => sum + after - before, 0n);
}
