import type { ASTNode } from '@marcbachmann/cel-js';
import type { FeatureCard, RuleScope } from '../features/feature.ts';
import { featuresIn } from '../features/registry.ts';
import { type Domain, intersection, isEmpty, union } from './domain.ts';
import { featureName, indexOf } from './surroundings.ts';

/** By feature: the values that are still possible; features that are not named may be anything. */
type Possible = ReadonlyMap<string, Domain>;

/** No value of the feature passes. */
interface Never {
  readonly feature: string;
  readonly offset: number;
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const OPPOSITE: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/**
 * Why a condition cannot be true for any values of its features; null if it may be. Only what can be
 * said of each feature alone is seen, so a null is no promise.
 */
export function contradictionOf(
  tree: ASTNode,
  scope: RuleScope,
): { readonly message: string; readonly offset: number } | null {
  const found = possibleIf(tree, true, scope);
  if (!isNever(found)) return null;
  const message =
    found.feature === ''
      ? 'The condition can never be true.'
      : `The condition can never be true: no value of ${found.feature} passes all that is asked of it.`;
  return { message, offset: found.offset };
}

function possibleIf(node: ASTNode, isTrue: boolean, scope: RuleScope): Possible | Never {
  switch (node.op) {
    case '!_':
      return possibleIf(node.args, !isTrue, scope);
    case '&&':
    case '||': {
      const one = possibleIf(node.args[0], isTrue, scope);
      const other = possibleIf(node.args[1], isTrue, scope);
      const isBoth = (node.op === '&&') === isTrue;
      return isBoth ? both(one, other, node.start) : either(one, other);
    }
    case 'value':
      return node.args === !isTrue ? { feature: '', offset: node.start } : new Map();
    case '.':
      return limited(node, { kind: 'among', values: new Set([isTrue]) }, scope, node.start);
    case 'in':
      return isTrue ? possibleIn(node.args[0], node.args[1], scope) : new Map();
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const [one, other] = node.args;
      const op = isTrue ? node.op : (OPPOSITE[node.op] as string);
      if (featureName(one) !== null) return compared(one, op, other, scope);
      return compared(other, MIRRORED[op] ?? op, one, scope);
    }
    default:
      return new Map();
  }
}

function both(one: Possible | Never, other: Possible | Never, offset: number): Possible | Never {
  if (isNever(one)) return one;
  if (isNever(other)) return other;
  const joined = new Map(one);
  for (const [feature, domain] of other) {
    const known = joined.get(feature);
    const possible = known === undefined ? domain : intersection(known, domain);
    if (isEmpty(possible)) return { feature, offset };
    joined.set(feature, possible);
  }
  return joined;
}

function either(one: Possible | Never, other: Possible | Never): Possible | Never {
  if (isNever(one)) return other;
  if (isNever(other)) return one;
  const joined = new Map<string, Domain>();
  for (const [feature, domain] of one) {
    const known = other.get(feature);
    if (known !== undefined) joined.set(feature, union(known, domain));
  }
  return joined;
}

function compared(
  feature: ASTNode,
  op: string,
  limit: ASTNode,
  scope: RuleScope,
): Possible | Never {
  const value = constantOf(limit);
  if (value === null || featureName(feature) === null) return new Map();
  const domain = domainOf(op, value);
  return domain === null ? new Map() : limited(feature, domain, scope, feature.start);
}

function domainOf(op: string, value: number | boolean | string): Domain | null {
  if (typeof value !== 'number')
    return op === '==' ? { kind: 'among', values: new Set([value]) } : null;
  switch (op) {
    case '==':
      return { kind: 'between', least: value, most: value, isLeastOpen: false, isMostOpen: false };
    case '>':
    case '>=':
      return {
        kind: 'between',
        least: value,
        most: Infinity,
        isLeastOpen: op === '>',
        isMostOpen: false,
      };
    case '<':
    case '<=':
      return {
        kind: 'between',
        least: -Infinity,
        most: value,
        isLeastOpen: false,
        isMostOpen: op === '<',
      };
    default:
      return null;
  }
}

function possibleIn(feature: ASTNode, list: ASTNode, scope: RuleScope): Possible | Never {
  if (featureName(feature) === null || list.op !== 'list') return new Map();
  const values = list.args.map(constantOf);
  if (values.includes(null)) return new Map();
  const numbers = values.filter((value) => typeof value === 'number');
  const domain: Domain =
    numbers.length === values.length
      ? {
          kind: 'between',
          least: Math.min(...numbers),
          most: Math.max(...numbers),
          isLeastOpen: false,
          isMostOpen: false,
        }
      : { kind: 'among', values: new Set(values as (boolean | string)[]) };
  return limited(feature, domain, scope, feature.start);
}

/** The domain of a feature, within the range that it can have at all. */
function limited(
  node: ASTNode,
  domain: Domain,
  scope: RuleScope,
  offset: number,
): Possible | Never {
  const feature = featureName(node);
  if (feature === null) return new Map();
  const { range } = featuresIn(scope)[indexOf(feature, offset, scope)] as FeatureCard;
  const [least, most] = range;
  const possible =
    domain.kind === 'among'
      ? domain
      : intersection(domain, {
          kind: 'between',
          least: least ?? -Infinity,
          most: most ?? Infinity,
          isLeastOpen: false,
          isMostOpen: false,
        });
  return isEmpty(possible) ? { feature, offset } : new Map([[feature, possible]]);
}

function constantOf(node: ASTNode): number | boolean | string | null {
  if (node.op === '-_') {
    const value = constantOf(node.args);
    return typeof value === 'number' ? -value : null;
  }
  if (node.op !== 'value') return null;
  const { args: value } = node;
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
    ? value
    : null;
}

function isNever(found: Possible | Never): found is Never {
  return 'feature' in found;
}
