import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import type { SourceProblem } from '../../model/errors.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import { createRecordedSource } from './recorded-source.ts';
import { readRecordedTransactions } from './recorded-transactions.ts';

const chain = join(testData, 'chain');

/** A line of the manifest of recorded mainnet records. */
interface ManifestRow {
  readonly path: string;
  readonly kind: string;
  /** For blocks the counts, such as `602 tx (158 vote, 5 jito-tip)`. */
  readonly signature: string;
  readonly slot: string;
  readonly success: string;
}

/**
 * Records that must be refused, each with the reason: an innerInstructions field that is null
 * although the ledger already kept them, and two whose addresses were tampered with.
 */
const REFUSED: Readonly<Record<string, SourceProblem['code']>> = {
  'coinbase+chainstorage/internal/utils/fixtures/parser/solana/block_with_versioned_tx.json':
    'missing-meta',
  '0xjeffro+tx-parser/solana/data/broken_data_1.json': 'bad-address',
  'ultravigilante+coinpusher/test/core/solana/parse/data/41Bg6X-pump-buy.2ad85407.json':
    'bad-address',
};

function readManifest(): ManifestRow[] {
  const [, ...rows] = readFileSync(join(chain, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n');
  return rows.map((row) => {
    const [path = '', , , kind = '', signature = '', slot = '', , success = ''] = row.split('\t');
    return { path, kind, signature, slot, success };
  });
}

describe.skipIf(!hasTestData)('recorded mainnet data', () => {
  test('is read record by record as its manifest says, except for records that must be refused', async () => {
    const rows = readManifest().filter(({ kind }) => /^(?:tx|block)/.test(kind));
    const paths = [...new Set(rows.map(({ path }) => path))];
    const found = await readFiles(paths);
    const counts = { transactions: 0, blocks: 0, refused: 0 };
    for (const row of rows) {
      const file = found.get(join(chain, row.path));
      if (row.path in REFUSED) {
        expect(file?.problems.map(({ code }) => code)).toEqual([REFUSED[row.path]]);
        counts.refused++;
      } else if (row.kind.startsWith('block')) {
        expectBlock(file?.blocks[0], row);
        counts.blocks++;
      } else {
        expectTransaction(file?.transactions ?? [], row);
        counts.transactions++;
      }
    }
    // 164 transaction rows, 13 JSON blocks and 4 in protobuf, less one block and two transactions
    // that are refused.
    expect(counts).toEqual({ transactions: 162, blocks: 16, refused: 3 });
    const troubled = [...found].filter(([, { problems }]) => problems.length > 0);
    const refused = Object.keys(REFUSED).map((path) => join(chain, path));
    expect(troubled.map(([origin]) => origin).sort()).toEqual(refused.sort());
  });

  test('is one sequence of slots, in which only records without a slot are missing', async () => {
    const slots: number[] = [];
    const problems: Record<string, number> = {};
    const signatures = new Set<string>();
    let transactions = 0;
    for await (const item of createRecordedSource([chain])) {
      if (item.kind === 'problem') {
        const { code } = item.problem;
        problems[code] = (problems[code] ?? 0) + 1;
      } else if (item.kind === 'block') {
        slots.push(item.block.slot);
        transactions += item.block.transactions.length;
        for (const { signature } of item.block.transactions) signatures.add(signature);
      }
    }
    expect(slots).toEqual([...new Set(slots)].sort((one, other) => one - other));
    expect(signatures.size).toBe(transactions);
    // 26 files contain parsed instruction updates, which are not transactions.
    expect(problems).toEqual({
      'not-a-record': 26,
      'no-slot': 25,
      'bad-address': 2,
      'missing-meta': 1,
    });
  });

  test('counts the votes of the whole blocks and keeps the rest', async () => {
    const found = await readFiles([
      'ai-nyan-bot+bot/block_326027759.json',
      'helius-labs+photon/tests/data/blocks/index_block_metadata/254170887',
    ]);
    const outline = [...found.values()].map(({ blocks: [block] }) => ({
      slot: block?.slot,
      votes: block?.voteCount,
      others: block?.transactions.length,
    }));
    expect(outline).toEqual([
      { slot: 326_027_759, votes: 1_248, others: 261 },
      { slot: 254_170_887, votes: 158, others: 444 },
    ]);
  });
});

function expectBlock(block: ChainBlock | undefined, { path, signature, slot }: ManifestRow): void {
  const [all = 0, votes = 0] = (signature.match(/\d+/g) ?? []).map(Number);
  expect({
    path,
    slot: block?.slot,
    votes: block?.voteCount,
    others: block?.transactions.length,
  }).toEqual({ path, slot: Number(slot), votes, others: all - votes });
}

/** The manifest gives the slots of records that have none. */
function expectTransaction(
  transactions: FileContent['transactions'],
  { path, signature, slot, success }: ManifestRow,
): void {
  const match = transactions.find(({ transaction }) => transaction.signature === signature);
  expect({
    path,
    signature: match?.transaction.signature,
    failed: match?.transaction.error !== null,
    slot: String(match?.slot ?? slot),
  }).toEqual({ path, signature, failed: success === 'failed', slot });
}

interface FileContent {
  readonly blocks: ChainBlock[];
  readonly transactions: { readonly slot: number | null; readonly transaction: ChainTransaction }[];
  readonly problems: SourceProblem[];
}

async function readFiles(paths: readonly string[]): Promise<Map<string, FileContent>> {
  const found = new Map<string, FileContent>();
  const at = (origin: string) => {
    const known = found.get(origin) ?? { blocks: [], transactions: [], problems: [] };
    found.set(origin, known);
    return known;
  };
  for await (const item of readRecordedTransactions(paths.map((path) => join(chain, path)))) {
    if (item.kind === 'problem') at(item.problem.origin).problems.push(item.problem);
    else if (item.kind === 'block') at(item.origin).blocks.push(item.block);
    else at(item.origin).transactions.push(item);
  }
  return found;
}
