import { Compile } from 'typebox/compile';
import {
  isCollection,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
} from 'yaml';
import { RULE_BYTES_MAX } from '../../model/rule-change.ts';
import { accepted, type Checked, type RuleProblem, refused } from '../problem.ts';
import { RULE_FILE, type RuleFile } from './rule-file.ts';
import { yamlDepth } from './yaml-depth.ts';

const DEPTH_MAX = 16;
const PROBLEMS_MAX = 10;
const shape = Compile(RULE_FILE);

/** Where parts of a rule are in its file. */
export interface RuleSource {
  /** Line and column from 1; null where that cannot be said. `offset` is within a text. */
  positionOf(path: string, offset?: number): { line: number; column: number } | null;
}

/** A rule of the right shape, which may still not compile, and its source. */
export interface ReadRule {
  readonly file: RuleFile;
  readonly source: RuleSource;
}

/** Reads the text of a rule: YAML, of which JSON is a part. Never throws for what is in it. */
export function readRuleFile(text: string): Checked<ReadRule> {
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > RULE_BYTES_MAX) {
    return whole(tooLarge(sizeBytes));
  }
  const depth = yamlDepth(text);
  if (depth > DEPTH_MAX) {
    return whole(`The rule is nested ${depth} levels deep, at most ${DEPTH_MAX} are allowed.`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    logLevel: 'silent',
  });
  if (document.errors.length > 0) {
    return refused(
      document.errors.slice(0, PROBLEMS_MAX).map(({ message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        return {
          path: '',
          line,
          column: col,
          message: `The file is not YAML: ${firstLine(message)}.`,
        };
      }),
    );
  }
  const source = { positionOf: positions(document.contents, text, lines) };
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return whole('The rule has an alias, which is not allowed: write the text twice.');
  }
  const file = content as RuleFile;
  return shape.Check(content)
    ? accepted({ file, source })
    : refused(shapeProblems(content, source));
}

/** Why a text of this size is no rule. */
export function tooLarge(sizeBytes: number): string {
  return `The rule has ${sizeBytes} bytes, at most ${RULE_BYTES_MAX} are allowed.`;
}

function whole(message: string): Checked<never> {
  return refused([{ path: '', line: null, column: null, message }]);
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

function shapeProblems(content: unknown, source: RuleSource): RuleProblem[] {
  const problems = new Map<string, RuleProblem>();
  for (const { instancePath, keyword, message, params } of shape.Errors(content)) {
    // A union reports each of its members; the union itself comes with them.
    if (keyword === 'const') continue;
    const path = instancePath.slice(1).replaceAll('/', '.');
    const position = source.positionOf(path);
    const text = `${message}${named(params)}`;
    const key = `${path} ${text}`;
    problems.set(key, {
      path,
      line: position?.line ?? null,
      column: position?.column ?? null,
      message: `The value ${text}.`,
    });
    if (problems.size === PROBLEMS_MAX) break;
  }
  return [...problems.values()];
}

function named(params: object): string {
  const names = Object.values(params)
    .flat()
    .filter((value) => typeof value === 'string');
  return names.length === 0 ? '' : ` (${names.slice(0, 5).join(', ')})`;
}

function positions(root: unknown, text: string, lines: LineCounter): RuleSource['positionOf'] {
  return (path, offset = 0) => {
    const node = path === '' ? root : nodeAt(root, path.split('.'));
    const start = (node as Node | null)?.range?.[0];
    if (start === undefined) return null;
    const { line, col } = lines.linePos(start);
    if (!isScalar(node) || offset === 0) return { line, column: col };
    return withinScalar(node, { line, column: col, start, text, offset });
  };
}

interface ScalarOffset {
  readonly line: number;
  readonly column: number;
  /** Of the scalar in the text. */
  readonly start: number;
  readonly text: string;
  /** Within the value of the scalar. */
  readonly offset: number;
}

function withinScalar(scalar: Scalar, { line, column, start, text, offset }: ScalarOffset) {
  const value = String(scalar.value);
  if (scalar.type === 'BLOCK_LITERAL') {
    const before = value.slice(0, offset).split('\n');
    const source = text.split('\n')[line - 1 + before.length] ?? '';
    const indent = source.length - source.trimStart().length;
    return { line: line + before.length, column: indent + (before.at(-1)?.length ?? 0) + 1 };
  }
  const quote = scalar.type === 'PLAIN' || scalar.type === 'BLOCK_FOLDED' ? 0 : 1;
  // Escapes and folded lines make the source another text than the value.
  const isVerbatim = text.slice(start + quote, start + quote + value.length) === value;
  return { line, column: isVerbatim ? column + quote + offset : column };
}

/** The node at a path; the nearest one above it if it is missing. */
function nodeAt(root: unknown, path: readonly string[]): unknown {
  let node: unknown = root;
  for (const part of path) {
    if (!isCollection(node)) return node;
    const item = node.items.find((entry, index) =>
      isPair(entry)
        ? isScalar(entry.key) && String(entry.key.value) === part
        : String(index) === part,
    );
    if (item === undefined) return node;
    node = isPair(item) ? item.value : item;
  }
  return node;
}
