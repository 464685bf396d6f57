import type { Address } from '../../src/model/units.ts';
import type { NaiveEpisode } from './naive-positions.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface ComparedEpisode extends NaiveEpisode {
  readonly gain: number;
  /** The expected gain of its cell, and with the hour's correction. */
  readonly ofCell: number;
  readonly expected: number;
}

/** Which wallets are smart (METHODS §13.2), each score from the lists of all episodes. */
export class NaiveSkill {
  private readonly episodes = new Map<Address, ComparedEpisode[]>();
  private readonly excluded = new Map<Address, number>();
  /** Episodes of those who were no bots at the time. */
  private readonly entries: ComparedEpisode[] = [];
  private readonly scores = new Map<Address, number>();
  private readonly smart = new Set<Address>();
  private readonly bots = new Set<Address>();
  private expiredMs = 0;

  /** Adds the episodes that ended in a slot. */
  addSlot(ended: readonly NaiveEpisode[]): void {
    const compared = ended
      .filter(({ isCounted }) => isCounted)
      .map((episode) => this.compare(episode));
    for (const { wallet } of ended.filter(({ isCounted }) => !isCounted)) {
      this.excluded.set(wallet, this.excludedCount(wallet) + 1);
    }
    for (const episode of compared) {
      const { wallet } = episode;
      this.episodes.set(wallet, [...this.counted(wallet), episode]);
      if (!this.bots.has(wallet)) this.entries.push(episode);
    }
    for (const wallet of new Set(compared.map((episode) => episode.wallet))) this.judge(wallet);
  }

  setBot(wallet: Address, isBot: boolean): void {
    if (isBot) this.bots.add(wallet);
    else this.bots.delete(wallet);
    if (this.counted(wallet).length > 0) this.judge(wallet);
  }

  /** Once an hour: wallets without an episode for 30 days are no longer smart. */
  expire(nowMs: number): void {
    if (nowMs < this.expiredMs + HOUR_MS) return;
    this.expiredMs = nowMs;
    for (const wallet of this.smart) {
      if (nowMs - this.lastMs(wallet) > 30 * DAY_MS) this.smart.delete(wallet);
    }
  }

  /** 0 to 100; null for a wallet that is not smart. */
  scoreAt(wallet: Address, nowMs: number): number | null {
    if (!this.smart.has(wallet) || nowMs - this.lastMs(wallet) > 30 * DAY_MS) return null;
    return this.score(wallet);
  }

  isSmart(wallet: Address): boolean {
    return this.smart.has(wallet);
  }

  excludedCount(wallet: Address): number {
    return this.excluded.get(wallet) ?? 0;
  }

  hasEpisode(wallet: Address): boolean {
    return this.excluded.has(wallet) || this.episodes.has(wallet);
  }

  /** 0 to 100, as of the last judgement; 0 without one. */
  score(wallet: Address): number {
    return this.scores.get(wallet) ?? 0;
  }

  private compare(episode: NaiveEpisode): ComparedEpisode {
    const ratio = Number(episode.backUsd) / Number(episode.costUsd);
    const gain = Math.min(3, Math.max(-3, Math.log(ratio)));
    const overall = agedMean(this.entries, 0);
    const ofCell = agedMean(
      this.entries.filter(({ entryCell }) => entryCell === episode.entryCell),
      overall,
    );
    const hour = Math.floor(episode.startMs / HOUR_MS);
    const same = this.entries.filter(({ startMs }) => Math.floor(startMs / HOUR_MS) === hour);
    const mints = mintsOf(same);
    const deviation = mean(same.map((other) => other.gain - other.ofCell));
    return { ...episode, gain, ofCell, expected: ofCell + (deviation * mints) / (mints + 20) };
  }

