import type { Address } from '../../src/model/units.ts';
import type { NaiveEpisode } from './naive-positions.ts';

const DAY_MS = 86_400_000;

/** Which wallets are smart (METHODS §2.6), each score from the list of all its episodes. */
export class NaiveSkill {
  private readonly episodes = new Map<Address, NaiveEpisode[]>();
  private readonly smart = new Set<Address>();
  private readonly bots = new Set<Address>();
  private expiredMs = 0;

  add(episode: NaiveEpisode): void {
    const all = [...(this.episodes.get(episode.wallet) ?? []), episode];
    this.episodes.set(episode.wallet, all);
    if (episode.isCounted) this.judge(episode.wallet);
  }

  setBot(wallet: Address, isBot: boolean): void {
    if (isBot) this.bots.add(wallet);
    else this.bots.delete(wallet);
    this.judge(wallet);
  }

  /** Once an hour: wallets without an episode for 30 days are no longer smart. */
  expire(nowMs: number): void {
    if (nowMs < this.expiredMs + 3_600_000) return;
    this.expiredMs = nowMs;
    for (const wallet of this.smart) {
      if (nowMs - this.lastMs(wallet) > 30 * DAY_MS) this.smart.delete(wallet);
    }
  }

  /** 0 to 100; null for a wallet that is not smart. */
  scoreAt(wallet: Address, nowMs: number): number | null {
    if (!this.smart.has(wallet) || nowMs - this.lastMs(wallet) > 30 * DAY_MS) return null;
    return this.figures(wallet).score;
  }

  isSmart(wallet: Address): boolean {
    return this.smart.has(wallet);
  }

  excludedCount(wallet: Address): number {
    return (this.episodes.get(wallet) ?? []).filter(({ isCounted }) => !isCounted).length;
  }

  hasEpisode(wallet: Address): boolean {
    return this.episodes.has(wallet);
  }

  figures(wallet: Address): { readonly count: number; readonly score: number } {
    const lastMs = this.lastMs(wallet);
    let [count, wins, returns, profit, top] = [0, 0, 0, 0, 0];
    for (const { costUsd, backUsd, closedMs } of this.counted(wallet)) {
      const weight = 2 ** (-(lastMs - closedMs) / (30 * DAY_MS));
      const ratio = Number(backUsd) / Number(costUsd);
      const gain = Math.min(3, Math.max(-3, Math.log(ratio)));
      const profitUsd = Number(backUsd - costUsd) / 1e9;
      count += weight;
      wins += ratio > 1.02 ? weight : 0;
      returns += weight * gain;
      profit += weight * profitUsd;
      top = Math.max(top, weight * profitUsd);
    }
    const [won, lost] = [3 + wins, 7 + count - wins];
    const all = won + lost;
    const bound = won / all - 1.2816 * Math.sqrt((won * lost) / (all ** 2 * (all + 1)));
    const parts =
      0.45 * clamp((bound - 0.3) / 0.4) +
      0.35 * clamp(returns / (count + 10) / 0.5) +
      0.2 * clamp(Math.log10(Math.max(profit, 1) / 1_000) / 2);
    const penalty = 1 - clamp((top / Math.max(profit, 1) - 0.5) / 0.4);
    return { count, score: 100 * parts * penalty };
  }

  private judge(wallet: Address): void {
    const { count, score } = this.figures(wallet);
    const isNow = this.smart.has(wallet)
      ? score >= 40
      : // Ten full weights are ten, regardless of their binary sum.
        count >= 10 && score >= 50;
    if (isNow && !this.bots.has(wallet)) this.smart.add(wallet);
    else this.smart.delete(wallet);
  }

  private counted(wallet: Address): NaiveEpisode[] {
    return (this.episodes.get(wallet) ?? []).filter(({ isCounted }) => isCounted);
  }

  private lastMs(wallet: Address): number {
    return this.counted(wallet).at(-1)?.closedMs ?? 0;
  }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
