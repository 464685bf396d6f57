import type { FeatureRule } from '../../../fraud/scoring/score.ts';
import type { Finding, FraudType, InvolvedWallet } from '../../../model/fraud.ts';
import { USD_NANO_SCALE } from '../../../model/units.ts';
import { type Feature, featuresOf } from '../feature.ts';
import { sol } from './case-features.ts';
import type { JudgedCase } from './judged-case.ts';
import { type Figure, PATTERN_FIGURES, type PatternFigures } from './pattern-figures.ts';

const { amount, count, number, share } = featuresOf<JudgedCase>();

const SINCE = { since: 2 } as const;
/** A figure is found by its name among those of the group. */
const FOUND = { since: 2, cost: 2 } as const;

/**
 * Of the strongest group that passes the gates of a built-in detector; unknown without one, but for
 * the number of groups. The figures are those that findings of the type publish as measured.
 */
export const PATTERN_FEATURES: readonly Feature<JudgedCase>[] =
  PATTERN_FIGURES.flatMap(patternFeatures);

/** The type that a feature of a case is about; null for those of the whole case. */
export function patternOfFeature(name: string): FraudType | null {
  const group = name.slice(0, name.indexOf('.'));
  const found = PATTERN_FIGURES.find(({ table }) => table.fraudType === group);
  return found?.table.fraudType ?? null;
}

/** The name of a feature for a figure of a finding: `quickProfit` is `quick_profit`. */
export function figureFeature(type: FraudType, figure: string): string {
  return `${type}.${figure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

function patternFeatures({ table, figures }: PatternFigures): Feature<JudgedCase>[] {
  const type = table.fraudType;
  return [
    ...groupFeatures(type),
    ...Object.entries(figures).map(([name, figure]) =>
      number(figure.unit)(
        figureFeature(type, name),
        describe(figure, table.rules[name]),
        measured(type, name),
        { range: figure.range, ...FOUND },
      ),
    ),
  ];
}

function measured(type: FraudType, figure: string) {
  return ({ groupsOf }: JudgedCase): number | null =>
    groupsOf(type)[0]?.features.find(({ name }) => name === figure)?.measured ?? null;
}

/** With the ramp and the weight that the detector gives it, which cannot differ from its table. */
function describe({ meaning }: Figure, rule: FeatureRule | undefined): string {
  if (rule === undefined) return meaning;
  const { ramp, weight } = rule;
  const counted = ramp === null ? '' : `ramp ${ramp[0]} to ${ramp[1]}, `;
  return `${meaning} The detector: ${counted}weight ${weight}.`;
}

function groupFeatures(type: FraudType): Feature<JudgedCase>[] {
  type Read<Value> = (group: Finding, judged: JudgedCase) => Value | null;
  const name = (figure: string) => `${type}.${figure}`;
  const ofStrongest =
    (read: Read<number>) =>
    (judged: JudgedCase): number | null => {
      const [group] = judged.groupsOf(type);
      return group === undefined ? null : read(group, judged);
    };
  return [
    count(
      name('groups'),
      `Groups that pass the gates of the detector ${type}.`,
      ({ groupsOf }) => groupsOf(type).length,
      SINCE,
    ),
    share(
      name('confidence'),
      'Confidence of the detector in the strongest of them.',
      ofStrongest(({ confidence }) => confidence),
      SINCE,
    ),
    count(
      name('members'),
      'Wallets involved in it, in any role.',
      ofStrongest(({ wallets }) => wallets.length),
      SINCE,
    ),
    amount('SOL')(
      name('spent_sol'),
      'Paid by these wallets in trades of the token.',
      ofStrongest(({ wallets }) => sumSol(wallets, ({ spentLamports }) => spentLamports)),
      FOUND,
    ),
    amount('SOL')(
      name('received_sol'),
      'Received by these wallets in trades of the token.',
      ofStrongest(({ wallets }) => sumSol(wallets, ({ receivedLamports }) => receivedLamports)),
      FOUND,
    ),
    amount('USD')(
      name('value_at_risk_usd'),
      'What others can lose by it; unknown without a price.',
      ofStrongest(({ valueAtRiskUsd }) =>
        valueAtRiskUsd === null ? null : Number(valueAtRiskUsd) / 10 ** USD_NANO_SCALE,
      ),
      SINCE,
    ),
    amount('slots')(
      name('age_slots'),
      'Since the first slot of the pattern.',
      ofStrongest(({ patternStartSlot }, { mintCase }) => mintCase.slot - patternStartSlot),
      SINCE,
    ),
  ];
}

function sumSol(
  wallets: readonly InvolvedWallet[],
  read: (wallet: InvolvedWallet) => bigint,
): number {
  return sol(wallets.reduce((sum, wallet) => sum + read(wallet), 0n));
}
