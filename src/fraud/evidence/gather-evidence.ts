import type { Evidence } from '../../model/fraud.ts';
import { evidenceWeights, type Score, UNKNOWN_FUNDING_CONFIDENCE_MAX } from '../scoring/score.ts';

export type EvidenceDraft = Omit<Evidence, 'weight'>;

/** How a detector tells its features, by the feature's name; asked only for features above 0. */
export interface EvidenceTexts {
  /** For whatever speaks for the pattern. */
  readonly drafts: Readonly<Record<string, () => EvidenceDraft>>;
  /** For whatever speaks against it: what follows "Reduced by", without a full stop. */
  readonly reductions: Readonly<Record<string, () => string>>;
}

/**
 * One item for every feature that speaks for the pattern, heaviest first. The last one says as well
 * what spoke against it, and what is not known.
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
  if (text === undefined) throw new Error(`a detector does not tell its feature ${name}`);
  return text;
}
