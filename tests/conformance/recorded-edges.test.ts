import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { recordedEdges } from '../../src/fraud/graph/build-graph.ts';
import { transactionEdges } from '../../src/fraud/graph/transaction-edges.ts';
import type { GraphEdge } from '../../src/model/finding-graph.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { ChainBlock } from '../../src/model/transaction.ts';
import type { Address } from '../../src/model/units.ts';
import { compareEdges } from '../support/edge-transactions.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { readAll } from '../support/recorded-reading.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const FOLDERS = ['chain', 'chain-2026'];

/**
 * Judged by hand: DNfu7… pays for two purchases (5.-1 and 7.-1), the second of them for the account
 * of DNfuF…, so its own tokens grow by the first only.
 */
const PAID_FOR_ANOTHER =
  'k1LPbZb3E4mkVabxy9F11p8CGjzug6vzn6rbZHFmEmFfXPBv9Z398TqmYFeXXDGSmEXGM7eeGffA8DsV6ePkZvC';

interface RecordedLaunch {
  readonly block: ChainBlock;
  readonly facts: SlotFacts;
  readonly mint: Address;
  /** Signers of the transactions that traded it in its slot. */
  readonly wallets: ReadonlySet<Address>;
}

function launchesOf(block: ChainBlock): RecordedLaunch[] {
  const facts = decodeBlock(block);
  const { transactions } = facts;
  return transactions
    .flatMap(({ events }) => events)
    .flatMap((event) => {
      if (event.kind !== 'launch') return [];
      const { mint } = event;
      const traded = transactions.filter(({ events }) =>
        events.some((one) => one.kind === 'swap' && one.baseMint === mint),
      );
      const wallets = new Set(traded.flatMap(({ signers }) => signers));
      return wallets.size === 0 ? [] : [{ block, facts, mint, wallets }];
    });
}

/** The edges of a launch from the books of an engine that applied its slot. */
function booked({ facts, mint, wallets }: RecordedLaunch): GraphEdge[] {
  const engine = new Engine({ fallbackSolUsd });
  engine.apply(facts);
  return recordedEdges(engine.walletReads.links(mint, wallets));
}

/** The same from the log. */
function logged({ facts, mint, wallets }: RecordedLaunch): GraphEdge[] {
  const { slot, transactions } = facts;
  return transactions.flatMap((one) => transactionEdges(one, slot, mint, wallets));
}

describe.skipIf(!hasTestData)('edges of the wallets of recorded launches', async () => {
  // The body of a skipped suite runs, too.
  const { blocks } = hasTestData
    ? await readAll(FOLDERS.map((folder) => join(testData, folder)))
    : { blocks: [] };
  const launches = blocks.flatMap(launchesOf);

  test.each([
    ['books', booked],
    ['the log', logged],
  ] as const)('from %s are those that their transactions show', (_, edgesOf) => {
    let holdings = 0;
    for (const launch of launches) {
      const edges = edgesOf(launch);
      const own = edges.filter(({ signature }) => signature !== PAID_FOR_ANOTHER);
      holdings += compareEdges(own, [launch.block], launch.mint).holdings;
    }
    expect(holdings).toBe(launches.length - 1);
  });

  test('have the same trades in the books and in the log', () => {
    const trades = (edges: readonly GraphEdge[]) =>
      edges
        .filter(({ kind }) => kind === 'buy' || kind === 'sell')
        .map(({ lamports: _, ...edge }) => edge);
    for (const launch of launches) expect(trades(logged(launch))).toEqual(trades(booked(launch)));
    expect(launches.length).toBeGreaterThan(5);
  });
});
