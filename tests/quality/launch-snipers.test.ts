import { beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import {
  mintCreated,
  poolCreated,
  slotFacts,
  swapEvent,
  transactionFacts,
} from '../support/build-facts.ts';
import { address } from '../support/build-transaction.ts';
import { fallbackSolUsd } from '../support/master-fixture.ts';
import { hasTestData, testData } from '../support/test-data.ts';
import { type LabelledLaunch, readLabelledLaunches } from './launches/labelled-launches.ts';

const SNIPERS_RIGHT_MIN = 0.95;
const USERS_WRONG_MAX = 0.005;
const START_MS = 1_760_000_000_000;

/** The labelled launches with the purchases of their bundle's block. */
function readLaunches(): readonly LabelledLaunch[] {
  return readLabelledLaunches(testData).map((launch) => ({
    ...launch,
    buys: launch.buys.filter(({ isBundled }) => isBundled),
  }));
}

/** The launch slot of a real launch, from its labelled rows. */
function factsOf({ mint, slot, creator, txIndex: creationIndex, buys }: LabelledLaunch): SlotFacts {
  const pool = poolOf(mint);
  const creation = transactionFacts({
    txIndex: creationIndex,
    signers: [creator],
    events: [
      mintCreated(mint),
      poolCreated(10n ** 15n, 10n ** 9n, { pool, baseMint: mint, creator }),
    ],
  });
  const trades = buys
    .filter(({ txIndex }) => txIndex > creationIndex)
    .sort((one, other) => one.txIndex - other.txIndex)
    .map(({ txIndex, signer, lamports, baseRaw }) =>
      transactionFacts({
        txIndex,
        signers: [signer],
        // The terminal is no excuse: each was sent through one here.
        terminal: 'axiom',
        events: [
          swapEvent(
            { trader: signer, side: 'buy', baseRaw, quoteRaw: lamports },
            { pool, baseMint: mint },
          ),
        ],
      }),
    );
  return slotFacts(slot, START_MS + slot, [creation, ...trades]);
}

function poolOf(mint: Address): Address {
  return address(`pool of ${mint}`);
}

describe.skipIf(!hasTestData)('real launches', () => {
  let judged: { readonly isCreator: boolean; readonly isBot: boolean }[] = [];
  beforeAll(() => {
    judged = readLaunches().flatMap((launch) => {
      const engine = new Engine({ fallbackSolUsd });
      engine.apply(factsOf(launch));
      const signers = [...new Set(launch.buys.map(({ signer }) => signer))];
      return signers.map((signer) => ({
        isCreator: signer === launch.creator,
        isBot: engine.walletReads.tokenBot(launch.mint, signer)?.sniper != null,
      }));
    });
  });

  test('have their buyers of the launch slot called bots, in 95 % of cases and more', () => {
    const snipers = judged.filter(({ isCreator }) => !isCreator);
    expect(snipers.length).toBeGreaterThan(90);
    const right = snipers.filter(({ isBot }) => isBot).length / snipers.length;
    expect(right).toBeGreaterThanOrEqual(SNIPERS_RIGHT_MIN);
  });

  test('have none of them called snipers three slots later', () => {
    const late = readLaunches().flatMap((launch) => {
      const { slot, blockTimeMs, transactions } = factsOf(launch);
      const [creation, ...trades] = transactions;
      if (creation === undefined) throw new Error('a launch has its creation');
      const engine = new Engine({ fallbackSolUsd });
      engine.apply(slotFacts(slot, blockTimeMs, [creation]));
      engine.apply(slotFacts(slot + 3, blockTimeMs, trades));
      return launch.buys.map(({ signer }) => engine.walletReads.tokenBot(launch.mint, signer));
    });
    const wrong = late.filter((bot) => bot !== null).length;
    expect(wrong).toBeLessThanOrEqual(USERS_WRONG_MAX * late.length);
  });
});
