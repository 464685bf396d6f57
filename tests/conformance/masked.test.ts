import { beforeAll, describe, expect, test } from 'vitest';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import type { Decoder } from '../../src/decoders/legs/decoder.ts';
import { DECODERS, type DecoderSet, decoderSet } from '../../src/decoders/registry.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { Venue } from '../../src/model/program.ts';
import type { Swap } from '../../src/model/swap.ts';
import {
  hasOracle,
  loadOracle,
  type Oracle,
  type OracleMove,
  type OracleReport,
} from '../support/oracle.ts';
import { movesOfVenues, venueOf } from '../support/oracle-moves.ts';
import {
  RECORD_FOLDERS,
  type RecordedTransaction,
  recordedTransactions,
} from '../support/recorded-transactions.ts';
import { hasTestData } from '../support/test-data.ts';

/** Legs of the oracle with tokens on both sides, and how many of them are inferred. */
interface Recall {
  readonly legs: number;
  readonly inferred: number;
}

/** Legs of curves that are paid in lamports, which no token transfer shows; none is inferred. */
const PAID_IN_LAMPORTS: Partial<Record<Venue, number>> = { pump: 45, moonshot: 2, boop: 1 };

/** Both folders together. The legs are the oracle's; those not inferred are listed below. */
const RECALL: Partial<Record<Venue, Recall>> = {
  alphaq: { legs: 6, inferred: 6 },
  bisonfi: { legs: 4, inferred: 4 },
  byreal_clmm: { legs: 4, inferred: 4 },
  exa6gy: { legs: 4, inferred: 4 },
  fluxbeam: { legs: 2, inferred: 2 },
  fusion: { legs: 2, inferred: 2 },
  goonfi: { legs: 5, inferred: 5 },
  goonfi_v2: { legs: 3, inferred: 3 },
  heaven: { legs: 1, inferred: 1 },
  humidifi: { legs: 48, inferred: 48 },
  invariant: { legs: 4, inferred: 4 },
  lifinity_v2: { legs: 12, inferred: 12 },
  manifest: { legs: 4, inferred: 4 },
  mercurial: { legs: 3, inferred: 3 },
  meteora_damm_v1: { legs: 9, inferred: 0 },
  meteora_damm_v2: { legs: 2, inferred: 2 },
  meteora_dbc: { legs: 1, inferred: 1 },
  meteora_dlmm: { legs: 56, inferred: 56 },
  obric_v2: { legs: 4, inferred: 4 },
  onedex: { legs: 2, inferred: 2 },
  openbook_v2: { legs: 1, inferred: 1 },
  orca_v1: { legs: 1, inferred: 1 },
  orca_v2: { legs: 4, inferred: 4 },
  orca_whirlpool: { legs: 52, inferred: 52 },
  pancakeswap_clmm: { legs: 8, inferred: 8 },
  phoenix: { legs: 9, inferred: 8 },
  pump: { legs: 1, inferred: 0 },
  pump_amm: { legs: 33, inferred: 32 },
  raydium_amm_v4: { legs: 140, inferred: 139 },
  raydium_clmm: { legs: 115, inferred: 114 },
  raydium_cpmm: { legs: 8, inferred: 7 },
  raydium_launchlab: { legs: 2, inferred: 0 },
  saber: { legs: 5, inferred: 5 },
  saros: { legs: 81, inferred: 81 },
  scorch: { legs: 1, inferred: 1 },
  solfi: { legs: 2, inferred: 2 },
  solfi_v2: { legs: 10, inferred: 10 },
  stabble_stable: { legs: 2, inferred: 2 },
  tessera: { legs: 44, inferred: 44 },
  zerofi: { legs: 14, inferred: 14 },
};

const TWO_OWNERS = 'each vault has its own owner, which mints and burns shares of it in the swap';
const OTHER_PAYEE = 'a router account pays and the wallet is paid, or the other way round';
const FRESH_POOL = 'the pool was made in this transaction: its vaults were empty before';
const BOTH_PROGRAMS = 'a program signs for both sides, and neither moved tokens elsewhere';

