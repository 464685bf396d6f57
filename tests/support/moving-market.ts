import fc from 'fast-check';
import { Engine } from '../../src/engine/engine.ts';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import type { SlotChanges } from '../../src/model/derived.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type Address, asSlot, type Slot } from '../../src/model/units.ts';
import { arbitrarySlots } from './arbitrary-slots.ts';
import { buildClassification, buildFinding, classificationId } from './build-classification.ts';
import { buildToken } from './build-records.ts';
import { address } from './build-transaction.ts';
import { fallbackSolUsd } from './master-fixture.ts';

/** The creator of the tokens that are added to a market. */
export const CREATOR: Address = address('creator of many');

/** A version of one of a few findings. */
const finding = fc.record({
  number: fc.integer({ min: 1, max: 9 }),
  detectionSlot: fc.constantFrom(90, 91, 92),
  confidence: fc.constantFrom(0.6, 0.8, 0.95, 0.95),
});

/** What happens between two reads. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      launches: fc.nat(2),
      findings: fc.uniqueArray(finding, { selector: ({ number }) => number, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('write' as const, 'fork' as const),
      slots: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

export type MarketStep = typeof step extends fc.Arbitrary<infer One> ? One : never;
type SlotStep = Extract<MarketStep, { readonly kind: 'slot' }>;

export const arbitraryMarketSteps = (lengths: {
  readonly minLength: number;
  readonly maxLength: number;
}): fc.Arbitrary<MarketStep[]> => fc.array(step, lengths);

/** The slots that a market applies, one after the other; enough for some hundred steps. */
export const arbitraryMarketSlots = arbitrarySlots({ minLength: 90, maxLength: 90 });

/** What a read sees: the state of now, what is not written, and what the store answers later. */
export interface MarketView {
  readonly engine: Engine;
  readonly unwritten: UnwrittenRows;
  readonly stored: () => readonly SlotChanges[];
}

/**
 * A market of few tokens and wallets whose slots are applied to an engine, written to a store and
 * reverted. Tokens and findings are added to those of the engine, which are few.
 */
export class MovingMarket {
  private readonly engine = new Engine({ fallbackSolUsd });
  private readonly coming: SlotFacts[];
  private readonly slots: { readonly changes: SlotChanges }[] = [];
  private written = 0;

  constructor(coming: readonly SlotFacts[]) {
    this.coming = [...coming];
  }

  apply(one: MarketStep): void {
    if (one.kind === 'slot') this.add(one);
    else if (one.kind === 'write') this.write(one.slots);
    else this.fork(one.slots);
  }

  view(): MarketView {
    const slots = this.slots.slice(this.written);
    return {
      engine: this.engine,
      unwritten: new UnwrittenRows(() => slots),
      stored: () => this.stored(),
    };
  }

  /** The same, but another slot is written before the store answers. */
  viewWhileWriting(): MarketView {
    const stored = () => {
      this.write(1);
      return this.stored();
    };
    return { ...this.view(), stored };
  }

  private stored(): readonly SlotChanges[] {
    return this.slots.slice(0, this.written).map(({ changes }) => changes);
  }

  private write(slots: number): void {
    this.written = Math.min(this.slots.length, this.written + slots);
  }

  /** What is written is final. */
  private fork(slots: number): void {
    const count = Math.min(slots, this.slots.length - this.written);
    for (let undone = 0; undone < count; undone++) this.engine.undo();
    this.slots.length -= count;
  }

  private add({ launches, findings }: SlotStep): void {
    const facts = this.coming.shift();
    if (facts === undefined) return;
    const changes = this.engine.apply(facts, { isFinal: false });
    const tokens = Array.from({ length: launches }, (_, at) => launched(facts.slot, at));
    const classifications = findings.map(({ number, detectionSlot, confidence }) =>
      buildClassification({
        id: classificationId(number),
        ...{ slot: facts.slot, state: 'active', detectionSlot: asSlot(detectionSlot) },
        finding: buildFinding({ confidence }),
      }),
    );
    this.slots.push({
      changes: {
        ...changes,
        tokens: [...changes.tokens, ...tokens],
        classifications: [...changes.classifications, ...classifications],
      },
    });
  }
}

function launched(slot: Slot, at: number) {
  const given = { creator: CREATOR, creationSlot: slot, slot };
  return buildToken(address(`launched ${slot} ${at}`), given);
}
