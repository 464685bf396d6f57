import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectLinked } from '../../../tests/support/fraud-tests.ts';
import { linksFrom, readingOf } from '../../../tests/support/linked-wallets.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import {
  aBuy,
  aCase,
  aFunding,
  aLock,
  aSell,
  aTransfer,
  type CaseDraft,
  DAY_MS,
  HOUR_MS,
  LAUNCH_SLOT,
  LAUNCH_TIME_MS,
  sol,
  supplyShare,
} from '../../../tests/support/mint-case.ts';
import type { BundleLevel } from '../../model/derived.ts';
import type { Judgement } from '../../model/fraud.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import type { Link } from '../links/clusters.ts';
import { scoreCase } from '../scoring/score.ts';
import { TRADITIONAL_BUNDLE_TABLE, traditionalBundle } from './traditional-bundle.ts';

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
const names = (count: number) => Array.from({ length: count }, (_, at) => `w${at + 1}`);

interface BundleDraft {
  readonly wallets?: readonly string[];
  readonly share?: number;
  readonly level?: BundleLevel | null;
  readonly slot?: number;
}

/** Buys of equal shares in one group, in consecutive transactions after the creation. */
function aBundle({
  wallets = names(8),
  share = 0.3,
  level = 'L2',
  slot = LAUNCH_SLOT,
}: BundleDraft) {
  const group = level === null ? null : { id: 'bundle', level };
  return wallets.map((wallet, at) =>
    aBuy(wallet, { slot, txIndex: at + 1, group, baseRaw: supplyShare(share / wallets.length) }),
  );
}

/** Wallets that are an hour old, paid by this funder. */
const freshFrom = (funder: string, wallets: readonly string[]) =>
  Object.fromEntries(
    wallets.map((wallet) => [
      wallet,
      { firstSeenMs: LAUNCH_TIME_MS - HOUR_MS, fundings: [aFunding(funder)] },
    ]),
  );

const inspect = (draft: CaseDraft, links: readonly Link[] = []) =>
  traditionalBundle.inspect(readingOf(aCase(draft), links));

/** Returns the only finding. */
function foundIn(draft: CaseDraft, links: readonly Link[] = []): Judgement {
  const [finding, ...others] = inspect(draft, links);
  if (finding === undefined || others.length > 0) throw new Error('not one finding');
  return finding;
}

const featureValue = ({ features }: Judgement, name: string) =>
  features.find((feature) => feature.name === name)?.value;
const rolesOf = ({ wallets }: Judgement) =>
  wallets.map(({ address, role }) => `${address} ${role}`);

describe('the scoring table of METHODS §7.3', () => {
  const score = (
    measures: Partial<Record<keyof typeof TRADITIONAL_BUNDLE_TABLE.rules, number>>,
  ) => {
    const none = {
      share: 0,
      wallets: 0,
      atomicity: 0,
      funding: 0,
      fresh: 0,
      contiguity: 0,
      recidivism: 0,
      disclosed: 0,
    };
    return scoreCase(TRADITIONAL_BUNDLE_TABLE, { ...none, ...measures }, true).rawScore;
  };

  it('gives 0.991 for 30 % by 8 fresh wallets in one L2 bundle that the creator paid', () => {
    const whole = { share: 0.3, wallets: 8, atomicity: 0.9, funding: 1, fresh: 1, contiguity: 1 };
    expect(score(whole)).toBeCloseTo(0.991, 3);
  });

  // METHODS says only "old wallets"; a fifth of them fresh and half of the transactions
  // near the creation are the round numbers that give the result.
  it('gives 0.796 for the same without a funding link and with old wallets', () => {
    const unlinked = { share: 0.3, wallets: 8, atomicity: 0.9, fresh: 0.2, contiguity: 0.5 };
    expect(score(unlinked)).toBeCloseTo(0.796, 3);
  });

  // Likewise a fifth fresh and three tenths near the creation.
  it('gives 0.244 for 12 % by 5 unrelated wallets in one slot', () => {
    const strangers = { share: 0.12, wallets: 5, atomicity: 0.5, fresh: 0.2, contiguity: 0.3 };
    expect(score(strangers)).toBeCloseTo(0.244, 3);
  });

  it('gives 0.937 for 20 % by 6 wallets in one L2 bundle paid by one exchange batch', () => {
    const batch = { share: 0.2, wallets: 6, atomicity: 0.9, funding: 0.5, fresh: 1, contiguity: 1 };
    expect(score(batch)).toBeCloseTo(0.937, 3);
  });
});

