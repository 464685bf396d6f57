import type { ASTNode } from '@marcbachmann/cel-js';
import { ExpressionError } from './expression-error.ts';
import { featureName, indexOf, type Surroundings } from './surroundings.ts';
import { elementType, isNumeric, listOf, type ScalarType, type Term, type Value } from './term.ts';

type Compile = (args: readonly ASTNode[], offset: number, around: Surroundings) => Term;
type Items = readonly (number | boolean | string)[];

/** Everything that can be called, by name; a receiver is the first argument. */
const CALLS: Readonly<Record<string, Compile>> = {
  has,
  size,
  double: (args, offset, around) => {
    const [term] = compileAll(args, 1, offset, around) as [Term];
    if (!isNumeric(term.type)) throw new ExpressionError('double() needs a number.', offset);
    return { ...term, type: 'double', feature: undefined };
  },
  contains: textCall((text, part) => text.includes(part)),
  startsWith: textCall((text, part) => text.startsWith(part)),
  endsWith: textCall((text, part) => text.endsWith(part)),
  exists: quantifier((truths) => (truths.includes(true) ? true : unknownOr(truths, false))),
  all: quantifier((truths) => (truths.includes(false) ? false : unknownOr(truths, true))),
  exists_one: quantifier((truths) =>
    unknownOr(truths, truths.filter((truth) => truth === true).length === 1),
  ),
  filter,
  map: mapOf,
};

/** Compiles a call. Throws ExpressionError for an unknown name or wrong arguments. */
export function compileCall(
  name: string,
  args: readonly ASTNode[],
  offset: number,
  around: Surroundings,
): Term {
  const compile = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (compile !== undefined) return compile(args, offset, around);
  if (name === 'matches') {
    throw new ExpressionError(
      'Regular expressions are not allowed, because some take forever. ' +
        'Use contains, startsWith, endsWith or in.',
      offset,
    );
  }
  const known = Object.keys(CALLS).join(', ');
  throw new ExpressionError(`There is no function ${name}. There are ${known}.`, offset);
}

/** Whether a feature is known; never unknown itself. */
function has(args: readonly ASTNode[], offset: number, { scope, features }: Surroundings): Term {
  const name = args.length === 1 && args[0] !== undefined ? featureName(args[0]) : null;
  if (name === null) {
    throw new ExpressionError('has() needs the name of a feature, as has(pool.price_usd).', offset);
  }
  const index = indexOf(name, offset, scope);
  features.add(index);
  return { type: 'bool', run: (values) => values.at(index) !== null, itemsMax: 1, cost: 1 };
}

/** Number of elements of a list, or of characters of a text. */
function size(args: readonly ASTNode[], offset: number, around: Surroundings): Term {
  const [term] = compileAll(args, 1, offset, around) as [Term];
  const isText = term.type === 'string';
  if (!isText && elementType(term.type) === null) {
    throw new ExpressionError(`size() needs a list or a text, not ${term.type}.`, offset);
  }
  return {
    type: 'int',
    itemsMax: 1,
    cost: term.cost + 1,
    run(values) {
      const value = term.run(values);
      if (value === null) return null;
      return isText ? [...(value as string)].length : (value as Items).length;
    },
  };
}

function textCall(holds: (text: string, part: string) => boolean): Compile {
  return (args, offset, around) => {
    const [text, part] = compileAll(args, 2, offset, around) as [Term, Term];
    if (text.type !== 'string' || part.type !== 'string') {
      throw new ExpressionError('This needs a text on both sides.', offset);
    }
    return {
      type: 'bool',
      itemsMax: 1,
      cost: text.cost + part.cost + 2,
      run(values) {
        const [value, sought] = [text.run(values), part.run(values)];
        return value === null || sought === null ? null : holds(value as string, sought as string);
      },
    };
  };
}

function unknownOr(truths: readonly (boolean | null)[], otherwise: boolean): boolean | null {
  return truths.includes(null) ? null : otherwise;
}

/** `list.exists(x, condition)` and its relatives. */
function quantifier(conclude: (truths: readonly (boolean | null)[]) => boolean | null): Compile {
  return (args, offset, around) => {
    const { list, each, evaluate } = compileMacro(args, offset, around);
    if (each.type !== 'bool')
      throw new ExpressionError('A condition on each element is needed.', offset);
    return {
      type: 'bool',
      itemsMax: 1,
      cost: macroCost(list, each),
      run(values) {
        const results = evaluate(values);
        return results === null
          ? null
          : conclude(results.map(([, truth]) => truth as boolean | null));
      },
    };
  };
}

/** `list.filter(x, condition)`. */
function filter(args: readonly ASTNode[], offset: number, around: Surroundings): Term {
  const { list, each, evaluate } = compileMacro(args, offset, around);
  if (each.type !== 'bool')
    throw new ExpressionError('A condition on each element is needed.', offset);
  return {
    type: list.type,
    itemsMax: list.itemsMax,
    cost: macroCost(list, each),
    run(values) {
      const results = evaluate(values);
      if (results === null || results.some(([, truth]) => truth === null)) return null;
      return results.filter(([, truth]) => truth === true).map(([item]) => item) as Items;
    },
  };
}

/** `list.map(x, figure)`. */
function mapOf(args: readonly ASTNode[], offset: number, around: Surroundings): Term {
  const { list, each, evaluate } = compileMacro(args, offset, around);
  if (elementType(each.type) !== null)
    throw new ExpressionError('Lists of lists are not allowed.', offset);
  return {
    type: listOf(each.type as ScalarType),
    itemsMax: list.itemsMax,
    cost: macroCost(list, each),
    run(values) {
      const results = evaluate(values);
      if (results === null || results.some(([, value]) => value === null)) return null;
      return results.map(([, value]) => value) as unknown as Items;
    },
  };
}

interface Macro {
  readonly list: Term;
  readonly each: Term;
  /** Each element with what was asked of it; null if the list is unknown. */
  readonly evaluate: (values: Parameters<Term['run']>[0]) => [Value, Value | null][] | null;
}

function compileMacro(args: readonly ASTNode[], offset: number, around: Surroundings): Macro {
  // The parser gives the arguments of a macro as they are written.
  const [receiver, variable, body] = args;
  if (receiver === undefined || variable?.op !== 'id' || body === undefined || args.length !== 3) {
    throw new ExpressionError('This has the form list.exists(x, condition on x).', offset);
  }
  const list = around.compile(receiver, around);
  const type = elementType(list.type);
  if (type === null) throw new ExpressionError(`This needs a list, not ${list.type}.`, offset);
  const { locals, variables } = around;
  const place = variables.length;
  const inner = { ...around, variables: [...variables, { name: variable.args, type }] };
  const each = around.compile(body, inner);
  return {
    list,
    each,
    evaluate(values) {
      const items = list.run(values);
      if (items === null) return null;
      return (items as Items).map((item) => {
        locals[place] = item;
        return [item, each.run(values)];
      });
    },
  };
}

function macroCost(list: Term, each: Term): number {
  return list.cost + list.itemsMax * (each.cost + 1);
}

function compileAll(
  args: readonly ASTNode[],
  count: number,
  offset: number,
  around: Surroundings,
): Term[] {
  if (args.length !== count) {
    throw new ExpressionError(`This needs ${count} argument${count === 1 ? '' : 's'}.`, offset);
  }
  return args.map((arg) => around.compile(arg, around));
}
