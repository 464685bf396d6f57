import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPlacedTrades } from '../../src/fold/market/bundles.ts';
import { groupOf } from '../../src/fold/market/placed-groups.ts';
import { inspectCase } from '../../src/fraud/detect/inspect-case.ts';
import type { Address, Lamports, RawAmount, Signature } from '../../src/model/units.ts';
import { mintCreated, slotFacts, transactionFacts } from '../support/build-facts.ts';
import { lamportsOf, trade } from '../support/bundle-trades.ts';
import { aBuy, aCase, LAUNCH_SLOT } from '../support/mint-case.ts';
import { hasTestData, testData } from '../support/test-data.ts';

/** A purchase in a launch's slot, according to the labels. */
interface LabelledBuy {
  readonly txIndex: number;
  readonly signer: Address;
  readonly signature: Signature;
  readonly lamports: bigint;
  readonly baseRaw: bigint;
  readonly isBundled: boolean;
}

interface LabelledLaunch {
  readonly mint: Address;
  readonly creator: string;
  readonly txIndex: number;
  readonly buys: readonly LabelledBuy[];
}

function readLaunches(): readonly LabelledLaunch[] {
  const text = readFileSync(join(testData, 'labels/launches/bundled_launch_buys.csv'), 'utf8');
  const [header = '', ...lines] = text.trim().split('\n');
  const names = header.trim().split(',');
  const rows = lines.map((line) => {
    const cells = line.trim().split(',');
    return (name: string) => cells[names.indexOf(name)] ?? '';
  });
  return [...Map.groupBy(rows, (cell) => cell('mint'))].map(([mint, own]) => ({
    mint: mint as Address,
    creator: own[0]?.('creator') ?? '',
    txIndex: Number(own[0]?.('creation_tx_index')),
    buys: own.map((cell) => ({
      txIndex: Number(cell('tx_index')),
      signer: cell('signer') as Address,
      signature: cell('signature') as Signature,
      lamports: BigInt(Math.round(Number(cell('sol')) * 1e9)),
      baseRaw: BigInt(Math.round(Number(cell('tokens')) * 1e6)),
      isBundled: cell('in_bundle_block') === '1',
    })),
  }));
}

/** The case of a launch from its purchases and their order alone: no payment is known. */
function caseOf({ mint, creator, txIndex, buys }: LabelledLaunch) {
  const created = transactionFacts({ txIndex, events: [mintCreated(mint)] });
  const bought = buys.map((buy) =>
    trade({
      ...{ txIndex: buy.txIndex, who: buy.signer, lamports: buy.lamports, mint },
      rest: { signature: buy.signature },
    }),
  );
  const inOrder = [created, ...bought].sort((one, other) => one.txIndex - other.txIndex);
  const { groups, bundles } = findPlacedTrades(slotFacts(LAUNCH_SLOT, 0, inOrder), lamportsOf);
  const owners = new Map(bundles.map(({ signature, owner }) => [signature, owner]));
  return aCase({
    mint,
    isFundingKnown: false,
    launch: {
      ...aBuy(creator, { txIndex }),
      creator: creator as Address,
      isListedSale: false,
    },
    trades: buys.map(({ signer, signature, lamports, baseRaw, ...buy }) =>
      aBuy(signer, {
        ...buy,
        signature,
        lamports: lamports as Lamports,
        baseRaw: baseRaw as RawAmount,
        group: groupOf(groups.get(signature), mint, owners.get(signature) ?? signer),
      }),
    ),
  });
}

describe.skipIf(!hasTestData)('the bundled launches of the shared labels', () => {
  test('are all found by purchases and their order, without naming a wallet outside the bundle', () => {
    const launches = readLaunches();
    expect(launches).toHaveLength(26);
    for (const launch of launches) {
      const [finding] = inspectCase(caseOf(launch));
      expect(finding?.fraudType).toBe('traditional_bundle');
      expect(finding?.confidence).toBeGreaterThanOrEqual(0.5);
      const bundled = launch.buys.filter(({ isBundled }) => isBundled);
      const known = new Set<string>([launch.creator, ...bundled.map(({ signer }) => signer)]);
      const others = finding?.wallets.filter(({ address }) => !known.has(address)) ?? [];
      expect(others).toEqual([]);
      expect((finding?.wallets ?? []).length).toBeGreaterThanOrEqual(4);
    }
  });
});
