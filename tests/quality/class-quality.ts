import type { JudgedWallet } from './wallet-market.ts';

/** How often a class is right. Shares are null when there are no wallets. */
export interface ClassQuality {
  readonly wallets: number;
  readonly accuracy: number | null;
  /** The accuracy of calling every wallet organic. */
  readonly organicShare: number | null;
  /** Share of the programs that are called bots, and of those called bots that are programs. */
  readonly botRecall: number | null;
  readonly botPrecision: number | null;
}

/** One kind of people or programs, and how it was classified. */
export interface BehaviourRow {
  readonly behaviour: string;
  readonly truth: 'organic' | 'bot';
  readonly calledOrganic: number;
  readonly calledBot: number;
}

export function classQuality(wallets: readonly JudgedWallet[]): ClassQuality {
  const programs = wallets.filter(({ truth }) => truth.automation === 'bot');
  const called = wallets.filter(({ isBot }) => isBot);
  const found = programs.filter(({ isBot }) => isBot).length;
  const right = wallets.filter(({ truth, isBot }) => (truth.automation === 'bot') === isBot);
  return {
    wallets: wallets.length,
    accuracy: share(right.length, wallets.length),
    organicShare: share(wallets.length - programs.length, wallets.length),
    botRecall: share(found, programs.length),
    botPrecision: share(found, called.length),
  };
}

/** Programs first, then by name. */
export function byBehaviour(wallets: readonly JudgedWallet[]): BehaviourRow[] {
  const rows = new Map<string, { -readonly [Name in keyof BehaviourRow]: BehaviourRow[Name] }>();
  for (const { truth, isBot } of wallets) {
    const { behaviour, automation } = truth;
    const row = rows.get(behaviour) ?? {
      behaviour,
      truth: automation,
      calledOrganic: 0,
      calledBot: 0,
    };
    rows.set(behaviour, row);
    if (isBot) row.calledBot++;
    else row.calledOrganic++;
  }
  return [...rows.values()].sort(
    (one, other) => compare(one.truth, other.truth) || compare(one.behaviour, other.behaviour),
  );
}

export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
