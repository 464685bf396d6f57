import type { Evidence } from '../../model/fraud.ts';
import { evidenceWeights, type Score, UNKNOWN_FUNDING_CONFIDENCE_MAX } from '../scoring/score.ts';

export type EvidenceDraft = Omit<Evidence, 'weight'>;

/** Texts of a detector, by feature name; called only for features above 0. */
export interface EvidenceTexts {
  /** For features that speak for the pattern. */
  readonly drafts: Readonly<Record<string, () => EvidenceDraft>>;
  /** For features that speak against it: the words after "Reduced by", without a full stop. */
  readonly reductions: Readonly<Record<string, () => string>>;
}

/**
 * One item for each feature that speaks for the pattern, largest weight first. The last item also
 * states what speaks against the pattern and what is unknown.
 */
export function gatherEvidence(score: Score, { drafts, reductions }: EvidenceTexts): Evidence[] {
  const items = [...evidenceWeights(score.features)].map(([name, weight]) => ({
    ...textOf(drafts, name)(),
    weight,
  }));
  items.sort((one, other) => other.weight - one.weight);
  const last = items.at(-1);
  if (last === undefined) return items;
  const remarks = [...reductionsOf(score, reductions), ...unknownsOf(score)];
  return [
    ...items.slice(0, -1),
    { ...last, description: [last.description, ...remarks].join(' ') },
  ];
}

function reductionsOf({ features }: Score, reductions: EvidenceTexts['reductions']): string[] {
  return features
    .filter(({ weight, value }) => weight < 0 && value > 0)
    .map(({ name }) => `Reduced by ${textOf(reductions, name)()}.`);
}

function unknownsOf({ isFundingKnown }: Score): string[] {
  if (isFundingKnown) return [];
  return [`Funding data unavailable: confidence is at most ${UNKNOWN_FUNDING_CONFIDENCE_MAX}.`];
}

function textOf<Text>(texts: Readonly<Record<string, () => Text>>, name: string): () => Text {
  const text = texts[name];
  if (text === undefined) throw new Error(`no evidence text for feature ${name}`);
  return text;
}
