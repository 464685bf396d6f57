import { describe, expect, test } from 'vitest';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  supplyChange,
  swapEvent,
  transactionFacts,
} from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  fallbackSolUsd,
  mint,
  pool,
  SOL,
  SUPPLY,
  second,
  TOKEN,
} from '../../../tests/support/master-fixture.ts';
import { runAttack } from '../../../tests/support/scenario-stage.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { MemorySpill } from '../../fold/wallets/memory-spill.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { ChainEvent, SolTransfer } from '../../model/chain-event.ts';
import { TOKEN_2022_PROGRAM } from '../../model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import type { Address, Lamports, RawAmount } from '../../model/units.ts';
import { indicatorsOf } from '../books/indicator-minutes.ts';
import { createState } from '../state/engine-state.ts';
import { WalletOwners } from '../wallets/wallet-owners.ts';
import { foldSlot } from './fold-slot.ts';
import { readMinuteFacts } from './read-minute-facts.ts';

const other = address('pool-new');

/** A state that folds as an engine does, and shows what it knows. */
function createFold() {
  const undo = new UndoLog();
  const spill = new MemorySpill();
  const state = createState({ fallbackSolUsd, undo, spill, models: [] });
  const parts = { state, owners: new WalletOwners(), undo, profilesMax: 1_000 };
  let last: SlotFacts | null = null;
  return {
    state,
    apply: (facts: SlotFacts) => {
      last = facts;
      return foldSlot(parts, facts);
    },
    factsOf: (of: Address) => {
      const known = state.books.pools.get(of);
      if (known === undefined || last === null) throw new Error(`no pool ${of}`);
      const time = { slot: last.slot, timeMs: last.blockTimeMs };
      const facts = readMinuteFacts(state, indicatorsOf(state.books, state.walletBooks, known, time));
      if (facts === null) throw new Error(`nothing is known of ${of}`);
      return facts;
    },
  };
}

function factsAfter(slots: readonly (readonly TransactionFacts[])[], of = pool) {
  const fold = createFold();
  for (const [at, transactions] of slots.entries()) {
    fold.apply(second(at, ...transactions.map((one, txIndex) => ({ ...one, txIndex }))));
  }
  return fold.factsOf(of);
}

function told(events: readonly object[], rest: Partial<TransactionFacts> = {}): TransactionFacts {
  const placed = events.map((event, outerIx) => ({ ...event, outerIx, innerIx: -1 }));
  return transactionFacts({ txIndex: 0, ...rest, events: placed as unknown as ChainEvent[] });
}

const born = (given: Parameters<typeof mintCreated>[1] = {}) => mintCreated(mint, given);
const opened = poolCreated(SUPPLY, 500n * SOL);
const bought = (quoteRaw = SOL, baseRaw = 1_000_000n * TOKEN) =>
  swapEvent({ trader: address('buyer'), side: 'buy', baseRaw, quoteRaw });

describe('whether somebody may freeze a mint', () => {
  test.each([
    ['was told at its beginning', [told([born({ freezeAuthority: address('f') }), opened])], true],
    ['was given up since', [told([born(), opened])], false],
    ['is not known of a mint that is older', [told([bought()])], null],
    [
      'is known of an older one that gave it up',
      [
        told([bought()]),
        told([{ kind: 'authority', mint, authorityKind: 'freeze', newAuthority: null }]),
      ],
      false,
    ],
  ])('%s', (_, transactions, isFreezable) => {
    expect(factsAfter([transactions]).isFreezable).toBe(isFreezable);
  });
});

describe('the transfer fee', () => {
  const fee = (kind: 'transferFee' | 'nextTransferFee', feeBps: number) => ({
    kind: 'mintExtension',
    mint,
    extension: { kind, feeBps, maxFeeRaw: 5n as RawAmount },
  });
  const token2022 = born({ tokenProgram: TOKEN_2022_PROGRAM });

  test.each([
    ['is none of the first token program', [born(), opened], 0],
    ['is none where the beginning shows none', [token2022, opened], 0],
    ['is what was told', [token2022, opened, fee('transferFee', 50)], 50],
    [
      'is the larger one of now and soon',
      [token2022, opened, fee('transferFee', 50), fee('nextTransferFee', 200)],
      200,
    ],
    ['is unknown of a mint that is older', [bought()], null],
  ])('%s', (_, events, transferFeeBps) => {
    expect(factsAfter([[told(events)]]).transferFeeBps).toBe(transferFeeBps);
  });
});

