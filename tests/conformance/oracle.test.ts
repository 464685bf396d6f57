import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBlock, readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { ChainEvent } from '../../src/model/chain-event.ts';
import { isVenue, type Venue } from '../../src/model/program.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
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
import { movesOfVenues, venueOf } from '../support/oracle-moves.ts';
import { RECORD_FOLDERS, type RecordFolder } from '../support/recorded-transactions.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** Legs by venue; venues without any are left out. */
type LegCounts = Partial<Record<Venue, number>>;
type RecordKinds = Readonly<
  Record<'answers' | 'otherShapes' | 'incomplete' | 'votes' | 'failed', number>
>;

/** Legs of the oracle in each whole block: a decoder may neither miss one nor add one. */
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

/**
 * Legs in each folder of records, by the venue of the program's decoder. A program that gets a
 * decoder gets a line here with the oracle's count.
 */
const ALL_LEGS: Readonly<Record<RecordFolder, LegCounts>> = {
  chain: {
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
  },
  'chain-2026': {
    alphaq: 6,
    bisonfi: 4,
    exa6gy: 4,
    fusion: 2,
    goonfi_v2: 3,
    manifest: 4,
    onedex: 2,
    scorch: 1,
    solfi_v2: 10,
    stabble_stable: 2,
    meteora_dlmm: 29,
    tessera: 44,
    raydium_clmm: 98,
    saros: 79,
    goonfi: 4,
    humidifi: 47,
    pancakeswap_clmm: 7,
    zerofi: 13,
    orca_whirlpool: 13,
    raydium_cpmm: 6,
    raydium_amm_v4: 5,
    obric_v2: 1,
    byreal_clmm: 4,
    meteora_damm_v2: 1,
    pump_amm: 9,
    meteora_damm_v1: 3,
    saber: 1,
    fluxbeam: 1,
    heaven: 1,
    pump: 1,
    mercurial: 1,
  },
};
/** Outcomes of reading the records, by folder; each signature once. */
const KINDS: Readonly<Record<RecordFolder, RecordKinds>> = {
  chain: { answers: 846, otherShapes: 22, incomplete: 1, votes: 1_413, failed: 380 },
  'chain-2026': { answers: 221, otherShapes: 0, incomplete: 0, votes: 0, failed: 19 },
};
/** Share of the transactions with token movements through a pool that events must explain. */
const EXPLAINED_MIN = 0.995;

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

  test.each(RECORD_FOLDERS)('one for one in every record of any encoding: %s', (folder) => {
    const { counts, kinds, tally } = compareFolder(oracle, folder);
    print(folder, { ...counts, ...kinds });
    expect(counts).toEqual(ALL_LEGS[folder]);
    expect(kinds).toEqual(KINDS[folder]);
    expect(tally.problems.filter(({ program }) => program !== null && isVenue(program))).toEqual(
      [],
    );
  });

  test('and leave almost no token movement through a pool unexplained', () => {
    const sums = { moving: 0, explained: 0 };
    for (const folder of RECORD_FOLDERS) {
      const { tally } = compareFolder(oracle, folder);
      print(`pool-moving, ${folder}`, { of: tally.poolMovingCount, are: tally.explainedCount });
      sums.moving += tally.poolMovingCount;
      sums.explained += tally.explainedCount;
    }
    expect(sums.explained / sums.moving).toBeGreaterThanOrEqual(EXPLAINED_MIN);
  });
});

/** Compares each transaction of a folder's records with the oracle once. */
function compareFolder(oracle: Oracle, folder: RecordFolder) {
  const counts: LegCounts = {};
  const kinds = { answers: 0, otherShapes: 0, incomplete: 0, votes: 0, failed: 0 };
  const tally = new Tally();
  const seen = new Set<string>();
  const records = [...oracle.walk(resolve(testData, folder))].flatMap((file) =>
    oracle.readRecords(file),
  );
  for (const record of records) {
    const [normalised] = transactionsOf(oracle, [record]);
    if (normalised === undefined || seen.has(normalised.signature)) continue;
    seen.add(normalised.signature);
    const { kind, transaction } = readAnyShape(record, normalised);
    kinds[kind]++;
    if (normalised.failed) kinds.failed++;
    if (kind === 'incomplete') continue;
    const facts = transaction === null ? null : decodeTransaction(transaction, 0, tally);
    compare(oracle.analyse(normalised), facts, counts);
  }
  return { counts, kinds, tally };
}

/** Stored records of transactions. The oracle throws on unknown shapes. */
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

/** Through the project's reader where it accepts the record, else through the oracle's. */
function readAnyShape(record: OracleRecord, normalised: OracleTransaction): AnyShape {
  const reading = readTransaction(record.tx);
  if (reading.status === 'ok') {
    const { transaction } = reading.value;
    return { kind: transaction === null ? 'votes' : 'answers', transaction };
  }
  if (normalised.incomplete) return { kind: 'incomplete', transaction: null };
  return { kind: 'otherShapes', transaction: chainTransactionOf(normalised) };
}

/** Compares one transaction's swaps with the oracle's and counts them. Null facts mean a vote. */
function compare(report: OracleReport, facts: TransactionFacts | null, counts: LegCounts): void {
  const swaps = (facts?.events ?? []).filter(isDecodedSwap);
  const expected = movesOfVenues(report).map((move, index) => legOfMove(move, swaps[index]?.pool));
  expect(swaps.map(legOfSwap), report.signature).toEqual(expected);
  expect(swaps.filter(({ quarantine }) => quarantine !== null)).toEqual([]);
  if (!report.ok) expect(facts?.events ?? [], report.signature).toEqual([]);
  for (const { venue } of swaps) counts[venue] = (counts[venue] ?? 0) + 1;
}

/** Swaps of programs without a decoder are inferred by a rule like the oracle's own. */
function isDecodedSwap(event: ChainEvent): event is Swap {
  return event.kind === 'swap' && event.venue !== 'inferred';
}

/** A swap in terms that both sides share. The oracle does not know the pools of some AMMs. */
function legOfMove(move: OracleMove, poolIfUnknown?: string) {
  const { programId, outerIx, mintIn, amountIn, mintOut, amountOut } = move;
  const venue = venueOf(programId);
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
  const kept = swap.keptFees ?? { base: 0n, quote: 0n };
  const base = { mint: swap.baseMint, change: swap.poolBaseDelta + kept.base };
  const quote = { mint: swap.quoteMint, change: swap.poolQuoteDelta + kept.quote };
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
  process.stdout.write(`compared with the oracle, ${what}: ${words.join(', ')}\n`);
}
