import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readTransaction } from '../../src/chain/rpc-json/read-block.ts';
import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { Venue } from '../../src/model/program.ts';
import type { TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Swap } from '../../src/model/swap.ts';
import {
  hasOracle,
  loadOracle,
  type Oracle,
  type OracleMove,
  type OracleReport,
} from '../support/oracle.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** Venues of programs whose account order the oracle does not know. */
const VENUE_OF_PROGRAM: Readonly<Record<string, Venue>> = {
  SV2EYYJyRz2YhfXwXnhNAevDEui5Q6yrfyo13WtupPF: 'solfi_v2',
  BiSoNHVpsVZW2F7rx2eQ59yQwKxzU5NvBcmKshCSUypi: 'bisonfi',
  goonuddtQRrWqqn5nFyczVKaie28f3kDkHWkHtURSLE: 'goonfi_v2',
  ALPHAQmeA7bjrVuccPsYPiCvsi428SNwte66Srvs4pHA: 'alphaq',
  SCoRcH8c2dpjvcJD6FiPbCSQyQgu3PcUAWj2Xxx3mqn: 'scorch',
  ExA6GYhHAeRNMWVNLrDir1SKPJZcZA2oaPq6uriSmxfJ: 'exa6gy',
  MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms: 'manifest',
  fUSioN9YKKSa3CUC2YUc4tPkHJ5Y6XW1yz8y6F7qWz9: 'fusion',
};

/**
 * Programs with token crossings below them that are not a pool's: routers and transfers of wallets.
 */
const NO_POOLS: readonly string[] = [
  'proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u',
  'T1TANpTeScyeqVzzgNViGDNrkQ6qHz9KrSBS4aNXvGT',
  '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH',
];

/** Swaps of the recorded transactions by venue, as the oracle counts them. */
const LEGS: Partial<Record<Venue, number>> = {
  alphaq: 6,
  bisonfi: 4,
  byreal_clmm: 4,
  exa6gy: 4,
  fluxbeam: 1,
  fusion: 2,
  goonfi: 4,
  goonfi_v2: 3,
  heaven: 1,
  humidifi: 47,
  manifest: 4,
  mercurial: 1,
  meteora_damm_v1: 3,
  meteora_damm_v2: 1,
  meteora_dlmm: 29,
  obric_v2: 1,
  onedex: 2,
  orca_whirlpool: 13,
  pancakeswap_clmm: 7,
  pump: 1,
  pump_amm: 9,
  raydium_amm_v4: 5,
  raydium_clmm: 98,
  raydium_cpmm: 6,
  saber: 1,
  saros: 79,
  scorch: 1,
  solfi_v2: 10,
  stabble_stable: 2,
  tessera: 44,
  zerofi: 13,
};

/** One transaction as the oracle reports it and as the project decodes it. */
interface Compared {
  readonly report: OracleReport;
  readonly facts: TransactionFacts;
}

describe.skipIf(!hasTestData || !hasOracle)('swaps recorded in 2026', () => {
  const tally = new Tally();
  let compared: readonly Compared[] = [];

  beforeAll(async () => {
    const oracle = await loadOracle();
    compared = [...readAll(oracle, tally)];
  });

  test('are those whose legs the oracle saw in the vaults, one for one', () => {
    const counts: Partial<Record<Venue, number>> = {};
    for (const { report, facts } of compared) {
      const swaps = swapsOf(facts);
      const expected = movesOf(report).map((move, index) => legOfMove(move, swaps[index]?.pool));
      expect(swaps.map(legOfSwap), report.signature).toEqual(expected);
      for (const { venue } of swaps) counts[venue] = (counts[venue] ?? 0) + 1;
    }
    print(counts);
    expect(counts).toEqual(LEGS);
  });

  test('have the same pool for the same two vaults, and never a vault as pool, where the oracle names none', () => {
    const pools = new Map<string, string>();
    for (const { report, facts } of compared) {
      const swaps = swapsOf(facts);
      for (const [index, { pool: named, vaultIn, vaultOut }] of movesOf(report).entries()) {
        if (named !== null) continue;
        const vaults = [vaultIn, vaultOut].sort().join(' ');
        const pool = swaps[index]?.pool ?? '';
        expect(pools.get(vaults) ?? pool, report.signature).toBe(pool);
        expect([vaultIn, vaultOut]).not.toContain(pool);
        pools.set(vaults, pool);
      }
    }
    // Pools of one market maker share one vault, but never both.
    expect(new Set(pools.values()).size).toBe(pools.size);
  });

  test('are in no failed transaction, never quarantined, and decoded without problems', () => {
    const failed = compared.filter(({ report }) => !report.ok);
    expect(failed).toHaveLength(19);
    expect(failed.flatMap(({ facts }) => facts.events)).toEqual([]);
    const swaps = compared.flatMap(({ facts }) => swapsOf(facts));
    expect(swaps.filter(({ quarantine }) => quarantine !== null)).toEqual([]);
    expect(tally.problems.filter(({ program }) => program !== null)).toEqual([]);
  });
});

function* readAll(oracle: Oracle, tally: Tally): Iterable<Compared> {
  for (const file of oracle.walk(resolve(testData, 'chain-2026'))) {
    for (const record of oracle.readRecords(file)) {
      const normalised = oracle.normalise(record);
      const reading = readTransaction(record.tx);
      if (normalised === null || reading.status !== 'ok') throw new Error(`${file} is no answer`);
      const { transaction } = reading.value;
      if (transaction === null) throw new Error(`${file} is a vote`);
      yield {
        report: oracle.analyse(normalised),
        facts: decodeTransaction(transaction, 0, tally),
      };
    }
  }
}

function swapsOf(facts: TransactionFacts): Swap[] {
  return facts.events.filter((event) => event.kind === 'swap');
}

function movesOf({ vaultMoves, otherMoves }: OracleReport): OracleMove[] {
  const others = otherMoves.filter(({ program }) => !NO_POOLS.includes(program));
  return [...vaultMoves, ...others].sort((one, other) => one.seq - other.seq);
}

/** A swap in terms that both sides share. The oracle does not know the pools of some programs. */
function legOfMove(move: OracleMove, poolIfUnknown?: string) {
  const { program, outerIx, mintIn, amountIn, mintOut, amountOut } = move;
  return {
    venue: VENUE_OF_PROGRAM[program] ?? program,
    outerIx,
    innerIx: move.innerIx ?? -1,
    pool: move.pool ?? poolIfUnknown,
    mintIn,
    amountIn,
    mintOut,
    amountOut,
  };
}

function legOfSwap(swap: Swap): ReturnType<typeof legOfMove> {
  const base = { mint: swap.baseMint, change: swap.poolBaseDelta };
  const quote = { mint: swap.quoteMint, change: swap.poolQuoteDelta };
  const [paid, got] = swap.side === 'buy' ? [quote, base] : [base, quote];
  return {
    venue: swap.venue,
    outerIx: swap.outerIx,
    innerIx: swap.innerIx,
    pool: swap.pool,
    mintIn: paid.mint,
    amountIn: paid.change.toString(),
    mintOut: got.mint,
    amountOut: (-got.change).toString(),
  };
}

function print(counts: Readonly<Record<string, number>>): void {
  const words = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  process.stdout.write(`compared with the oracle, 2026: ${words.sort().join(', ')}\n`);
}
