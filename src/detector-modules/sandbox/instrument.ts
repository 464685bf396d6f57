import { type Node, parse } from 'acorn';

/** What instrumented code calls; code of a module must not use names that begin so. */
export const GUARD = '__mintscope';

/** Code whose work is counted, or why it cannot be. */
export type Instrumented =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'refused'; readonly problem: string };

/** Texts around a part of the code; of parts that begin or end together, the outer is listed first. */
interface Wrapping {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** Names of constructs that a detector must not use, and why, by type of the node. */
const REFUSED: Readonly<Record<string, string>> = {
  ImportDeclaration: 'import: bundle the module into CommonJS files',
  ExportNamedDeclaration: 'export: bundle the module into CommonJS files',
  ExportDefaultDeclaration: 'export: bundle the module into CommonJS files',
  ExportAllDeclaration: 'export: bundle the module into CommonJS files',
  ImportExpression: 'import(): a detector loads nothing while it judges',
  AwaitExpression: 'await: a detector answers at once',
  WithStatement: 'with',
};

const LOOPS: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

const CALLS: ReadonlySet<string> = new Set(['CallExpression', 'NewExpression']);

const ENTER = `${GUARD}.enter();try{`;
const LEAVE = `}finally{${GUARD}.leave();}`;

/** A node of any type: fields are read by name. */
type AnyNode = Node & Readonly<Record<string, unknown>>;

/**
 * Makes a script count its own work, so that a bound on it ends it at the same place on every
 * machine: each turn of a loop, each call of a function and its depth, and what a spread
 * copies. A generator counts as a call until it ends.
 */
export function instrument(text: string): Instrumented {
  let tree: Node;
  try {
    tree = parse(text, {
      ecmaVersion: 2024,
      sourceType: 'script',
      allowReturnOutsideFunction: true,
      allowHashBang: false,
      // Else a wrapping of an arrow's body would begin within its parentheses.
      preserveParens: true,
      locations: true,
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const hint = /'import' and 'export'/.test(error.message) ? ': bundle it into CommonJS' : '';
    return { kind: 'refused', problem: `${error.message}${hint}` };
  }
  const wrappings: Wrapping[] = [];
  const problem = visitAll(tree as AnyNode, wrappings);
  if (problem !== null) return { kind: 'refused', problem };
  return { kind: 'code', code: apply(text, wrappings) };
}

/** Visits without recursion: a tree may be as deep as the text is long. */
function visitAll(root: AnyNode, wrappings: Wrapping[]): string | null {
  const open: AnyNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const problem = problemOf(node);
    if (problem !== null) return `${problem} (line ${lineOf(node)})`;
    guard(node, wrappings);
    open.push(...Object.values(node).flat().filter(isNode));
  }
  return null;
}

function problemOf(node: AnyNode): string | null {
  const refused = REFUSED[node.type] ?? refusedForm(node);
  return refused === null ? null : `It uses ${refused}`;
}

function refusedForm({ type, async: isAsync, await: isAwaiting, regex, name }: AnyNode) {
  if (FUNCTIONS.has(type) && isAsync === true) return 'async: a detector answers at once';
  if (type === 'ForOfStatement' && isAwaiting === true) return 'for await';
  if (type === 'Literal' && regex !== undefined) {
    return 'a regular expression, and some take forever: use startsWith, includes or split';
  }
  if (type === 'Identifier' && `${name}`.startsWith(GUARD)) {
    return `the name ${name}, which is reserved`;
  }
  return null;
}

function guard(node: AnyNode, wrappings: Wrapping[]): void {
  const add = ({ start, end }: Node, before: string, after: string) =>
    wrappings.push({ start, end, before, after });
  const call = (name: string, of: unknown) => {
    for (const part of of as readonly (AnyNode | null)[]) {
      if (part?.type === 'SpreadElement') {
        add(part.argument as AnyNode, `${GUARD}.${name}(`, ')');
      }
    }
  };
  if (LOOPS.has(node.type)) add(node.body as AnyNode, `{${GUARD}.turn();`, '}');
  else if (node.type === 'ArrayExpression') call('listed', node.elements);
  else if (node.type === 'ObjectExpression') call('copied', node.properties);
  else if (CALLS.has(node.type)) call('passed', node.arguments);
  else if (FUNCTIONS.has(node.type)) {
    const body = node.body as AnyNode;
    if (body.type === 'BlockStatement') add(body, `{${ENTER}`, `${LEAVE}}`);
    else add(body, `{${ENTER}return (`, `);${LEAVE}}`);
  }
}

/** Closes what begins earlier last, and opens it first. */
function apply(text: string, wrappings: readonly Wrapping[]): string {
  const opening = Map.groupBy(wrappings, ({ start }) => start);
  const closing = Map.groupBy(wrappings, ({ end }) => end);
  const cuts = [...new Set([...opening.keys(), ...closing.keys()])].sort((a, b) => a - b);
  let code = '';
  let done = 0;
  for (const cut of cuts) {
    code += text.slice(done, cut);
    done = cut;
    for (const { after } of (closing.get(cut) ?? []).toReversed()) code += after;
    for (const { before } of opening.get(cut) ?? []) code += before;
  }
  return code + text.slice(done);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function lineOf({ loc }: AnyNode): number {
  return (loc as unknown as { readonly start: { readonly line: number } }).start.line;
}
