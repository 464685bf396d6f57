import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isVenueProgram } from '../../src/decoders/registry.ts';
import { TransactionView } from '../../src/decoders/transaction/transaction-view.ts';
import type { ChainTransaction } from '../../src/model/transaction.ts';
import {
  chainTransactionOf,
  hasOracle,
  loadOracle,
  type Oracle,
  type OracleTransaction,
} from '../support/oracle.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/**
 * Token movements of recorded pools, each assigned to the instruction that caused it: once by the
 * recorded call depths, once by other means. Any difference is a leg that could be misassigned.
 */
describe.skipIf(!hasTestData || !hasOracle)('movements below recorded pools', () => {
  let records: readonly OracleTransaction[];

  beforeAll(async () => {
    records = succeededWithHeights(await loadOracle());
  });

  test('are assigned to the same instruction by the log as by the recorded depths', () => {
    const { checked, astray } = compare(records, ({ logs }) => logs);
    process.stdout.write(`call tree from the log: ${checked} movements compared\n`);
    expect(checked).toBeGreaterThanOrEqual(400);
    expect(astray).toEqual([]);
  });

  test('are misassigned by the flat rule only where a call returned before them', () => {
    const { checked, astray } = compare(records, () => []);
    process.stdout.write(`call tree by the flat rule: ${astray.length} of ${checked} go astray\n`);
    const explained = Object.values(ASTRAY_BY_THE_FLAT_RULE).flat();
    expect(astray.toSorted()).toEqual(explained.toSorted());
  });
});

/**
 * Signature and instruction of the movement: the pool that caused it, the pool of the flat rule.
 */
const ASTRAY_BY_THE_FLAT_RULE = {
  movesOfARouterAfterItCalledAPool: [
    '3p36wGRa 3/8: null 675k 3/5',
    '21TkyKuS 3/4: null 6EF8 3/0',
    '4cJHaHbH 3/4: null 675k 3/0',
    '3Qd7xWYq 5/20: null whir 5/16',
    '3Qd7xWYq 5/22: null whir 5/16',
    '4VhDRLUK 8/13: null whir 8/9',
    '5zyc7NgD 3/18: null whir 3/14',
    '51SfoFAg 3/20: null LBUZ 3/15',
    '2pfnv4dr 4/7: null LBUZ 4/0',
    '2pfnv4dr 4/8: null LBUZ 4/0',
    'rNMFZpBm 2/14: null SoLF 2/10',
    'rNMFZpBm 2/16: null SoLF 2/10',
  ],
  movesOfAPoolAfterItCalledTheFeeProgram: [
    '2zNeSn8c 7/4: pAMM 7/2 null',
    '2zNeSn8c 7/5: pAMM 7/2 null',
    '2zNeSn8c 7/6: pAMM 7/2 null',
    '2zNeSn8c 7/7: pAMM 7/2 null',
    '22K6ixTV 4/2: 6EF8 4/0 null',
    '5gtu6ARV 4/3: pAMM 4/1 null',
    '5gtu6ARV 4/4: pAMM 4/1 null',
    '5gtu6ARV 4/5: pAMM 4/1 null',
    '5gtu6ARV 4/6: pAMM 4/1 null',
  ],
  movesOfAMigrationAfterItOpenedThePool: [
    '2ffHb9AX 0/35: 6EF8 0/-1 pAMM 0/22',
    '2ffHb9AX 0/36: 6EF8 0/-1 pAMM 0/22',
    '2ffHb9AX 0/37: 6EF8 0/-1 pAMM 0/22',
    '2ffHb9AX 0/38: 6EF8 0/-1 pAMM 0/22',
  ],
};

function succeededWithHeights(oracle: Oracle): OracleTransaction[] {
  const found = new Map<string, OracleTransaction>();
  for (const file of oracle.walk(resolve(testData, 'chain'))) {
    for (const record of oracle.readRecords(file)) {
      const transaction = normalise(oracle, record);
      if (transaction === null || transaction.failed || transaction.incomplete) continue;
      const isWhole = transaction.ixs.every(({ height, data }) => height !== null && data !== null);
      if (isWhole) found.set(transaction.signature, transaction);
    }
  }
  return [...found.values()];
}

function normalise(oracle: Oracle, record: Parameters<Oracle['normalise']>[0]) {
  try {
    return oracle.normalise(record);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Compares owners with and without recorded depths; the log may be replaced. */
function compare(
  records: readonly OracleTransaction[],
  logOf: (record: OracleTransaction) => readonly string[],
) {
  let checked = 0;
  const astray: string[] = [];
  for (const record of records) {
    const ixs = record.ixs.map((ix) => ({ ...ix, height: ix.inner === null ? 1 : null }));
    const recorded = ownersOf(chainTransactionOf(record));
    const rebuilt = ownersOf(chainTransactionOf({ ...record, ixs, logs: logOf(record) }));
    for (const [movement, owner] of recorded) {
      const other = rebuilt.get(movement) ?? null;
      if (owner === null && other === null) continue;
      checked++;
      if (owner !== other) {
        astray.push(`${record.signature.slice(0, 8)} ${movement}: ${owner} ${other}`);
      }
    }
  }
  return { checked, astray };
}

/**
 * The instruction of each token movement, with the pool instruction that caused it; null for none.
 */
function ownersOf(transaction: ChainTransaction): Map<string, string | null> {
  const view = new TransactionView(transaction, isVenueProgram);
  const owners = new Map<string, string | null>();
  for (const { instruction } of view.ledger.movements) {
    const owner = view.ownerOfLeaf(instruction);
    const isPool = owner !== null && isVenueProgram(owner.programId);
    owners.set(
      `${instruction.outerIx}/${instruction.innerIx}`,
      isPool ? `${owner.programId.slice(0, 4)} ${owner.outerIx}/${owner.innerIx}` : null,
    );
  }
  return owners;
}
