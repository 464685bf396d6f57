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
import { UndoLog } from '../../lib/undo-log.ts';
import type { ChainEvent, SolTransfer } from '../../model/chain-event.ts';
import { TOKEN_2022_PROGRAM } from '../../model/program.ts';
import type { SlotFacts, TransactionFacts } from '../../model/slot-facts.ts';
import { type Address, asAddress, asLamports, asRawAmount } from '../../model/units.ts';
import { indicatorsOf } from '../books/indicator-minutes.ts';
import { readCase } from '../cases/read-case.ts';
import { createState } from '../state/engine-state.ts';
import { WalletOwners } from '../wallets/wallet-owners.ts';
import { foldSlot } from './fold-slot.ts';
import { readMinuteFacts } from './read-minute-facts.ts';
import { topClusterShare, topClusterShareOf } from './top-cluster-share.ts';

const other = address('pool-new');

/** A state that applies slots like an engine and exposes its parts. */
function createFold() {
  const undo = new UndoLog();
  const state = createState({ fallbackSolUsd, undo, models: [], detectors: [] });
  const parts = { state, owners: new WalletOwners(), undo, onPause: () => undefined };
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
      const indicators = indicatorsOf(state.books, state.walletBooks, known, time);
      const facts = readMinuteFacts(state, indicators);
      if (facts === null) throw new Error(`no facts of ${of}`);
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

function txOf(events: readonly object[], rest: Partial<TransactionFacts> = {}): TransactionFacts {
  const placed = events.map((event, outerIx) => ({ ...event, outerIx, innerIx: -1 }));
  return transactionFacts({ txIndex: 0, ...rest, events: placed as unknown as ChainEvent[] });
}

const born = (given: Parameters<typeof mintCreated>[1] = {}) => mintCreated(mint, given);
const opened = poolCreated(SUPPLY, 500n * SOL);
const bought = (quoteRaw = SOL, baseRaw = 1_000_000n * TOKEN) =>
  swapEvent({ trader: address('buyer'), side: 'buy', baseRaw, quoteRaw });

describe('the freeze authority of a mint', () => {
  test.each([
    ['is known from creation', [txOf([born({ freezeAuthority: address('f') }), opened])], true],
    ['is known to be absent', [txOf([born(), opened])], false],
    ['is unknown for an older mint', [txOf([bought()])], null],
    [
      'is known of an older one that gave it up',
      [
        txOf([bought()]),
        txOf([{ kind: 'authority', mint, authorityKind: 'freeze', newAuthority: null }]),
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
    extension: { kind, feeBps, maxFeeRaw: asRawAmount(5n) },
  });
  const token2022 = born({ tokenProgram: TOKEN_2022_PROGRAM });

  test.each([
    ['is zero for the SPL token program', [born(), opened], 0],
    ['is zero if the creation shows none', [token2022, opened], 0],
    ['is the one set', [token2022, opened, fee('transferFee', 50)], 50],
    [
      'is the larger one of now and soon',
      [token2022, opened, fee('transferFee', 50), fee('nextTransferFee', 200)],
      200,
    ],
    ['is unknown for an older mint', [bought()], null],
  ])('%s', (_, events, transferFeeBps) => {
    expect(factsAfter([[txOf(events)]]).transferFeeBps).toBe(transferFeeBps);
  });
});

describe('liquidity', () => {
  const curve = poolCreated(SUPPLY, 500n * SOL, { venue: 'pump' });
  const migrated = (venue: 'pump' | 'meteora_dbc') => [
    txOf([born(), { ...curve, venue }]),
    txOf([
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

  test('belongs to the curve until it is complete', () => {
    expect(factsAfter([[txOf([born(), curve])]]).isCurve).toBe(true);
    expect(factsAfter([[txOf([born(), opened])]]).isCurve).toBe(false);
    expect(factsAfter([migrated('pump')]).isCurve).toBe(false);
  });

  test('is locked in the pool of a migration by launchpads that always lock', () => {
    expect(factsAfter([migrated('pump')], other).isLaunchpadLocked).toBe(true);
    expect(factsAfter([migrated('pump')], pool).isLaunchpadLocked).toBe(false);
    expect(factsAfter([migrated('meteora_dbc')], other).isLaunchpadLocked).toBe(false);
  });
});

test('a price is not final after a jump until the next traded slot confirms it', () => {
  const launch = txOf([born(), opened]);
  const calm = [launch, txOf([bought()])];
  // Twice the price of the trade before.
  const jump = txOf([bought(2n * SOL)]);
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
    lamports: asLamports(50n * SOL),
  });
  const buys = (name: string, percent: bigint) => {
    const baseRaw = (SUPPLY / 100n) * percent;
    const trader = address(name);
    return txOf([swapEvent({ trader, side: 'buy', baseRaw, quoteRaw: 40n * SOL })], {
      signers: [trader],
      tokenBalances: [balanceChange(trader, 0n, baseRaw)],
    });
  };
  const launch = txOf([born(), supplyChange('mintTo', mint, SUPPLY), opened], {
    signers: [address('creator')],
    tokenBalances: [balanceChange(pool, 0n, SUPPLY)],
  });
  const shareAfter = (...transactions: TransactionFacts[]) =>
    factsAfter(transactions.map((one) => [one])).topClusterShare();

  test('is a linked group or a single wallet, never the pool', () => {
    const apart = txOf([paid('friend', 'a'), paid('aunt', 'b')]);
    const strangers = [apart, launch, buys('a', 15n), buys('b', 12n)];
    expect(shareAfter(...strangers)).toBe(0.15);
    // One paid the other more than it bought for.
    const friends = [txOf([paid('a', 'b')]), launch, buys('a', 15n), buys('b', 12n)];
    expect(shareAfter(...friends)).toBe(0.27);
  });

  test('is in a view of the case, which detectors share, as in the whole case', () => {
    const fold = createFold();
    const shares = new Set<number | null>();
    for (const type of ['bundle_and_launder', 'coordinated_exit'] as const) {
      for (const block of runAttack(type, 'medium', 'the largest group').blocks) {
        const facts = decodeBlock(toChainBlock(block));
        const mints = new Set(fold.apply(facts).swaps.map(({ swap }) => swap.baseMint));
        const { books, walletBooks, cases } = fold.state;
        const { slot, blockTimeMs: timeMs } = facts;
        const sources = { books, walletBooks, cases, slot, timeMs: timeMs ?? 0 };
        for (const traded of mints) {
          const share = topClusterShare(sources, traded);
          expect(share).toBe(topClusterShareOf(books, readCase(sources, traded), traded));
          shares.add(share);
        }
      }
    }
    expect(shares.size).toBeGreaterThan(20);
  });

  test('is unknown without payments, and without a supply', () => {
    expect(shareAfter(launch, buys('a', 15n))).toBeNull();
    const older = [txOf([paid('friend', 'stranger')]), txOf([bought()]), buys('a', 15n)];
    expect(shareAfter(...older)).toBeNull();
  });
});

test('the fraud confidence is that of the strongest finding as last published', () => {
  const fold = createFold();
  const strongest = new Map<string, number>();
  for (const block of runAttack('traditional_bundle', 'easy', 'a veto').blocks) {
    for (const { finding } of fold.apply(decodeBlock(toChainBlock(block))).classifications) {
      const key = `${finding.mint} ${finding.fraudType} ${finding.clusterRoot}`;
      strongest.set(key, finding.confidence);
    }
  }
  const byMint = Map.groupBy(strongest, ([key]) => asAddress(key.split(' ')[0] ?? ''));
  const most = [...byMint].map(
    ([of, found]) => [of, Math.max(...found.map(([, one]) => one))] as const,
  );
  expect(Math.max(...most.map(([, one]) => one))).toBeGreaterThan(0.7);
  for (const [of, confidence] of most) {
    expect(fold.state.fraud.confidenceOf(of)).toBe(confidence);
  }
  expect(fold.state.fraud.confidenceOf(mint)).toBe(0);
});
