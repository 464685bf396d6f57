import { ExpressionError } from './expression-error.ts';
import { elementType, type Gate, isNumeric, type Run, type Term, type Value } from './term.ts';

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

type Scalar = number | boolean | string;

const COMPARISONS: Readonly<Record<ComparisonOperator, (one: Scalar, other: Scalar) => boolean>> = {
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
};

/** True, false, or unknown if an operand is. */
export function compare(op: ComparisonOperator, one: Term, other: Term, offset: number): Term {
  const isOrder = op !== '==' && op !== '!=';
  const areNumbers = isNumeric(one.type) && isNumeric(other.type);
  if (!areNumbers && (isOrder || one.type !== other.type || elementType(one.type) !== null)) {
    throw new ExpressionError(
      `${one.type} ${op} ${other.type} cannot be compared. ` +
        'Numbers have an order; texts and truths are equal or not.',
      offset,
    );
  }
  return {
    type: 'bool',
    run: comparison(op, one, other),
    gates: gatesOf(op, one, other),
    itemsMax: 1,
    cost: one.cost + other.cost,
  };
}

function gatesOf(op: ComparisonOperator, { feature }: Term, { constant: limit }: Term): Gate[] {
  if (feature === undefined || typeof limit !== 'number' || op === '!=') return [];
  return [{ feature, op, limit }];
}

/** A feature beside a literal is by far the most frequent comparison. */
function comparison(op: ComparisonOperator, one: Term, other: Term): Run {
  const { feature } = one;
  const limit = other.constant;
  if (feature !== undefined && typeof limit === 'number') return withLimit(op, feature, limit);
  const holds = COMPARISONS[op];
  return (values) => {
    const left = one.run(values);
    if (left === null) return null;
    const right = other.run(values);
    return right === null ? null : holds(left as Scalar, right as Scalar);
  };
}

function withLimit(op: ComparisonOperator, feature: number, limit: number): Run {
  const unlessUnknown =
    (holds: (value: number) => boolean): Run =>
    (values) => {
      const value = values.at(feature);
      return value === null ? null : holds(value as number);
    };
  switch (op) {
    case '==':
      return unlessUnknown((value) => value === limit);
    case '!=':
      return unlessUnknown((value) => value !== limit);
    case '<':
      return unlessUnknown((value) => value < limit);
    case '<=':
      return unlessUnknown((value) => value <= limit);
    case '>':
      return unlessUnknown((value) => value > limit);
    case '>=':
      return unlessUnknown((value) => value >= limit);
  }
}

/** Whether a list has a value. */
export function isIn(item: Term, list: Term, offset: number): Term {
  const type = elementType(list.type);
  const isFitting =
    type === item.type || (type !== null && isNumeric(type) && isNumeric(item.type));
  if (!isFitting) {
    throw new ExpressionError(
      `${item.type} in ${list.type} has no meaning: the right side must be a list of such values.`,
      offset,
    );
  }
  const shape = { type: 'bool', itemsMax: 1 } as const;
  if (list.constant !== undefined) {
    const known = new Set(list.constant as readonly Value[]);
    return {
      ...shape,
      cost: item.cost + 1,
      run(values) {
        const value = item.run(values);
        return value === null ? null : known.has(value);
      },
    };
  }
  return {
    ...shape,
    cost: item.cost + list.cost + list.itemsMax,
    run(values) {
      const [value, items] = [item.run(values), list.run(values)];
      if (value === null || items === null) return null;
      return (items as readonly Value[]).includes(value);
    },
  };
}

/** False as soon as a part is, else unknown if one is. */
export function allOf(parts: readonly Term[]): Term {
  const gates = parts.flatMap((part) => part.gates ?? []);
  return { ...chainShape(parts), gates, run: chain(parts, false) };
}

/** True as soon as a part is, else unknown if one is. */
export function anyOf(parts: readonly Term[]): Term {
  return { ...chainShape(parts), run: chain(parts, true) };
}

function chainShape(parts: readonly Term[]) {
  const cost = parts.reduce((sum, part) => sum + part.cost, 0);
  return { type: 'bool', itemsMax: 1, cost } as const;
}

function chain(parts: readonly Term[], decisive: boolean): Run {
  const runs = parts.toSorted((one, other) => one.cost - other.cost).map(({ run }) => run);
  return (values) => {
    let isUnknown = false;
    for (const run of runs) {
      const value = run(values);
      if (value === decisive) return decisive;
      if (value === null) isUnknown = true;
    }
    return isUnknown ? null : !decisive;
  };
}
