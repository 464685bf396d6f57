import type { Gate } from '../../rules/expression/term.ts';
import type { RuleScope } from '../../rules/features/feature.ts';
import type { FeatureValues } from '../../rules/features/read-features.ts';
import { featuresIn } from '../../rules/features/registry.ts';
import type { ActiveRule } from './active-rule.ts';

const WORD_BITS = 32;

/** A gate of the rule at a place, as a lower bound: upper bounds have both sides negated. */
interface Bound {
  readonly at: number;
  readonly limit: number;
  /** The limit itself does not pass. */
  readonly isStrict: boolean;
}

/** All lower, or all upper bounds of one feature. */
interface BoundTable {
  readonly feature: number;
  /** -1 for upper bounds. */
  readonly sign: 1 | -1;
  /** Of the bounds in the order in which a rising value passes them. */
  readonly limits: Float64Array;
  readonly isStrict: Uint8Array;
  /** By the number of bounds passed, the rules that none of the others rules out, as bits. */
  readonly sets: Uint32Array;
}

/**
 * Rules out most rules for a pool or a case without evaluating them: a rule whose condition joins comparisons
 * of features with numbers is true only if each of these is. Limits are sorted by feature, so that
 * one binary search gives all rules that a value leaves: 1,000 rules take some microseconds.
 */
export class RuleGates {
  readonly rules: readonly ActiveRule[];
  /** Those of cheap features first, after which expensive ones may not be needed. */
  private readonly tables: readonly BoundTable[];
  private readonly all: Uint32Array;
  /** Rules that are left for the present pool or case. */
  private readonly left: Uint32Array;

  /** `rules` are of one scope. */
  constructor(rules: readonly ActiveRule[], scope: RuleScope = 'pool_minute') {
    const cards = featuresIn(scope);
    const costOf = ({ feature }: BoundTable) => cards[feature]?.cost ?? 0;
    this.rules = rules;
    this.all = new Uint32Array(Math.ceil(rules.length / WORD_BITS));
    for (const at of rules.keys()) addBit(this.all, 0, at);
    this.left = new Uint32Array(this.all.length);
    const gates = rules.map(({ rule }) =>
      // A sequence may await another condition than the first.
      rule.sequence.length > 0 ? [] : rule.when.gates,
    );
    this.tables = ([1, -1] as const)
      .flatMap((sign) =>
        [...boundsOf(gates, sign)].map(([feature, bounds]) =>
          tableOf({ feature, sign, bounds, all: this.all }),
        ),
      )
      .sort((one, other) => costOf(one) - costOf(other) || one.feature - other.feature);
  }

  /**
   * The places of the rules whose condition may be true, in order. The condition of every other rule
   * is not true.
   */
  candidates(values: FeatureValues): number[] {
    const { left } = this;
    left.set(this.all);
    for (const table of this.tables) {
      if (!keep(left, table.sets, passedCount(table, values))) return [];
    }
    return placesIn(left);
  }
}

/** Lower or upper bounds by feature. An equality is one of each. */
function boundsOf(gates: readonly (readonly Gate[])[], sign: 1 | -1): Map<number, Bound[]> {
  const [open, closed] = sign === 1 ? ['>', '>='] : ['<', '<='];
  const byFeature = new Map<number, Bound[]>();
  for (const [at, own] of gates.entries()) {
    for (const { feature, op, limit } of own) {
      if (op !== open && op !== closed && op !== '==') continue;
      const bounds = byFeature.get(feature) ?? [];
      byFeature.set(feature, bounds);
      bounds.push({ at, limit: sign * limit, isStrict: op === open });
    }
  }
  return byFeature;
}

interface TableParts extends Pick<BoundTable, 'feature' | 'sign'> {
  readonly bounds: readonly Bound[];
  readonly all: Uint32Array;
}

function tableOf({ feature, sign, bounds, all }: TableParts): BoundTable {
  const sorted = bounds.toSorted(
    (one, other) => one.limit - other.limit || Number(one.isStrict) - Number(other.isStrict),
  );
  const width = all.length;
  const sets = new Uint32Array((sorted.length + 1) * width);
  sets.set(all, sorted.length * width);
  for (let passed = sorted.length - 1; passed >= 0; passed--) {
    sets.copyWithin(passed * width, (passed + 1) * width, (passed + 2) * width);
    removeBit(sets, passed * width, sorted[passed]?.at ?? 0);
  }
  return {
    ...{ feature, sign, sets },
    limits: Float64Array.from(sorted, ({ limit }) => limit),
    isStrict: Uint8Array.from(sorted, ({ isStrict }) => Number(isStrict)),
  };
}

/** How many bounds a value passes; none if it is unknown or no number. */
function passedCount(
  { feature, sign, limits, isStrict }: BoundTable,
  values: FeatureValues,
): number {
  const found = values.at(feature);
  if (typeof found !== 'number') return 0;
  const value = sign * found;
  let low = 0;
  let high = limits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const limit = limits[middle] ?? 0;
    if (value > limit || (value === limit && isStrict[middle] === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keeps those of `left` that are in the set of a number; false if none are left. */
function keep(left: Uint32Array, sets: Uint32Array, number: number): boolean {
  const start = number * left.length;
  let some = 0;
  for (let word = 0; word < left.length; word++) {
    const kept = (left[word] ?? 0) & (sets[start + word] ?? 0);
    left[word] = kept;
    some |= kept;
  }
  return some !== 0;
}

function placesIn(set: Uint32Array): number[] {
  const places: number[] = [];
  for (let word = 0; word < set.length; word++) {
    for (let bits = set[word] ?? 0; bits !== 0; bits &= bits - 1) {
      places.push(word * WORD_BITS + 31 - Math.clz32(bits & -bits));
    }
  }
  return places;
}

function addBit(sets: Uint32Array, start: number, at: number): void {
  const word = start + (at >> 5);
  sets[word] = (sets[word] ?? 0) | (1 << (at & 31));
}

function removeBit(sets: Uint32Array, start: number, at: number): void {
  const word = start + (at >> 5);
  sets[word] = (sets[word] ?? 0) & ~(1 << (at & 31));
}
