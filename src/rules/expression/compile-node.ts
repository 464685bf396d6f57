import type { ASTNode } from '@marcbachmann/cel-js';
import type { FeatureCard, FeatureType } from '../features/feature.ts';
import { featuresIn } from '../features/registry.ts';
import { allOf, anyOf, compare, isIn } from './comparisons.ts';
import { compileCall } from './compile-call.ts';
import { ExpressionError } from './expression-error.ts';
import { arithmetic, negate, notOf, select } from './operators.ts';
import { featureName, indexOf, type Surroundings, unknownName } from './surroundings.ts';
import {
  elementType,
  listOf,
  type ScalarType,
  type Term,
  type TermType,
  type Value,
} from './term.ts';

const TYPES: Readonly<Record<FeatureType, TermType>> = {
  number: 'double',
  bool: 'bool',
  text: 'string',
  numbers: 'list<double>',
};

/** Compiles a node and all below it. Throws ExpressionError. */
export function compileNode(node: ASTNode, around: Surroundings): Term {
  const compile = (part: ASTNode) => compileNode(part, around);
  switch (node.op) {
    case 'value':
      return literal(node.args, node.start);
    case 'id':
      return variable(node.args, node.start, around);
    case '.':
      return feature(node, around);
    case '!_':
      return notOf(compile(node.args), node.start);
    case '-_':
      return negate(compile(node.args), node.start);
    case '&&':
    case '||':
      return compileChain(node, node.op, around);
    case '?:':
      return select(
        compile(node.args[0]),
        compile(node.args[1]),
        compile(node.args[2]),
        node.start,
      );
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(node.op, compile(node.args[0]), compile(node.args[1]), node.start);
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(node.op, compile(node.args[0]), compile(node.args[1]), node.start);
    case 'in':
      return isIn(compile(node.args[0]), compile(node.args[1]), node.start);
    case 'list':
      return listLiteral(node.args.map(compile), node.start);
    case '[]':
      return element(compile(node.args[0]), compile(node.args[1]), node.start);
    case 'call':
      return compileCall(node.args[0], node.args[1], node.start, around);
    case 'rcall':
      return compileCall(node.args[0], [node.args[1], ...node.args[2]], node.start, around);
    default:
      throw new ExpressionError(
        `Conditions have no ${node.op === 'map' ? 'maps' : `operator ${node.op}`}.`,
        node.start,
      );
  }
}

/** Parts joined by one operator; cheap ones are evaluated first, which changes no result. */
function compileChain(node: ASTNode, op: '&&' | '||', around: Surroundings): Term {
  const parts: Term[] = [];
  const pending: ASTNode[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.op === op) {
      pending.push(next.args[1], next.args[0]);
      continue;
    }
    const part = compileNode(next, around);
    if (part.type !== 'bool') {
      throw new ExpressionError(`${op} joins conditions, this is ${part.type}.`, next.start);
    }
    parts.push(part);
  }
  return op === '&&' ? allOf(parts) : anyOf(parts);
}

function literal(value: unknown, offset: number): Term {
  const constant = typeof value === 'bigint' ? Number(value) : value;
  if (typeof value === 'bigint' && !Number.isSafeInteger(constant)) {
    throw new ExpressionError(
      'Whole numbers have at most 2^53; write a fraction, as 1e20.',
      offset,
    );
  }
  const type = typeof value === 'bigint' ? 'int' : typeOfConstant(constant);
  if (type === null) {
    const advice = value === null ? ' Ask with has(group.figure) whether a feature is known.' : '';
    throw new ExpressionError(
      `Conditions have numbers, texts, true and false, not ${value === null ? 'null' : 'this'}.${advice}`,
      offset,
    );
  }
  return { type, constant: constant as Value, run: () => constant as Value, itemsMax: 1, cost: 1 };
}

function typeOfConstant(value: unknown): ScalarType | null {
  if (typeof value === 'number') return 'double';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : null;
}

function variable(name: string, offset: number, around: Surroundings): Term {
  const place = around.variables.findLastIndex((known) => known.name === name);
  const found = around.variables[place];
  if (found === undefined) throw unknownName(name, offset, around.scope);
  const { locals } = around;
  return { type: found.type, run: () => locals[place] ?? null, itemsMax: 1, cost: 1 };
}

function feature(node: ASTNode, around: Surroundings): Term {
  const name = featureName(node);
  if (name === null) {
    throw new ExpressionError('Features have the form group.figure.', node.start);
  }
  const index = indexOf(name, node.start, around.scope);
  around.features.add(index);
  const { type, itemsMax, cost } = featuresIn(around.scope)[index] as FeatureCard;
  return { type: TYPES[type], run: (values) => values.at(index), feature: index, itemsMax, cost };
}

function listLiteral(items: readonly Term[], offset: number): Term {
  const types = new Set(items.map(({ type }) => type));
  const isMixed = types.size === 2 && types.has('int') && types.has('double');
  const type = isMixed ? 'double' : [...types][0];
  if (type === undefined || (types.size > 1 && !isMixed) || elementType(type) !== null) {
    throw new ExpressionError(
      'The elements of a list must be of one type, and there must be one.',
      offset,
    );
  }
  const cost = items.reduce((sum, item) => sum + item.cost, 1);
  const shape = { type: listOf(type as ScalarType), itemsMax: items.length, cost };
  const constants = items.map(({ constant }) => constant);
  if (!constants.includes(undefined)) {
    const constant = constants as readonly (number | boolean | string)[];
    return { ...shape, constant, run: () => constant, cost: 1 };
  }
  const runs = items.map(({ run }) => run);
  return {
    ...shape,
    run(values) {
      const list: (number | boolean | string)[] = [];
      for (const run of runs) {
        const value = run(values);
        if (value === null) return null;
        list.push(value as number | boolean | string);
      }
      return list;
    },
  };
}

/** An element outside the list is unknown. */
function element(list: Term, index: Term, offset: number): Term {
  const type = elementType(list.type);
  if (type === null || index.type !== 'int') {
    throw new ExpressionError('Only an element of a list can be taken, by a whole number.', offset);
  }
  return {
    type,
    itemsMax: 1,
    cost: list.cost + index.cost + 1,
    run(values) {
      const [items, place] = [list.run(values), index.run(values)];
      if (items === null || place === null) return null;
      return (items as readonly number[])[place as number] ?? null;
    },
  };
}