/** Every leg that is not inferred: venue, start of the signature, instruction, and the reason. */
const MISSED: Readonly<Record<string, string>> = {
  'meteora_damm_v1 3eDvebqx 2.8': TWO_OWNERS,
  'meteora_damm_v1 4h5SjXjn 2.0': TWO_OWNERS,
  'meteora_damm_v1 4dUAFqCx 2.4': TWO_OWNERS,
  'meteora_damm_v1 5ETEPdhL 2.4': TWO_OWNERS,
  'meteora_damm_v1 2mHGPXMz 0.-1': TWO_OWNERS,
  'meteora_damm_v1 5Q8EMUvm 5.5': TWO_OWNERS,
  'meteora_damm_v1 3azKSDXD 1.1': TWO_OWNERS,
  'meteora_damm_v1 4AXYPQ38 2.-1': TWO_OWNERS,
  'meteora_damm_v1 5HAPqNLd 6.7': TWO_OWNERS,
  'phoenix 3ebFK5U7 2.2': BOTH_PROGRAMS,
  'pump 2m5nWLnD 2.0': BOTH_PROGRAMS,
  'pump_amm 2ffHb9AX 3.-1': FRESH_POOL,
  'raydium_amm_v4 3p36wGRa 3.5': OTHER_PAYEE,
  'raydium_clmm 2bhr1FWq 3.3': OTHER_PAYEE,
  'raydium_cpmm 2bhr1FWq 3.0': OTHER_PAYEE,
  'raydium_launchlab mqSGNwKK 6.-1': FRESH_POOL,
  'raydium_launchlab 5LzhiGZB 6.-1': FRESH_POOL,
};

const VENUES = DECODERS.filter(({ isVenue }) => isVenue);
const TOKEN_PROGRAMS = new Set(['spl_token', 'token_2022', 'system', 'associated_token']);

describe.skipIf(!hasTestData || !hasOracle)('a recorded venue without its decoder', () => {
  const records: { readonly record: RecordedTransaction; readonly report: OracleReport }[] = [];

  beforeAll(async () => {
    const oracle: Oracle = await loadOracle();
    for (const folder of RECORD_FOLDERS) {
      for (const record of recordedTransactions(oracle, folder)) {
        records.push({ record, report: oracle.analyse(record.transaction) });
      }
    }
  });

  /**
   * Compares the swaps inferred with these decoders with the oracle's legs of the masked venues.
   */
  const compare = (decoders: DecoderSet, masked: readonly Decoder[]) => {
    const counts = emptyCounts();
    for (const { record, report } of records) {
      if (!masked.some(({ programId }) => record.chain.keys.indexOf(programId) >= 0)) continue;
      const swaps = swapsOf(record, decoders);
      const legs = movesOfVenues(report).filter(({ programId }) =>
        masked.some((decoder) => decoder.programId === programId),
      );
      const inferred = swaps.filter(isInferred);
      addCounts(counts, report.signature, legs, inferred);
      const decoded = swapsOf(record);
      counts.otherTraders.push(...otherTraders(inferred, decoded));
      const known = decoded.filter(({ venue }) => masked.every(({ name }) => name !== venue));
      expect(swaps.filter((swap) => !isInferred(swap)).map(inWords), report.signature).toEqual(
        known.map(inWords),
      );
    }
    return counts;
  };

  test('has exactly its own swaps inferred, and decoded swaps stay the same', () => {
    const sum = emptyCounts();
    for (const venue of VENUES) {
      const decoders = decoderSet(DECODERS.filter((decoder) => decoder !== venue));
      mergeCounts(sum, compare(decoders, [venue]));
    }
    print('one venue at a time', sum);
    expectCounts(sum);
  });

  test('is inferred equally when no venue has a decoder', () => {
    const counts = compare(decoderSet(DECODERS.filter(({ isVenue }) => !isVenue)), VENUES);
    print('all venues', counts);
    expectCounts(counts);
  });

  test('is inferred equally when only token and system programs have decoders', () => {
    const decoders = DECODERS.filter(({ name }) => TOKEN_PROGRAMS.has(name));
    const counts = compare(decoderSet(decoders), VENUES);
    print('all programs', counts);
    expectCounts(counts);
  });
});

interface Counts {
  readonly recall: Partial<Record<Venue, { legs: number; inferred: number }>>;
  readonly paidInLamports: Partial<Record<Venue, number>>;
  readonly missed: string[];
  /** Inferred swaps that are no leg, duplicates, or quarantined. */
  readonly wrong: string[];
  /** Inferred swaps whose trader differs from the decoder's, which is compared with the oracle. */
  readonly otherTraders: string[];
}

function emptyCounts(): Counts {
  return { recall: {}, paidInLamports: {}, missed: [], wrong: [], otherTraders: [] };
}