describe('a launch bundle', () => {
  const wallets = names(8);
  const bundle = { trades: aBundle({}), wallets: freshFrom('creator', wallets) };
  const paidByCreator = linksFrom('creator', wallets);

  it('is reported with every feature measured from the lists', () => {
    const finding = foundIn(bundle, paidByCreator);
    // 2.2·1 + 0.8·5/7 + 1.5·0.9 + 2.5·1 + 0.7·1 + 0.6·1 − 3.2: all eight are in a row.
    const logit = 2.2 + (0.8 * 5) / 7 + 1.35 + 2.5 + 0.7 + 0.6 - 3.2;
    expect(finding.rawScore).toBeCloseTo(sigmoid(logit), 12);
    expect(finding.patternStartSlot).toBe(LAUNCH_SLOT);
    expect(finding.clusterRoot).toBe('creator');
    expect(finding.evidence.map(({ type, payload }) => `${type} ${payload.kind}`)).toEqual([
      'common_funding wallet_relation',
      'supply_concentration supply_distribution',
      'bundled_transaction transaction',
      'similar_patterns wallet_relation',
      'suspicious_timing timing',
      'same_block_trades transaction',
    ]);
    const parts = finding.evidence.reduce((sum, { weight }) => sum + Math.round(weight * 1e4), 0);
    expect(parts).toBe(10_000);
  });

  it('has the paying creator as attacker, and its wallets as bundlers', () => {
    const finding = foundIn(bundle, paidByCreator);
    expect(rolesOf(finding)).toEqual([
      'creator attacker',
      ...wallets.map((one) => `${one} bundler`),
    ]);
    expect(finding.wallets[0]?.labels).toEqual(['creator']);
    expect(finding.wallets[1]).toMatchObject({
      tokensAcquiredRaw: supplyShare(0.0375),
      spentLamports: sol(0.5),
      receivedLamports: 0n,
      firstSeenSlot: LAUNCH_SLOT,
      labels: ['fresh_wallet'],
    });
  });

  it('has the amount extractable with its holdings as value at risk', () => {
    // 30 % into 50 % against 100 SOL at 1 %: 100 · 29.7 / 79.7 = 37.2647… SOL at 200 dollars.
    const usd = Number(foundIn(bundle, paidByCreator).valueAtRiskUsd) / 1e9;
    expect(usd).toBeCloseTo(((100 * 29.7) / 79.7) * 200, 4);
  });

  it('is capped at 0.85 if payments are unknown, and states that', () => {
    const finding = foundIn({ ...bundle, isFundingKnown: false }, paidByCreator);
    expect(finding.confidence).toBe(0.85);
    expect(finding.evidence.at(-1)?.description).toContain('Funding data unavailable');
  });

  it('is found by four equal buys after the creation, without known payments', () => {
    // As in real launches: 78 % by four wallets at create+1 … create+4.
    const trades = aBundle({ wallets: names(4), share: 0.78, level: 'L2o' });
    const finding = foundIn({ trades, isFundingKnown: false });
    expect(finding.rawScore).toBeCloseTo(sigmoid(2.2 + 0.8 / 7 + 1.5 * 0.8 + 0.6 - 3.2), 12);
    expect(rolesOf(finding)[0]).toBe('creator attacker');
    expect(finding.features.find(({ name }) => name === 'funding')?.measured).toBeNull();
  });

  it('has the funder as attacker if the creator is not linked', () => {
    const trades = aBundle({ slot: LAUNCH_SLOT + 1 });
    const links = linksFrom('boss', wallets, { family: 'common-funding' });
    const finding = foundIn({ trades, wallets: freshFrom('boss', wallets) }, links);
    expect(rolesOf(finding)[0]).toBe('boss attacker');
    expect(finding.evidence[0]).toMatchObject({
      type: 'common_funding',
      payload: { sourceWallet: 'boss', relationship: 'direct_funding' },
    });
  });

  it('is found with links from the built-in link families', () => {
    const mintCase = aCase(bundle);
    const [finding] = inspectLinked(traditionalBundle, mintCase);
    expect(finding).toEqual(foundIn(bundle, paidByCreator));
  });

  it('distinguishes funder, intermediary and token receiver from the attacker', () => {
    const funded = { ...freshFrom('boss', wallets), ...freshFrom('between', ['w1']) };
    const between = { isShell: true, fundings: [aFunding('boss')] };
    const finding = foundIn(
      {
        trades: aBundle({}),
        transfers: [aTransfer('w2', 'vault', { slot: LAUNCH_SLOT + 50 })],
        wallets: { ...funded, between },
      },
      linksFrom('boss', [...wallets, 'creator']),
    );
    const others = rolesOf(finding).filter((text) => !text.endsWith('bundler'));
    expect(others).toEqual([
      'creator attacker',
      'boss funding_source',
      'between intermediary',
      'vault destination',
    ]);
  });

  it('counts wallets of one exchange batch half', () => {
    const batch = linksFrom('w1', wallets.slice(1), {
      family: 'exchange-batch',
      strength: 0.6,
      relationship: 'indirect_funding',
      via: named('exchange'),
    });
    const finding = foundIn(bundle, batch);
    expect(featureValue(finding, 'funding')).toBe(0.5);
    const funding = finding.evidence.find(({ type }) => type === 'common_funding');
    expect(funding?.payload).toMatchObject({ sourceWallet: 'exchange' });
  });

  it('is not proved by links that the bundle itself creates', () => {
    for (const family of ['same-bundle', 'equal-size', 'fee-payer', 'cosigned']) {
      expect(
        featureValue(foundIn(bundle, linksFrom('w1', wallets.slice(1), { family })), 'funding'),
      ).toBe(0);
    }
  });

  it('scores earlier bundles of the creator', () => {
    const creator = { priorBundles: 2 };
    const finding = foundIn({ ...bundle, wallets: { ...bundle.wallets, creator } }, paidByCreator);
    expect(featureValue(finding, 'recidivism')).toBeCloseTo(2 / 3, 12);
  });

  it('weights atomicity by the tokens of each wallet', () => {
    const l1 = aBundle({ wallets: ['a', 'b'], share: 0.2, level: 'L1' });
    const l2 = aBundle({ wallets: ['c', 'd'], share: 0.2, level: 'L2' }).map((trade) => ({
      ...trade,
      group: { id: 'other', level: 'L2' as const },
    }));
    expect(featureValue(foundIn({ trades: [...l1, ...l2] }), 'atomicity')).toBeCloseTo(0.95, 12);
  });

  it('scores lower with a lock of 30 days, but not with a shorter one', () => {
    const locked = (firstUnlockMs: number | null) =>
      foundIn({
        ...bundle,
        locks: [aLock('w1', { amountRaw: supplyShare(0.0375), firstUnlockMs })],
      });
    const days = (count: number) => LAUNCH_TIME_MS + count * DAY_MS;
    expect(featureValue(locked(days(30)), 'disclosed')).toBeCloseTo(1 / 8, 12);
    expect(featureValue(locked(null), 'disclosed')).toBeCloseTo(1 / 8, 12);
    expect(featureValue(locked(days(30) - 1), 'disclosed')).toBe(0);
    expect(locked(null).evidence.at(-1)?.description).toContain('Reduced by a lock of 30 days');
  });
});

