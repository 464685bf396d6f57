import type { Engine } from '../../src/engine/engine.ts';
import type { IndicatorRecord } from '../../src/model/indicators.ts';
import { BURN_ADDRESSES } from '../../src/model/known-owners.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import type { NaiveSlot, NaiveWallets } from './naive-wallets.ts';

/** Tolerance for figures that were rounded to two decimals. */
const HUNDREDTH = 0.005_001;
/** Tolerance for ratios, which have four decimals. */
const TEN_THOUSANDTH = 0.000_050_001;

/** Applies a slot to the engine and to the oracle. */
export function foldBoth(engine: Engine, naive: NaiveWallets, facts: SlotFacts): NaiveSlot {
  const changes = engine.apply(facts);
  const slot = { facts, changes, solUsd: engine.solUsd };
  naive.add(slot);
  return slot;
}

/** Every figure of the pools that differs from the recount, in words. */
export function figureDifferences(
  engine: Engine,
  naive: NaiveWallets,
  pools: Iterable<Address>,
): string[] {
  const differences: string[] = [];
  for (const pool of pools) {
    const found = engine.indicators(pool);
    const record = engine.pool(pool);
    if (found === null || record === null) {
      differences.push(`${pool} is not known`);
      continue;
    }
    const holders = holdersOf(engine, record.baseMint);
    const expected = naive.read(pool, new Map([[record.baseMint, holders]]));
    const isUsdKnown = naive.isUsdKnown(pool);
    const check = new Check(`${pool} at ${found.slot}`, differences);
    // Holders have a separate oracle.
    compareCounts(check, found, expected, engine.holderCount(record.baseMint));
    compareDollars(check, found, expected, isUsdKnown);
    const traded = naive.tradedIn(pool);
    check.same('tradedOrganicUsd', found.tradedOrganicUsd, isUsdKnown ? traded.organicUsd : null);
    const tradedAhead = isUsdKnown ? traded.profitableUsd : null;
    check.same('tradedProfitableUsd', found.tradedProfitableUsd, tradedAhead);
    compareSkill(check, found, expected, isUsdKnown);
    check.same('priceUsd', found.priceUsd, record.priceUsd);
    check.same('createdAtMs', found.createdAtMs, naive.nowMs);
    check.identities(found);
  }
  return differences;
}

type Expected = ReturnType<NaiveWallets['read']>;

function compareCounts(
  check: Check,
  found: IndicatorRecord,
  expected: Expected,
  holders: number,
): void {
  const { wallets, organic, profitable, meanHoldS, meanFrequencyS } = expected;
  check.same('totalWallets', found.totalWallets, wallets);
  check.same('organicWallets', found.organicWallets, organic);
  check.share('organicToTotalWalletsRatio', found.organicToTotalWalletsRatio, organic, wallets);
  check.same(
    'organicProfitableWallets',
    found.organicProfitableWallets,
    profitable?.organic ?? null,
  );
  check.share(
    'profitableOrganicToTotalOrganicRatio',
    found.profitableOrganicToTotalOrganicRatio,
    profitable?.organic ?? null,
    organic,
  );
  check.close('organicMeanHoldSeconds', found.organicMeanHoldSeconds, meanHoldS, HUNDREDTH);
  check.close(
    'organicMeanTradeFrequencySeconds',
    found.organicMeanTradeFrequencySeconds,
    meanFrequencyS,
    HUNDREDTH,
  );
  check.same('rawHolders', found.rawHolders, holders);
  check.same('smartHolders', found.smartHolders, expected.smartHolders);
  const { smartHolders } = expected;
  check.share('smartToRawHoldersRatio', found.smartToRawHoldersRatio, smartHolders, holders);
}

function compareDollars(
  check: Check,
  found: IndicatorRecord,
  { totalUsd, organicUsd, profitable }: Expected,
  isUsdKnown: boolean,
): void {
  const known = <T>(value: T) => (isUsdKnown ? value : null);
  const profitableUsd = known(profitable?.volumeUsd ?? null);
  check.same('totalVolumeUsd', found.totalVolumeUsd, known(totalUsd));
  check.same('organicVolumeUsd', found.organicVolumeUsd, known(organicUsd));
  check.same('profitableVolume', found.profitableVolume, profitableUsd);
  const [total, organic] = [Number(totalUsd), Number(organicUsd)];
  check.share('organicVolumeRatio', found.organicVolumeRatio, known(organic), total);
  check.share(
    'profitableVolumeTotalVolumeRatio',
    found.profitableVolumeTotalVolumeRatio,
    profitableUsd === null ? null : Number(profitableUsd),
    total,
  );
}

