import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { Swap } from '../../src/model/chain-event.ts';
import type { Venue } from '../../src/model/program.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import { readBlock, readTransaction } from '../../src/sources/rpc-json/read-block.ts';
import {
  chainTransactionOf,
  hasOracle,
  loadOracle,
  type Oracle,
  type OracleMove,
  type OracleRecord,
  type OracleReport,
  type OracleTransaction,
} from '../support/oracle.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** Legs by venue; a venue without any is left out. */
type LegCounts = Partial<Record<Venue, number>>;

/** Legs the oracle sees in each whole block: what a decoder may neither miss nor add to. */
const BLOCKS: readonly { readonly path: string; readonly legs: LegCounts }[] = [
  {
    path: 'ai-nyan-bot+bot/block_326027759.json',
    legs: {
      pump: 14,
      raydium_amm_v4: 76,
      raydium_clmm: 4,
      lifinity_v2: 4,
      fluxbeam: 1,
      moonshot: 1,
    },
  },
  {
    path: 'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
    legs: {
      raydium_amm_v4: 23,
      raydium_clmm: 3,
      meteora_dlmm: 7,
      meteora_damm_v1: 4,
      orca_whirlpool: 16,
      orca_v1: 1,
      orca_v2: 4,
      lifinity_v2: 3,
      saros: 2,
      saber: 2,
      mercurial: 2,
      phoenix: 2,
      invariant: 2,
    },
  },
];
const ALL_LEGS: LegCounts = {
  pump: 45,
  pump_amm: 24,
  raydium_amm_v4: 135,
  raydium_cpmm: 2,
  raydium_clmm: 17,
  meteora_dlmm: 27,
  meteora_damm_v1: 6,
  meteora_damm_v2: 1,
  meteora_dbc: 1,
  raydium_launchlab: 2,
  orca_whirlpool: 39,
  orca_v1: 1,
  orca_v2: 4,
  lifinity_v2: 12,
  fluxbeam: 1,
  saros: 2,
  saber: 4,
  mercurial: 2,
  pancakeswap_clmm: 1,
  phoenix: 9,
  openbook_v2: 1,
  moonshot: 2,
  boop: 1,
  invariant: 4,
  solfi: 2,
  zerofi: 1,
  obric_v2: 3,
  humidifi: 1,
  goonfi: 1,
};

describe.skipIf(!hasTestData || !hasOracle)('decoded swaps and the oracle agree', () => {
  let oracle: Oracle;

  beforeAll(async () => {
    oracle = await loadOracle();
  });

  test.each(BLOCKS)('one for one in the whole block $path', ({ path, legs }) => {
    const file = resolve(testData, 'chain', path);
    const reading = readBlock(JSON.parse(readFileSync(file, 'utf8')));
    if (reading.status !== 'ok') throw new Error(`the block was ${reading.status}`);
    const facts = decodeBlock(reading.value);
    const bySignature = new Map<string, TransactionFacts>(
      facts.transactions.map((transaction) => [transaction.signature, transaction]),
    );
    const counts: LegCounts = {};
    for (const transaction of transactionsOf(oracle, oracle.readRecords(file))) {
      compare(oracle.analyse(transaction), bySignature.get(transaction.signature) ?? null, counts);
    }
    print(path, counts);
    expect(counts).toEqual(legs);
    expect(facts.problems).toEqual([]);
  });

  test('one for one in every record, whichever its shape', () => {
    const counts: LegCounts = {};
    const kinds = { answers: 0, otherShapes: 0, incomplete: 0, votes: 0, failed: 0 };
    const tally = new Tally();
    const seen = new Set<string>();
    const records = [...oracle.walk(resolve(testData, 'chain'))].flatMap((file) =>
      oracle.readRecords(file),
    );
    for (const record of records) {
      const [normalised] = transactionsOf(oracle, [record]);
      if (normalised === undefined || seen.has(normalised.signature)) continue;
      seen.add(normalised.signature);
      const { kind, transaction } = readAnyShape(record, normalised);
      kinds[kind]++;
      if (kind === 'incomplete') continue;
      if (normalised.failed) kinds.failed++;
      const facts = transaction === null ? null : decodeTransaction(transaction, 0, tally);
      compare(oracle.analyse(normalised), facts, counts);
    }
    print('all records', { ...counts, ...kinds });
    expect(counts).toEqual(ALL_LEGS);
    expect(tally.problems.filter(({ program }) => program !== null && isVenue(program))).toEqual(
      [],
    );
    expect(kinds).toMatchObject({ failed: 380, incomplete: 1 });
  });
});