describe('liquidity', () => {
  const curve = poolCreated(SUPPLY, 500n * SOL, { venue: 'pump' });
  const migrated = (venue: 'pump' | 'meteora_dbc') => [
    told([born(), { ...curve, venue }]),
    told([
      poolCreated(SUPPLY, 500n * SOL, { pool: other, venue: 'pump_amm' }),
      {
        kind: 'migrate',
        venue,
        mint,
        fromPool: pool,
        toPool: other,
        baseMint: mint,
        baseRaw: SUPPLY,
        quoteRaw: 500n * SOL,
      },
    ]),
  ];

  test('is its own while a curve is not complete, and no longer', () => {
    expect(factsAfter([[told([born(), curve])]]).isCurve).toBe(true);
    expect(factsAfter([[told([born(), opened])]]).isCurve).toBe(false);
    expect(factsAfter([migrated('pump')]).isCurve).toBe(false);
  });

  test('is locked by launchpads that leave nobody a choice, in the pool that they moved it to', () => {
    expect(factsAfter([migrated('pump')], other).isLaunchpadLocked).toBe(true);
    expect(factsAfter([migrated('pump')], pool).isLaunchpadLocked).toBe(false);
    expect(factsAfter([migrated('meteora_dbc')], other).isLaunchpadLocked).toBe(false);
  });
});

test('a price is not final from a jump until the next traded slot confirms it', () => {
  const launch = told([born(), opened]);
  const calm = [launch, told([bought()])];
  // Twice the price of the trade before.
  const jump = told([bought(2n * SOL)]);
  expect(factsAfter([calm]).isPriceFinal).toBe(true);
  expect(factsAfter([calm, [jump]]).isPriceFinal).toBe(false);
  expect(factsAfter([calm, [jump], [jump]]).isPriceFinal).toBe(true);
});

describe('the largest group', () => {
  const paid = (from: string, to: string): SolTransfer => ({
    kind: 'solTransfer',
    outerIx: 0,
    innerIx: -1,
    transferKind: 'transfer',
    from: address(from),
    to: address(to),
    lamports: (50n * SOL) as Lamports,
  });
  const buys = (who: string, percent: bigint) => {
    const baseRaw = (SUPPLY / 100n) * percent;
    const trader = address(who);
    return told([swapEvent({ trader, side: 'buy', baseRaw, quoteRaw: 40n * SOL })], {
      signers: [trader],
      tokenBalances: [balanceChange(trader, 0n, baseRaw)],
    });
  };
  const launch = told([born(), supplyChange('mintTo', mint, SUPPLY), opened], {
    signers: [address('creator')],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY)],
  });
  const shareAfter = (...transactions: TransactionFacts[]) =>
    factsAfter(transactions.map((one) => [one])).topClusterShare();

  test('is a wallet with whom it pays, and a wallet alone; the pool is nobody', () => {
    const apart = told([paid('friend', 'a'), paid('aunt', 'b')]);
    const strangers = [apart, launch, buys('a', 15n), buys('b', 12n)];
    expect(shareAfter(...strangers)).toBe(0.15);
    // One paid the other more than it bought for.
    const friends = [told([paid('a', 'b')]), launch, buys('a', 15n), buys('b', 12n)];
    expect(shareAfter(...friends)).toBe(0.27);
  });

  test('is unknown where no payment is seen, and where the supply is', () => {
    expect(shareAfter(launch, buys('a', 15n))).toBeNull();
    const older = [told([paid('friend', 'stranger')]), told([bought()]), buys('a', 15n)];
    expect(shareAfter(...older)).toBeNull();
  });
});

test('the confidence of fraud is that of the strongest finding as it was last told', () => {
  const fold = createFold();
  const strongest = new Map<string, number>();
  for (const block of runAttack('traditional_bundle', 'easy', 'a veto').blocks) {
    for (const { finding } of fold.apply(decodeBlock(toChainBlock(block))).classifications) {
      const key = `${finding.mint} ${finding.fraudType} ${finding.clusterRoot}`;
      strongest.set(key, finding.confidence);
    }
  }
  const byMint = Map.groupBy(strongest, ([key]) => key.split(' ')[0] as Address);
  const most = [...byMint].map(([of, found]) => [of, Math.max(...found.map(([, one]) => one))]);
  expect(Math.max(...most.map(([, one]) => Number(one)))).toBeGreaterThan(0.7);
  for (const [of, confidence] of most) {
    expect(fold.state.fraud.confidenceOf(of as Address)).toBe(confidence);
  }
  expect(fold.state.fraud.confidenceOf(mint)).toBe(0);
});