function compareSkill(
  check: Check,
  found: IndicatorRecord,
  { flows, rawScore }: Expected,
  isUsdKnown: boolean,
): void {
  const known = <T>(value: T) => (isUsdKnown ? value : null);
  check.close('rawSmartMoneyScore', found.rawSmartMoneyScore, rawScore, HUNDREDTH);
  const score = 100 - 100 * Math.exp(-rawScore / 8);
  check.close('smartMoneyScore', found.smartMoneyScore, score, HUNDREDTH);
  check.same('rawSmartMoneyInflux', found.rawSmartMoneyInflux, known(flows.influx.raw));
  check.same('rawSmartMoneyOutflux', found.rawSmartMoneyOutflux, known(flows.outflux.raw));
  // Weights have six decimals.
  const { influx, outflux } = flows;
  const weighted = [
    ['smartMoneyInflux10min', found.smartMoneyInflux10min, influx],
    ['smartMoneyOutflux10min', found.smartMoneyOutflux10min, outflux],
  ] as const;
  for (const [name, value, flow] of weighted) {
    const tolerance = 2 + Number(flow.raw) * 1e-6;
    check.close(name, value === null ? null : Number(value), known(flow.weighted), tolerance);
  }
}

/** Class, positions, funder and skill of every wallet that differ from the recount. */
export function walletDifferences(engine: Engine, naive: NaiveWallets): string[] {
  const differences: string[] = [];
  const isHeldBy = Map.groupBy(naive.ledger.positions, ({ wallet }) => wallet);
  for (const wallet of new Set([...naive.profiles.keys(), ...isHeldBy.keys()])) {
    const check = new Check(wallet, differences);
    const found = engine.wallet(wallet);
    const profile = naive.profiles.get(wallet);
    const verdict = naive.verdict(wallet);
    check.same('class', found?.automation?.class, classOf(profile?.isBot));
    check.same('rule', found?.automation?.rule, verdict?.rule);
    check.close('score', found?.automation?.score ?? null, verdict?.score ?? null, 1e-9);
    check.same('trades', found?.automation?.trades, profile?.trades.length);
    check.same('sinceSlot', found?.automation?.sinceSlot, profile?.since.slot);
    const first = naive.funding.firstOf(wallet);
    check.same('funder', found?.firstFunding?.funder, first?.funder);
    check.same('funded with', found?.firstFunding?.lamports, first?.lamports);
    check.same('funded at', found?.firstFunding?.slot, first?.slot);
    check.same('isSmart', found?.skill?.isSmart ?? false, naive.skill.isSmart(wallet));
    if (naive.skill.hasEpisode(wallet)) {
      check.close('skill', found?.skill?.score ?? null, naive.skill.score(wallet), 1e-6);
      check.same('excluded', found?.skill?.excludedEpisodes, naive.skill.excludedCount(wallet));
    }
    const positions = (isHeldBy.get(wallet) ?? []).toReversed();
    check.same('positions', found?.positionCount ?? 0, positions.length);
    for (const [index, position] of positions.slice(0, 200).entries()) {
      const published = found?.positions[index];
      check.same(
        `position ${index}`,
        `${published?.mint} ${published?.heldRaw} ${published?.unknownBasisRaw} ${published?.costUsd} ${published?.realisedUsd} ${published?.buys} ${published?.sells} ${published?.firstBuyMs} ${published?.lastTradeMs}`,
        `${position.mint} ${position.held} ${position.unknown} ${position.cost} ${position.realised} ${position.buys} ${position.sells} ${position.firstBuyMs} ${position.lastTradeMs}`,
      );
    }
  }
  return differences;
}

/** Owners of a mint with a counted balance, without infrastructure (METHODS §1). */
function holdersOf(engine: Engine, mint: Address): Address[] {
  const supplyRaw = engine.token(mint)?.supplyRaw ?? 0n;
  const share = supplyRaw / 1_000_000_000n;
  const isWhole = share * 1_000_000_000n === supplyRaw;
  const least = share < 1n ? 1n : isWhole ? share : share + 1n;
  return engine
    .topHolders(mint, Number.MAX_SAFE_INTEGER)
    .filter(({ owner, isPool }) => !isPool && !BURN_ADDRESSES.has(owner))
    .filter(({ balanceRaw }) => balanceRaw >= least)
    .map(({ owner }) => owner);
}

function classOf(isBot: boolean | undefined): string | undefined {
  if (isBot === undefined) return undefined;
  return isBot ? 'bot' : 'organic';
}

class Check {
  private readonly subject: string;
  private readonly differences: string[];

  constructor(subject: string, differences: string[]) {
    this.subject = subject;
    this.differences = differences;
  }

  same(field: string, found: unknown, expected: unknown): void {
    if (found === expected) return;
    this.differences.push(`${this.subject}: ${field} is ${found}, not ${expected}`);
  }

