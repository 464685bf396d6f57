import type { SourceItem } from '../../chain/source.ts';
import type { Engine } from '../../engine/engine.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import type { SourceProblem } from '../../model/errors.ts';
import { OPERATOR, type RuleChange } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Slot } from '../../model/units.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import { factsOfItem } from '../facts-of-item.ts';
import type { HitAuthor } from './read-author.ts';

/** The hit recomputed from blocks. */
export interface RefoldedHit {
  /** Null if the rule does not pass there. */
  readonly hit: RuleHit | null;
  /** The last folded slot; null if there was none. */
  readonly lastSlot: Slot | null;
}

/** Where a hit should be. */
export interface WantedHit {
  readonly mint: string;
  readonly pool: string;
  readonly slot: number;
}

export interface HitRefold {
  readonly source: AsyncIterable<SourceItem>;
  readonly author: HitAuthor;
  readonly wanted: WantedHit;
  /** With `detectorsOf` the author. */
  readonly engine: Pick<Engine, 'apply'>;
  readonly onProblem: (problem: SourceProblem) => void;
}

/** A rule is judged alone, for nobody in particular. */
const AUTHOR = 'verify';

/**
 * The detectors that the engine of a refold needs. That of a hit judges where the hit should be and
 * nowhere else, so that no earlier hit stands in its way; none for a rule.
 */
export function detectorsOf(author: HitAuthor, wanted: WantedHit): readonly InstalledDetector[] {
  if (author.kind === 'rule') return [];
  const { detector } = author;
  return [
    {
      ...detector,
      judge: (reading, text) => {
        const { mint, slot } = reading.mintCase;
        const isWantedCase = mint === wanted.mint && slot === wanted.slot;
        return isWantedCase ? detector.judge(reading, text) : { kind: 'judged', judgements: [] };
      },
    },
  ];
}

/**
 * Folds the blocks of a source up to the slot of a hit and judges its author there. A rule is
 * published in the slot before, without a cool-down, so that no earlier hit stands in its way; one
 * with a sequence is published in the first slot, as its steps may be that early.
 */
export async function refoldHit(refold: HitRefold): Promise<RefoldedHit> {
  const { source, author, wanted, engine, onProblem } = refold;
  const change = author.kind === 'rule' ? withoutCoolDown(author.rule) : null;
  const isWanted = wantedOf(author, wanted);
  const isSequence = author.kind === 'rule' && author.rule.sequence.length > 0;
  const hits: RuleHit[] = [];
  let lastSlot: Slot | null = null;
  let waiting: SlotFacts | null = null;
  let isPublished = false;
  const apply = (facts: SlotFacts, isNow: boolean) => {
    const ruleChanges =
      isNow && change !== null ? [...(facts.ruleChanges ?? []), change] : facts.ruleChanges;
    isPublished ||= isNow;
    lastSlot = facts.slot;
    const changed = ruleChanges === undefined ? facts : { ...facts, ruleChanges };
    hits.push(...engine.apply(changed).ruleHits.filter(isWanted));
  };
  for await (const item of source) {
    if (item.kind === 'problem') onProblem(item.problem);
    const facts = factsOfItem(item);
    if (facts === null) continue;
    if (facts.slot > wanted.slot) break;
    const isNow = facts.slot === wanted.slot || isSequence;
    if (waiting !== null) apply(waiting, isNow && !isPublished);
    waiting = facts;
  }
  if (waiting !== null) apply(waiting, false);
  return { hit: hits[0] ?? null, lastSlot };
}

function wantedOf(author: HitAuthor, wanted: WantedHit): (hit: RuleHit) => boolean {
  const by =
    author.kind === 'rule'
      ? { author: AUTHOR, name: author.rule.file.name }
      : { author: OPERATOR, name: author.detector.name };
  return (hit) =>
    hit.author === by.author &&
    hit.name === by.name &&
    hit.mint === wanted.mint &&
    hit.pool === wanted.pool &&
    hit.slot === wanted.slot;
}

function withoutCoolDown({ file }: CompiledRule): RuleChange {
  const content = canonicalRule({ ...file, cool_down_minutes: 0 });
  return { author: AUTHOR, name: file.name, content };
}