/** Matches each leg with one swap of its program: same instruction, mints and amounts. */
function addCounts(
  counts: Counts,
  signature: string,
  legs: readonly OracleMove[],
  swaps: readonly Swap[],
): void {
  const left = new Map(swaps.map((swap) => [legOfSwap(swap), swap]));
  const wrong = swaps.filter((swap) => left.get(legOfSwap(swap)) !== swap);
  for (const leg of legs) {
    const venue = venueOf(leg.programId) as Venue;
    if (leg.native) {
      counts.paidInLamports[venue] = (counts.paidInLamports[venue] ?? 0) + 1;
      continue;
    }
    const sums = counts.recall[venue] ?? { legs: 0, inferred: 0 };
    counts.recall[venue] = sums;
    sums.legs++;
    const swap = left.get(legOfMove(leg));
    if (swap === undefined || swap.quarantine !== null) {
      counts.missed.push(`${venue} ${signature.slice(0, 8)} ${placeOf(leg)}`);
      continue;
    }
    sums.inferred++;
    left.delete(legOfMove(leg));
  }
  for (const swap of [...wrong, ...left.values()]) {
    counts.wrong.push(`${signature} ${legOfSwap(swap)}`);
  }
}

function mergeCounts(sum: Counts, counts: Counts): void {
  Object.assign(sum.recall, counts.recall);
  Object.assign(sum.paidInLamports, counts.paidInLamports);
  sum.missed.push(...counts.missed);
  sum.wrong.push(...counts.wrong);
  sum.otherTraders.push(...counts.otherTraders);
}

/** No trader is not another trader: without a decoder less is known. */
function otherTraders(inferred: readonly Swap[], decoded: readonly Swap[]): string[] {
  const traders = new Map(decoded.map((swap) => [placeOf(swap), swap.trader]));
  return inferred
    .filter((swap) => swap.trader !== null && swap.trader !== traders.get(placeOf(swap)))
    .map((swap) => `${legOfSwap(swap)} ${swap.trader}`);
}

function expectCounts({ recall, paidInLamports, missed, wrong, otherTraders }: Counts): void {
  expect(wrong).toEqual([]);
  expect(otherTraders).toEqual([]);
  expect(missed.sort()).toEqual(Object.keys(MISSED).sort());
  expect(recall).toEqual(RECALL);
  expect(paidInLamports).toEqual(PAID_IN_LAMPORTS);
}

function swapsOf({ chain }: RecordedTransaction, decoders?: DecoderSet): Swap[] {
  const { events } = decodeTransaction(chain, 0, new Tally(), decoders);
  return events.flatMap((event) => (event.kind === 'swap' ? [event] : []));
}

function isInferred({ venue }: Swap): boolean {
  return venue === 'inferred';
}

function placeOf({ outerIx, innerIx }: Pick<OracleMove, 'outerIx' | 'innerIx'>): string {
  return `${outerIx}.${innerIx ?? -1}`;
}

function legOfMove(move: OracleMove): string {
  const { programId, mintIn, amountIn, mintOut, amountOut } = move;
  return `${placeOf(move)} ${programId} ${amountIn} ${mintIn} ${amountOut} ${mintOut}`;
}

function legOfSwap(swap: Swap): string {
  const { baseMint, quoteMint, poolBaseDelta, poolQuoteDelta } = swap;
  const legs =
    poolBaseDelta > 0n
      ? `${poolBaseDelta} ${baseMint} ${-poolQuoteDelta} ${quoteMint}`
      : `${poolQuoteDelta} ${quoteMint} ${-poolBaseDelta} ${baseMint}`;
  return `${placeOf(swap)} ${swap.program} ${legs}`;
}

/** The parts of a decoded swap that an inferred swap next to it must not change. */
function inWords(swap: Swap): string {
  const { venue, pool, side, trader } = swap;
  return `${venue} ${pool} ${side} ${trader} ${legOfSwap(swap)}`;
}

function print(what: string, { recall, paidInLamports, wrong }: Counts): void {
  const venues = Object.values(recall);
  const inferred = venues.reduce((sum, one) => sum + one.inferred, 0);
  const legs = venues.reduce((sum, one) => sum + one.legs, 0);
  const lamports = Object.values(paidInLamports).reduce((sum, one) => sum + one, 0);
  process.stdout.write(
    `inferred without decoders of ${what}: ${inferred} of ${legs} legs of ${venues.length} venues, ` +
      `${wrong.length} wrong; ${lamports} paid in lamports\n`,
  );
}