  private judge(wallet: Address): void {
    const own = meritOf(this.counted(wallet));
    const peers = [...this.episodes]
      .filter(([other]) => !this.bots.has(other))
      .map(([, episodes]) => meritOf(episodes))
      .filter(({ count }) => groupOf(count) === groupOf(own.count));
    const place = placeOf(own.merit);
    const bin = Math.floor(place);
    const below = peers.filter(({ merit }) => Math.floor(placeOf(merit)) < bin).length;
    const beside = peers.filter(({ merit }) => Math.floor(placeOf(merit)) === bin).length;
    const prior = 20 / (1 + Math.exp(-10 * own.merit));
    const score = (100 * (below + beside * (place - bin) + prior)) / (peers.length + 20);
    this.scores.set(wallet, score);
    const isGood = this.smart.has(wallet)
      ? score >= 80 && own.factor > 0
      : own.count >= 10 && score >= 90 && own.factor >= Math.LN2;
    if (isGood && !this.bots.has(wallet)) this.smart.add(wallet);
    else this.smart.delete(wallet);
  }

  private counted(wallet: Address): ComparedEpisode[] {
    return this.episodes.get(wallet) ?? [];
  }

  private lastMs(wallet: Address): number {
    return this.counted(wallet).at(-1)?.closedMs ?? 0;
  }
}

function meritOf(episodes: readonly ComparedEpisode[]) {
  const lastMs = episodes.at(-1)?.closedMs ?? 0;
  const weighted = episodes.map((episode) => ({
    weight: 2 ** (-(lastMs - episode.closedMs) / (30 * DAY_MS)),
    excess: episode.gain - episode.expected,
    profit: Number(episode.backUsd - episode.costUsd) / 1e9,
  }));
  const best = weighted.reduce((one, other) =>
    other.weight * other.excess > one.weight * one.excess ? other : one,
  );
  const all = boundOf(weighted);
  const rest = boundOf(weighted.filter((one) => one !== best));
  const count = sum(weighted.map(({ weight }) => weight));
  const gains = sum(weighted.map(({ weight, profit }) => weight * Math.max(0, profit)));
  const losses = sum(weighted.map(({ weight, profit }) => weight * Math.max(0, -profit)));
  const prior = (5 * (gains + losses)) / count;
  const factor = prior === 0 ? 0 : Math.log((gains + prior) / (losses + prior));
  return {
    count,
    merit: all / 4 + rest / 4 + factor / 2,
    factor,
  };
}

function boundOf(
  weighted: readonly { readonly weight: number; readonly excess: number }[],
): number {
  const count = 10 + sum(weighted.map(({ weight }) => weight));
  const mean = sum(weighted.map(({ weight, excess }) => weight * excess)) / count;
  // Ten prior episodes at 0 with deviation 1, and those seen, about the common mean.
  const squares =
    10 * (1 + mean ** 2) + sum(weighted.map(({ weight, excess }) => weight * (excess - mean) ** 2));
  return mean - 1.2816 * Math.sqrt(squares / count / count);
}

/** Mean gain, with 20 episodes of the prior; an episode counts half 30 days before the last. */
function agedMean(episodes: readonly ComparedEpisode[], prior: number): number {
  const lastMs = Math.max(...episodes.map(({ closedMs }) => closedMs));
  const weights = episodes.map(({ closedMs }) => 2 ** (-(lastMs - closedMs) / (30 * DAY_MS)));
  const gains = episodes.map(({ gain }, at) => gain * (weights[at] ?? 0));
  return (sum(gains) + 20 * prior) / (sum(weights) + 20);
}

/** The number of mints, estimated from which of 64 bits they set. */
function mintsOf(episodes: readonly NaiveEpisode[]): number {
  const bits = new Set(episodes.map(({ mint }) => bitOf(mint)));
  return 64 * Math.log(64 / Math.max(1, 64 - bits.size));
}

/** FNV-1a of 32 bits, its halves combined, modulo 64. */
function bitOf(mint: Address): bigint {
  let hash = 2_166_136_261n;
  for (const character of mint) {
    hash = ((hash ^ BigInt(character.charCodeAt(0))) * 16_777_619n) % 2n ** 32n;
  }
  return (hash ^ (hash / 65_536n)) % 64n;
}

/** 64 bins for each whole merit, from -2 to 2. */
function placeOf(merit: number): number {
  return Math.min(256 - 1e-6, Math.max(0, (merit + 2) * 64));
}

function groupOf(count: number): number {
  return [2, 5, 10, 20, 40, 80, 160].filter((from) => count >= from).length;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