describe('the gates of a launch bundle', () => {
  it('need three wallets', () => {
    expect(inspect({ trades: aBundle({ wallets: names(3) }) }).length).toBe(1);
    expect(inspect({ trades: aBundle({ wallets: names(2) }) }).length).toBe(0);
  });

  it('count a creator that buys with two others', () => {
    const own = aBuy('creator', { baseRaw: supplyShare(0.05) });
    const finding = foundIn({ trades: [own, ...aBundle({ wallets: names(2) })] });
    expect(finding.features.find(({ name }) => name === 'wallets')?.measured).toBe(3);
  });

  it('need 5 % of the supply, net of sales', () => {
    expect(inspect({ trades: aBundle({ wallets: names(5), share: 0.05 }) }).length).toBe(1);
    expect(inspect({ trades: aBundle({ wallets: names(5), share: 0.04999 }) }).length).toBe(0);
    const sold = aSell('w1', { slot: LAUNCH_SLOT + 2, baseRaw: supplyShare(0.0001) });
    expect(inspect({ trades: [...aBundle({ wallets: names(5), share: 0.05 }), sold] }).length).toBe(
      0,
    );
  });

  it('end two slots after the creation', () => {
    expect(inspect({ trades: aBundle({ slot: LAUNCH_SLOT + 2 }) }).length).toBe(1);
    expect(inspect({ trades: aBundle({ slot: LAUNCH_SLOT + 3 }) }).length).toBe(0);
  });

  it('need a known launch', () => {
    expect(inspect({ trades: aBundle({}), launch: null })).toEqual([]);
  });

  it('accept linked buyers of adjacent slots without a bundle, but not two slots apart', () => {
    const links = linksFrom('boss', ['a', 'b', 'c']);
    const at = (slots: readonly number[]) =>
      ['a', 'b', 'c'].map((wallet, index) =>
        aBuy(wallet, { slot: LAUNCH_SLOT + (slots[index] ?? 0), baseRaw: supplyShare(0.1) }),
      );
    const finding = foundIn({ trades: at([0, 1, 1]) }, links);
    expect(featureValue(finding, 'atomicity')).toBe(0.5);
    expect(inspect({ trades: at([0, 1, 2]) }, links)).toEqual([]);
  });
});

