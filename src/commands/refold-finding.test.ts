import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import { buildChanges, buildFacts } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { Source, SourceItem } from '../chain/source.ts';
import type { SourceProblem } from '../model/errors.ts';
import type { Classification, FraudType } from '../model/fraud.ts';
import { asSlot, type Slot } from '../model/units.ts';
import { refoldFinding } from './refold-finding.ts';

const version = (
  number: number,
  slot: number,
  confidence = 0.8,
  fraudType: FraudType = 'fake_dump',
) =>
  buildClassification({
    id: classificationId(number),
    slot: asSlot(slot),
    finding: { fraudType, confidence },
  });

const problem: SourceProblem = { code: 'not-json', origin: 'x', position: null, message: 'no' };

/** A source of these slots, and an engine with the given findings in each. */
async function refold(bySlot: Readonly<Record<number, readonly Classification[]>>, slot = 1_010) {
  const folded: number[] = [];
  const problems: SourceProblem[] = [];
  const items: SourceItem[] = [
    { kind: 'problem', problem },
    ...Object.keys(bySlot).map(
      (name): SourceItem => ({ kind: 'facts', facts: buildFacts(Number(name)) }),
    ),
  ];
  const source = {
    areBlocksFinal: true,
    summary: { blocks: 0, transactions: 0, votes: 0, duplicates: 0, problems: 0 },
    async *[Symbol.asyncIterator]() {
      yield* items;
    },
  } satisfies Source;
  const engine = {
    apply: (facts: { readonly slot: Slot }) => {
      folded.push(facts.slot);
      return buildChanges(facts.slot, { classifications: bySlot[facts.slot] ?? [] });
    },
  };
  const wanted = {
    id: classificationId(1),
    fraud_type: 'fake_dump' as const,
    token_address: address('mint'),
    slot,
  };
  const refolded = await refoldFinding(source, wanted, engine, (one) => problems.push(one));
  return { ...refolded, folded, problems };
}

describe('a recomputed finding', () => {
  test('is the newest version up to its slot, and no later slot is folded', async () => {
    const { classification, folded, lastSlot } = await refold({
      1000: [version(1, 1_000)],
      1010: [version(1, 1_010, 0.9)],
      1011: [version(1, 1_011, 0.95)],
    });
    expect(classification).toEqual(version(1, 1_010, 0.9));
    expect(folded).toEqual([1_000, 1_010]);
    expect(lastSlot).toBe(1_010);
  });

  test('is the one with its ID rather than a more confident one of its type', async () => {
    const { classification } = await refold({ 1000: [version(2, 1_000, 0.99), version(1, 1_000)] });
    expect(classification?.id).toBe(classificationId(1));
  });

  test('is otherwise the most confident of its type and token', async () => {
    const elsewhere = buildClassification({
      id: classificationId(5),
      finding: { fraudType: 'fake_dump', mint: address('other'), confidence: 1 },
    });
    const { classification } = await refold({
      1000: [version(2, 1_000, 0.6), version(3, 1_000, 0.7), version(4, 1_000, 1, 'late_bundle')],
      1001: [elsewhere],
    });
    expect(classification?.id).toBe(classificationId(3));
  });

  test('is null if the blocks do not yield it, and problems are reported', async () => {
    const { classification, lastSlot, problems } = await refold({ 1011: [version(1, 1_011)] });
    expect(classification).toBeNull();
    expect(lastSlot).toBeNull();
    expect(problems).toEqual([problem]);
  });
});