  close(field: string, found: number | null, expected: number | null, tolerance: number): void {
    if (found === null || expected === null) this.same(field, found, expected);
    else if (!(Math.abs(found - expected) <= tolerance)) this.same(field, found, expected);
  }

  share(field: string, found: number | null, part: number | null, whole: number): void {
    const expected = part === null ? null : whole === 0 ? 0 : part / whole;
    this.close(field, found, expected, TEN_THOUSANDTH);
  }

  private flows(found: IndicatorRecord): void {
    const { rawSmartMoneyInflux: rawIn, smartMoneyInflux10min: weightedIn } = found;
    const { rawSmartMoneyOutflux: rawOut, smartMoneyOutflux10min: weightedOut } = found;
    this.same('raw influx is the greater', (rawIn ?? 0n) >= (weightedIn ?? 0n), true);
    this.same('raw outflux is the greater', (rawOut ?? 0n) >= (weightedOut ?? 0n), true);
  }

  /** Relations between the figures that always hold. */
  identities(found: IndicatorRecord): void {
    const { totalWallets, organicWallets, totalVolumeUsd, organicVolumeUsd } = found;
    const wallets = found.organicToTotalWalletsRatio + found.botToTotalWalletsRatio;
    this.close('ratios of wallets', wallets, totalWallets === 0 ? 0 : 1, 1e-12);
    if (organicWallets > totalWallets) this.same('organic wallets', organicWallets, totalWallets);
    if (totalVolumeUsd !== null && organicVolumeUsd !== null) {
      const volumes = (found.organicVolumeRatio ?? 0) + (found.botVolumeRatio ?? 0);
      this.close('ratios of volume', volumes, totalVolumeUsd === 0n ? 0 : 1, 1e-12);
      const isWithin = organicVolumeUsd >= 0n && organicVolumeUsd <= totalVolumeUsd;
      this.same('organic volume is part of all', isWithin, true);
    }
    this.flows(found);
    const { organicProfitableWallets: ahead, profitableVolume } = found;
    this.same('those ahead are organic', (ahead ?? 0) <= organicWallets, true);
    if (totalVolumeUsd === null || profitableVolume === null) return;
    this.same('profitable volume is part of all', profitableVolume <= totalVolumeUsd, true);
  }
}

/**
 * Wallets whose position in a mint (known and unknown basis) differs from their balance. For a mint
 * whose pool exists since its first slot, every unit came from an observed trade or transfer; for
 * others, some may be older than the history.
 */
export function balanceDifferences(
  engine: Engine,
  naive: NaiveWallets,
  pools: Iterable<Address>,
): { readonly compared: number; readonly differences: string[] } {
  const differences: string[] = [];
  const firstSlots = firstPoolSlots(engine, pools);
  let compared = 0;
  for (const [mint, positions] of Map.groupBy(naive.ledger.positions, (each) => each.mint)) {
    const creationSlot = engine.token(mint)?.creationSlot ?? null;
    if (creationSlot === null) continue;
    const balances = new Map(
      engine
        .topHolders(mint, Number.MAX_SAFE_INTEGER)
        .map(({ owner, balanceRaw }) => [owner, balanceRaw] as const),
    );
    const isWhole = firstSlots.get(mint) === creationSlot;
    for (const { wallet } of positions) {
      const positionRaw = heldOf(engine, wallet, mint);
      const balanceRaw = balances.get(wallet) ?? 0n;
      const check = new Check(`${wallet} of ${mint}`, differences);
      // A holding below a billionth of the supply is in no list of holders.
      if (balanceRaw === 0n) check.same('dust', positionRaw < 1_000_000_000n, true);
      else if (!isWhole) check.same('position is part', positionRaw <= balanceRaw, true);
      else {
        check.same('position', positionRaw, balanceRaw);
        compared++;
      }
    }
  }
  return { compared, differences };
}

function heldOf(engine: Engine, wallet: Address, mint: Address): bigint {
  const published = engine.wallet(wallet)?.positions.find((position) => position.mint === mint);
  return published === undefined ? 0n : published.heldRaw + published.unknownBasisRaw;
}

/** The slot of each mint's first pool; infinite when its creation was not observed. */
function firstPoolSlots(engine: Engine, pools: Iterable<Address>): Map<Address, number> {
  const slots = new Map<Address, number>();
  for (const address of pools) {
    const pool = engine.pool(address);
    if (pool === null) continue;
    const slot = pool.createdSlot ?? Number.POSITIVE_INFINITY;
    slots.set(pool.baseMint, Math.min(slot, slots.get(pool.baseMint) ?? slot));
  }
  return slots;
}