describe('what resembles a launch bundle', () => {
  const sniper = { snipes: 25, snipedCreators: 25 };

  it('is not reported when eight unrelated wallets snipe one launch', () => {
    expect(inspect({ trades: aBundle({ level: null }) })).toEqual([]);
  });

  it('is not reported if the third is an independent sniper, unless in one transaction', () => {
    const wallets = { w3: sniper };
    const trades = (level: BundleLevel) => aBundle({ wallets: names(3), level });
    expect(inspect({ trades: trades('L2'), wallets })).toEqual([]);
    expect(inspect({ trades: trades('L1'), wallets }).length).toBe(1);
    expect(inspect({ trades: trades('L2'), wallets }, linksFrom('w3', ['w9'])).length).toBe(1);
  });

  it('is not reported when the creator buys openly and alone', () => {
    expect(inspect({ trades: [aBuy('creator', { baseRaw: supplyShare(0.5) })] })).toEqual([]);
  });

  it('is not reported for an arbitrage round trip', () => {
    const trades = aBundle({}).map((trade): CaseTrade => ({ ...trade, isRoundTrip: true }));
    expect(inspect({ trades })).toEqual([]);
  });

  it('is below 0.5 when linked old wallets bought in a listed sale', () => {
    const wallets = names(6);
    const trades = aBundle({ wallets, share: 0.15, level: null });
    const finding = (isListedSale: boolean) =>
      foundIn(
        { trades, launch: { ...launchOf(), isListedSale } },
        linksFrom('w1', wallets.slice(1), { family: 'exchange-batch', strength: 0.6 }),
      );
    expect(finding(true).confidence).toBeLessThan(0.5);
    expect(finding(true).confidence).toBeLessThan(finding(false).confidence);
    expect(finding(true).evidence.at(-1)?.description).toContain('a sale to a list');
  });
});

function launchOf() {
  const { launch } = aCase();
  if (launch === null) throw new Error('a case with a launch');
  return launch;
}

describe('the order of lists', () => {
  const wallets = names(6);
  const draft = {
    trades: [...aBundle({ wallets }), aSell('w1', { slot: LAUNCH_SLOT + 9, lamports: sol(2) })],
    transfers: [
      aTransfer('w2', 'vault', { slot: LAUNCH_SLOT + 5 }),
      aTransfer('w3', 'vault', { slot: LAUNCH_SLOT + 5 }),
    ],
    locks: [aLock('w4'), aLock('w5')],
    wallets: freshFrom('boss', wallets),
  };
  const links = linksFrom('boss', [...wallets, 'creator']);

  it('changes nothing', () => {
    const mintCase = aCase(draft);
    const expected = traditionalBundle.inspect(readingOf(mintCase, links));
    const shuffled = <Item>(items: Iterable<Item>) => {
      const all = [...items];
      return fc.shuffledSubarray(all, { minLength: all.length });
    };
    fc.assert(
      fc.property(
        shuffled(mintCase.trades),
        shuffled(mintCase.transfers),
        shuffled(mintCase.locks),
        shuffled(mintCase.wallets),
        (trades, transfers, locks, entries) => {
          const other = { ...mintCase, trades, transfers, locks, wallets: new Map(entries) };
          expect(traditionalBundle.inspect(readingOf(other, links))).toEqual(expected);
        },
      ),
    );
  });
});
