import { ExpressionError } from './expression-error.ts';
import { elementType, isNumeric, type Term } from './term.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';

const ARITHMETIC: Readonly<Record<ArithmeticOperator, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '%': (one, other) => one % other,
};

/** Whole numbers stay whole, as in CEL: 7 / 2 is 3. Beside a fraction they become one. */
export function arithmetic(op: ArithmeticOperator, one: Term, other: Term, offset: number): Term {
  if (!isNumeric(one.type) || !isNumeric(other.type)) {
    throw new ExpressionError(
      `${op} needs two numbers, not ${one.type} and ${other.type}.`,
      offset,
    );
  }
  const isWhole = one.type === 'int' && other.type === 'int';
  if (op === '%' && !isWhole) {
    throw new ExpressionError('% needs two whole numbers.', offset);
  }
  const apply = ARITHMETIC[op];
  const finish = isWhole ? wholeOrUnknown : finiteOrUnknown;
  return {
    type: isWhole ? 'int' : 'double',
    itemsMax: 1,
    cost: one.cost + other.cost + 1,
    run(values) {
      const left = one.run(values);
      if (left === null) return null;
      const right = other.run(values);
      return right === null ? null : finish(apply(left as number, right as number));
    },
  };
}

/** Unknown for a division by zero and for anything that is not exact. */
function wholeOrUnknown(result: number): number | null {
  const whole = Math.trunc(result) + 0;
  return Number.isSafeInteger(whole) ? whole : null;
}

/** Unknown for a division by zero and for an overflow. */
function finiteOrUnknown(result: number): number | null {
  return Number.isFinite(result) ? result : null;
}

export function negate(term: Term, offset: number): Term {
  if (!isNumeric(term.type))
    throw new ExpressionError(`- needs a number, not ${term.type}.`, offset);
  const { constant } = term;
  if (typeof constant === 'number') return { ...term, constant: -constant, run: () => -constant };
  return {
    type: term.type,
    itemsMax: 1,
    cost: term.cost + 1,
    run(values) {
      const value = term.run(values);
      return value === null ? null : -(value as number);
    },
  };
}

export function notOf(term: Term, offset: number): Term {
  if (term.type !== 'bool')
    throw new ExpressionError(`! needs a condition, not ${term.type}.`, offset);
  return {
    type: 'bool',
    itemsMax: 1,
    cost: term.cost,
    run(values) {
      const value = term.run(values);
      return value === null ? null : value !== true;
    },
  };
}

/** `condition ? one : other`, of which only the chosen one is evaluated. */
export function select(condition: Term, one: Term, other: Term, offset: number): Term {
  const areNumbers = isNumeric(one.type) && isNumeric(other.type);
  if (condition.type !== 'bool' || (one.type !== other.type && !areNumbers)) {
    throw new ExpressionError('? needs a condition, and two values of one type.', offset);
  }
  if (elementType(one.type) !== null) {
    throw new ExpressionError('? cannot choose between lists.', offset);
  }
  return {
    type: one.type === other.type ? one.type : 'double',
    itemsMax: 1,
    cost: condition.cost + Math.max(one.cost, other.cost) + 1,
    run(values) {
      const isTrue = condition.run(values);
      if (isTrue === null) return null;
      return (isTrue === true ? one : other).run(values);
    },
  };
}
