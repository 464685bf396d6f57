import fc from 'fast-check';
import { expect } from 'vitest';
import type { Detector } from '../../src/fraud/contract/detector.ts';
import type { Link } from '../../src/fraud/links/clusters.ts';
import { findClusters } from '../../src/fraud/links/find-clusters.ts';
import { type Measures, type ScoringTable, scoreCase } from '../../src/fraud/scoring/score.ts';
import type { Judgement } from '../../src/model/fraud.ts';
import type { MintCase } from '../../src/model/mint-case.ts';
import { readingOf } from './linked-wallets.ts';

/** σ of a logit. */
export const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** A scorer of tables in which every measure that is not given counts as nothing. */
export function scorerOf<Name extends string>(table: ScoringTable<Name>) {
  const names = Object.keys(table.rules) as Name[];
  const nothing = names.map((name) => [name, table.rules[name].ramp?.[0] ?? 0] as const);
  // A step scores 1 on its edge, so nothing is below it.
  const below = nothing.map(([name, from]) => [name, isStep(table, name) ? from - 1 : from]);
  return (measures: Partial<Record<Name, number>>): number =>
    scoreCase(table, { ...Object.fromEntries(below), ...measures } as Measures<Name>, true)
      .rawScore;
}

/** A feature, and two measures that differ only in it, ordered by its ramp. */
export interface Raise<Name extends string> {
  readonly name: Name;
  readonly lower: Measures<Name>;
  readonly higher: Measures<Name>;
}

/** Any measures of a table, and the same with one of them further along its ramp. */
export function raisesOf<Name extends string>(
  table: ScoringTable<Name>,
): fc.Arbitrary<Raise<Name>> {
  const names = Object.keys(table.rules) as Name[];
  const part = fc.double({ min: -0.2, max: 1.2, noNaN: true });
  return fc
    .tuple(
      fc.constantFrom(...names),
      fc.array(part, { minLength: names.length, maxLength: names.length }),
      part,
    )
    .map(([name, parts, other]) => {
      const place = names.indexOf(name);
      const [less, more] = [Math.min(parts[place] ?? 0, other), Math.max(parts[place] ?? 0, other)];
      const measuresWith = (value: number) =>
        Object.fromEntries(
          names.map((each, at) => [
            each,
            alongRamp(table, each, at === place ? value : (parts[at] ?? 0)),
          ]),
        ) as Measures<Name>;
      return { name, lower: measuresWith(less), higher: measuresWith(more) };
    });
}

/** The same case with all lists and the wallets in any order. */
export function shuffledCase(mintCase: MintCase): fc.Arbitrary<MintCase> {
  return fc
    .tuple(
      shuffled(mintCase.trades),
      shuffled(mintCase.transfers),
      shuffled(mintCase.payments),
      shuffled(mintCase.liquidity),
      shuffled([...mintCase.wallets]),
    )
    .map(([trades, transfers, payments, liquidity, wallets]) => ({
      ...mintCase,
      ...{ trades, transfers, payments, liquidity },
      wallets: new Map(wallets),
    }));
}

/** The findings of a detector that gets its links from the built-in link families. */
export function inspectLinked(detector: Detector, mintCase: MintCase): readonly Judgement[] {
  return detector.inspect({ mintCase, clusters: (without) => findClusters(mintCase, without) });
}

/** Fails if the findings depend on the order of the lists of the case. */
export function expectOrderless(
  detector: Detector,
  mintCase: MintCase,
  links: readonly Link[],
): void {
  const expected = detector.inspect(readingOf(mintCase, links));
  fc.assert(
    fc.property(shuffledCase(mintCase), (other) => {
      expect(detector.inspect(readingOf(other, links))).toEqual(expected);
    }),
    { numRuns: 25 },
  );
}

/** Fails if a raised feature lowers the confidence, or a raised feature of `falling` raises it. */
export function expectMonotonic<Name extends string>(
  table: ScoringTable<Name>,
  falling: readonly Name[],
): void {
  fc.assert(
    fc.property(raisesOf(table), fc.boolean(), ({ name, lower, higher }, known) => {
      const [less, more] = [lower, higher].map(
        (measures) => scoreCase(table, measures, known).confidence,
      );
      if (falling.includes(name)) expect(more).toBeLessThanOrEqual(less ?? 0);
      else expect(more).toBeGreaterThanOrEqual(less ?? 1);
    }),
  );
}

/** The measured value of a feature. */
export function measuredIn({ features }: Judgement, name: string): number | null | undefined {
  return features.find((feature) => feature.name === name)?.measured;
}

/** Roles by wallet. */
export function rolesIn({ wallets }: Judgement): Readonly<Record<string, string>> {
  return Object.fromEntries(wallets.map(({ address, role }) => [address, role]));
}

/** Signatures of the evidence of this type. */
export function signaturesIn({ evidence }: Judgement, type: string): readonly string[] {
  return evidence.flatMap((item) =>
    item.type === type && item.payload.kind === 'transaction' ? item.payload.signatures : [],
  );
}

function isStep<Name extends string>({ rules }: ScoringTable<Name>, name: Name): boolean {
  const { ramp } = rules[name];
  return ramp !== null && ramp[0] === ramp[1];
}

function alongRamp<Name extends string>(
  table: ScoringTable<Name>,
  name: Name,
  value: number,
): number {
  const [from, to] = table.rules[name].ramp ?? [0, 1];
  return isStep(table, name) ? from + value - 0.5 : from + value * (to - from);
}

function shuffled<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}
