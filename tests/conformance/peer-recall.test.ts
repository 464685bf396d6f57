import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import { isRouterProgram } from '../../src/decoders/transaction/router-programs.ts';
import type { Swap } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { judgeTrades } from '../support/judge-trades.ts';
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
import { venueOf } from '../support/oracle-moves.ts';
import { loadPeerParser, type ReportedTrade } from '../support/peer-trades.ts';
import { RECORD_FOLDERS, type RecordFolder } from '../support/recorded-transactions.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/**
 * Of the oracle's `legs`, `exact` are found; of the `reported` trades, `doubled` repeat a leg,
 * `failed` are from failed transactions, and `wrong` are no leg at all.
 */
interface Score {
  legs: number;
  exact: number;
  reported: number;
  doubled: number;
  failed: number;
  wrong: number;
}

/** The peer's scores: one version of it over one set of records. */
const PEER: Readonly<Record<RecordFolder, Score>> = {
  chain: { legs: 352, exact: 346, reported: 972, doubled: 119, failed: 472, wrong: 35 },
  'chain-2026': { legs: 406, exact: 388, reported: 686, doubled: 210, failed: 44, wrong: 44 },
};

/**
 * Legs that the project misses, by program (the oracle's names): none of them has a decoder. A
 * program that gets a decoder loses its line.
 */
const MISSED: Readonly<Record<string, number>> = {
  // In `chain`; the program has no known name.
  EP5kDj7v4k2ck8AAg8Ps854fy6LPAE6AAd4rUSRf1STK: 1,
};

describe.skipIf(!hasTestData || !hasOracle)('recall and precision over all records', () => {
  let oracle: Oracle;
  let parsePeer: (record: OracleRecord) => ReportedTrade[];
  const missed: OracleMove[] = [];

  beforeAll(async () => {
    oracle = await loadOracle();
    parsePeer = await loadPeerParser();
  });

  test.each(RECORD_FOLDERS)('of ours and of solana-dex-parser: %s', (folder) => {
    const ours = emptyScore();
    const peer = emptyScore();
    for (const { record, transaction, report } of reportsOf(oracle, folder)) {
      missed.push(...addScore(ours, report, tradesOf(record, transaction)));
      addScore(peer, report, parsePeer(record));
    }
    print(folder, { ours, peer });
    expect(peer).toEqual(PEER[folder]);
    const { legs, exact } = ours;
    expect(ours).toEqual({ legs, exact, reported: exact, doubled: 0, failed: 0, wrong: 0 });
    expect(legs).toBe(peer.legs);
  });

  test('misses only legs of programs without a decoder', () => {
    const byProgram: Record<string, number> = {};
    for (const { program, programId } of missed) {
      expect(venueOf(programId), program).toBeNull();
      byProgram[program] = (byProgram[program] ?? 0) + 1;
    }
    expect(byProgram).toEqual(MISSED);
  });
});

interface RecordedReport {
  readonly record: OracleRecord;
  readonly transaction: OracleTransaction;
  readonly report: OracleReport;
}

/** Each record of a folder once, without votes and without records that lack keys. */
function* reportsOf(oracle: Oracle, folder: RecordFolder): Iterable<RecordedReport> {
  const seen = new Set<string>();
  for (const file of oracle.walk(resolve(testData, folder))) {
    for (const record of oracle.readRecords(file)) {
      const transaction = normalised(oracle, record);
      if (transaction === null || transaction.incomplete) continue;
      if (seen.has(transaction.signature)) continue;
      seen.add(transaction.signature);
      const report = oracle.analyse(transaction);
      if (!report.isVote) yield { record, transaction, report };
    }
  }
}

/** The oracle throws on unknown shapes. */
function normalised(oracle: Oracle, record: OracleRecord): OracleTransaction | null {
  try {
    return oracle.normalise(record);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function emptyScore(): Score {
  return { legs: 0, exact: 0, reported: 0, doubled: 0, failed: 0, wrong: 0 };
}

/** Adds one transaction's trades to a score and returns the legs without a trade. */
function addScore(
  score: Score,
  report: OracleReport,
  trades: readonly ReportedTrade[],
): readonly OracleMove[] {
  score.reported += trades.length;
  if (!report.ok) {
    score.failed += trades.length;
    return [];
  }
  const legs = legsOf(report);
  const { exact, doubled, wrong, missed } = judgeTrades(trades, legs);
  score.legs += legs.length;
  score.exact += exact;
  score.doubled += doubled;
  score.wrong += wrong;
  return missed;
}

/** A router's own transfers are left out: its route's legs are already listed by pool. */
function legsOf({ vaultMoves, otherMoves }: OracleReport): readonly OracleMove[] {
  const others = otherMoves.filter(({ programId }) => !isRouterProgram(programId as Address));
  return [...vaultMoves, ...others];
}

/** Our swaps in the form of a parser: what the pool's vaults received and paid. */
function tradesOf(record: OracleRecord, transaction: OracleTransaction): ReportedTrade[] {
  const reading = readTransaction(record.tx);
  const read = reading.status === 'ok' ? reading.value.transaction : null;
  const facts = decodeTransaction(read ?? chainTransactionOf(transaction), 0, new Tally());
  return facts.events.flatMap((event) => (event.kind === 'swap' ? tradeOf(event) : []));
}

function tradeOf(swap: Swap): ReportedTrade {
  const base = swap.poolBaseDelta + (swap.keptFees?.base ?? 0n);
  const quote = swap.poolQuoteDelta + (swap.keptFees?.quote ?? 0n);
  return swap.side === 'buy'
    ? {
        mintIn: swap.quoteMint,
        amountIn: `${quote}`,
        mintOut: swap.baseMint,
        amountOut: `${-base}`,
      }
    : {
        mintIn: swap.baseMint,
        amountIn: `${base}`,
        mintOut: swap.quoteMint,
        amountOut: `${-quote}`,
      };
}

function print(folder: string, scores: Readonly<Record<string, Score>>): void {
  for (const [name, score] of Object.entries(scores)) {
    const { legs, exact, reported, doubled, failed, wrong } = score;
    const recall = `recall ${exact}/${legs} = ${percent(exact, legs)}`;
    const precision = `precision ${exact}/${reported} = ${percent(exact, reported)}`;
    const rest = `doubled ${doubled}, of failed transactions ${failed}, wrong ${wrong}`;
    process.stdout.write(`${folder}, ${name}: ${recall}, ${precision}; ${rest}\n`);
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
