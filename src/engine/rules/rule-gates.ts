import type { Gate, GateOperator } from '../../rules/expression/term.ts';
import type { RuleScope } from '../../rules/features/feature.ts';
import type { FeatureValues } from '../../rules/features/read-features.ts';
import { featuresIn } from '../../rules/features/registry.ts';
import type { ActiveRule } from './active-rule.ts';

/** Beyond these, the rule itself is evaluated. */
const GATES_MAX = 4;
const OPERATORS: readonly GateOperator[] = ['==', '<', '<=', '>', '>='];

/**
 * Rules out most rules for a pool or a case without evaluating them: a rule whose condition joins comparisons
 * of features with numbers is true only if each of these is. They lie in flat lists, the cheap ones
 * of a rule first, so that 1,000 rules take some microseconds.
 */
export class RuleGates {
  readonly rules: readonly ActiveRule[];
  /** The gates of the rule `at` are from `starts[at]` to `starts[at + 1]`. */
  private readonly starts: Uint32Array;
  private readonly features: Uint16Array;
  private readonly operators: Uint8Array;
  private readonly limits: Float64Array;
  /** Values of features, NaN for unknown, as far as they were read for the present pool. */
  private readonly numbers: Float64Array;
  private readonly readFor: Uint32Array;
  private pool = 0;

  /** `rules` are of one scope. */
  constructor(rules: readonly ActiveRule[], scope: RuleScope = 'pool_minute') {
    const cards = featuresIn(scope);
    const costOf = ({ feature }: Gate) => cards[feature]?.cost ?? 0;
    const gates = rules.map(({ rule }) =>
      // A sequence may await another condition than the first.
      rule.sequence.length > 0
        ? []
        : rule.when.gates.toSorted((one, other) => costOf(one) - costOf(other)).slice(0, GATES_MAX),
    );
    const all = gates.flat();
    this.rules = rules;
    this.starts = new Uint32Array(rules.length + 1);
    for (const [at, own] of gates.entries()) {
      this.starts[at + 1] = (this.starts[at] ?? 0) + own.length;
    }
    this.features = Uint16Array.from(all, ({ feature }) => feature);
    this.operators = Uint8Array.from(all, ({ op }) => OPERATORS.indexOf(op));
    this.limits = Float64Array.from(all, ({ limit }) => limit);
    this.numbers = new Float64Array(cards.length);
    this.readFor = new Uint32Array(cards.length);
  }

  /** Begins with the features of another pool or case. */
  begin(): void {
    this.pool++;
  }

  /** False only if the condition of the rule at a place is not true. */
  mayPass(at: number, values: FeatureValues): boolean {
    const end = this.starts[at + 1] ?? 0;
    for (let gate = this.starts[at] ?? 0; gate < end; gate++) {
      const value = this.numberOf(this.features[gate] ?? 0, values);
      if (!holds(this.operators[gate] ?? 0, value, this.limits[gate] ?? 0)) return false;
    }
    return true;
  }

  private numberOf(feature: number, values: FeatureValues): number {
    if (this.readFor[feature] === this.pool) return this.numbers[feature] ?? Number.NaN;
    const value = values.at(feature);
    const number = typeof value === 'number' ? value : Number.NaN;
    this.numbers[feature] = number;
    this.readFor[feature] = this.pool;
    return number;
  }
}

/** No comparison with NaN holds, and so none with what is unknown. */
function holds(operator: number, value: number, limit: number): boolean {
  switch (operator) {
    case 0:
      return value === limit;
    case 1:
      return value < limit;
    case 2:
      return value <= limit;
    case 3:
      return value > limit;
    default:
      return value >= limit;
  }
}