/** Stored records that hold a transaction. The oracle throws on shapes it does not know. */
function transactionsOf(oracle: Oracle, records: readonly OracleRecord[]): OracleTransaction[] {
  return records.flatMap((record) => {
    try {
      return oracle.normalise(record) ?? [];
    } catch (error) {
      if (error instanceof TypeError) return [];
      throw error;
    }
  });
}

interface AnyShape {
  readonly kind: 'answers' | 'otherShapes' | 'incomplete' | 'votes';
  readonly transaction: ChainTransaction | null;
}

/** Through the project's reader where it takes the record, else through the oracle's. */
function readAnyShape(record: OracleRecord, normalised: OracleTransaction): AnyShape {
  const reading = readTransaction(record.tx);
  if (reading.status === 'ok') {
    const { transaction } = reading.value;
    return { kind: transaction === null ? 'votes' : 'answers', transaction };
  }
  if (normalised.incomplete) return { kind: 'incomplete', transaction: null };
  return { kind: 'otherShapes', transaction: chainTransactionOf(normalised) };
}

/** Holds one transaction's swaps against the oracle's and counts them. Null facts are a vote. */
function compare(report: OracleReport, facts: TransactionFacts | null, counts: LegCounts): void {
  // What is inferred of programs that no decoder knows is held against the oracle elsewhere.
  const swaps = (facts?.events ?? []).filter(
    (event) => event.kind === 'swap' && event.venue !== 'inferred',
  ) as Swap[];
  const expected = report.vaultMoves
    .filter((move) => isVenue(move.program))
    .map((move, index) => legOfMove(move, swaps[index]?.pool));
  expect(swaps.map(legOfSwap), report.signature).toEqual(expected);
  expect(swaps.filter(({ quarantine }) => quarantine !== null)).toEqual([]);
  if (!report.ok) expect(facts?.events ?? [], report.signature).toEqual([]);
  for (const { venue } of swaps) counts[venue] = (counts[venue] ?? 0) + 1;
}

function isVenue(program: string): boolean {
  return program in ALL_LEGS;
}

/** A swap in words that both sides can be put into. Some AMMs' pools the oracle does not know. */
function legOfMove(move: OracleMove, poolIfUnknown?: string) {
  const { program: venue, outerIx, mintIn, amountIn, mintOut, amountOut } = move;
  const pool = move.pool ?? poolIfUnknown;
  return {
    venue,
    outerIx,
    innerIx: move.innerIx ?? -1,
    pool,
    mintIn,
    amountIn,
    mintOut,
    amountOut,
  };
}

function legOfSwap(swap: Swap): ReturnType<typeof legOfMove> {
  const { venue, outerIx, innerIx, pool } = swap;
  const base = { mint: swap.baseMint, change: swap.poolBaseDelta };
  const quote = { mint: swap.quoteMint, change: swap.poolQuoteDelta };
  const [paid, got] = swap.side === 'buy' ? [quote, base] : [base, quote];
  return {
    venue,
    outerIx,
    innerIx,
    pool,
    mintIn: paid.mint,
    amountIn: paid.change.toString(),
    mintOut: got.mint,
    amountOut: (-got.change).toString(),
  };
}

function print(what: string, counts: Readonly<Record<string, number>>): void {
  const words = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  process.stdout.write(`held against the oracle, ${what}: ${words.join(', ')}\n`);
}
