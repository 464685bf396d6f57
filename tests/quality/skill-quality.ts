import { share } from './class-quality.ts';
import type { JudgedWallet } from './wallet-market.ts';

export interface SkillQuality {
  /** Wallets with a planted edge that traded, wallets called smart, and wallets that are both. */
  readonly planted: number;
  readonly called: number;
  readonly found: number;
  readonly precision: number | null;
  readonly recall: number | null;
}

/** Statistics of the score within one kind of people or programs. */
export interface SkillRow {
  readonly behaviour: string;
  readonly wallets: number;
  readonly calledSmart: number;
  /** Means over those with ended episodes; null where there are none. */
  readonly score: number | null;
  readonly episodes: number | null;
  /** Share of all their episodes that were won. */
  readonly winRate: number | null;
  readonly skillMean: number | null;
}

export function skillQuality(wallets: readonly JudgedWallet[]): SkillQuality {
  const planted = wallets.filter(({ truth }) => truth.isSmart).length;
  const called = wallets.filter(({ skill }) => skill?.isSmart === true);
  const found = called.filter(({ truth }) => truth.isSmart).length;
  return {
    planted,
    called: called.length,
    found,
    precision: share(found, called.length),
    recall: share(found, planted),
  };
}

/** Best score first. */
export function skillByBehaviour(wallets: readonly JudgedWallet[]): SkillRow[] {
  const groups = Map.groupBy(wallets, ({ truth }) => truth.behaviour);
  const rows = [...groups].map(([behaviour, members]): SkillRow => {
    const skills = members.flatMap(({ skill }) => (skill === null ? [] : [skill]));
    const sum = (partOf: (skill: (typeof skills)[number]) => number): number =>
      skills.reduce((total, skill) => total + partOf(skill), 0);
    return {
      behaviour,
      wallets: members.length,
      calledSmart: skills.filter(({ isSmart }) => isSmart).length,
      score: share(
        sum(({ score }) => score),
        skills.length,
      ),
      episodes: share(
        sum(({ episodes }) => episodes),
        skills.length,
      ),
      winRate: share(
        sum(({ wins }) => wins),
        sum(({ episodes }) => episodes),
      ),
      skillMean: share(
        sum(({ skillMean }) => skillMean),
        skills.length,
      ),
    };
  });
  return rows.sort((one, other) => (other.score ?? -1) - (one.score ?? -1));
}
