import fc from 'fast-check';
import { type Measures, type ScoringTable, scoreCase } from '../../src/fraud/scoring/score.ts';
import type { Finding } from '../../src/model/fraud.ts';
import type { MintCase } from '../../src/model/mint-case.ts';

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

/** The measured value of a feature. */
export function measuredIn({ features }: Finding, name: string): number | null | undefined {
  return features.find((feature) => feature.name === name)?.measured;
}

/** Roles by wallet. */
export function rolesIn({ wallets }: Finding): Readonly<Record<string, string>> {
  return Object.fromEntries(wallets.map(({ address, role }) => [address, role]));
}

/** Signatures of the evidence of this type. */
export function signaturesIn({ evidence }: Finding, type: string): readonly string[] {
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
