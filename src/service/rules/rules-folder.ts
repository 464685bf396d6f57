import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../model/errors.ts';
import {
  OPERATOR,
  type PublishedRule,
  RULE_BYTES_MAX,
  RULES_MAX,
} from '../../model/rule-change.ts';
import { compileNewRule } from '../../rules/compile-new-rule.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import { tooLarge } from '../../rules/file/read-rule-file.ts';
import { problemText } from '../../rules/problem.ts';
import { canonicalRule } from '../../rules/rule-id.ts';

const IS_RULE = /\.ya?ml$/;

/** A file of a folder of rules: its rule, or its problems as sentences. */
export interface RuleOfFolder {
  readonly file: string;
  readonly rule: CompiledRule | null;
  readonly problems: readonly string[];
}

/** All files `*.yaml` and `*.yml` of a folder, by name. Throws UsageError if it cannot be read. */
export function readRulesFolder(folder: string): readonly RuleOfFolder[] {
  const files = namesIn(folder).filter((name) => IS_RULE.test(name));
  return withoutRepeatedNames(files.map((file) => ({ file, ...readRule(join(folder, file)) })));
}

/** The files, with a problem in place of each rule whose name another one before it has. */
export function withoutRepeatedNames(files: readonly RuleOfFolder[]): readonly RuleOfFolder[] {
  const seen = new Map<string, string>();
  return files.map((found) => {
    const name = found.rule?.file.name;
    if (name === undefined) return found;
    const other = seen.get(name);
    seen.set(name, other ?? found.file);
    if (other === undefined) return found;
    const message = `${other} has a rule of the name ${name} too: rename one of them.`;
    return { file: found.file, rule: null, problems: [message] };
  });
}

/** Reads one file; a file that cannot be read is a problem. */
export function readRule(path: string): Omit<RuleOfFolder, 'file'> {
  let text: string;
  try {
    const { size } = statSync(path);
    // Read only if it can be a rule: a folder may have anything in it.
    if (size > RULE_BYTES_MAX) return { rule: null, problems: [tooLarge(size)] };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { rule: null, problems: [`The file cannot be read: ${reasonOf(error)}.`] };
  }
  const { value, problems } = compileNewRule(text);
  return { rule: value, problems: problems.map(problemText) };
}

/** The rules of the operator. Throws UsageError that names each file with a problem. */
export function operatorRules(folder: string | null): readonly PublishedRule[] {
  if (folder === null) return [];
  const read = readRulesFolder(folder);
  const problems = read.flatMap(({ file, problems: own }) => own.map((text) => `${file}: ${text}`));
  if (problems.length > 0) {
    throw new UsageError(
      `The folder of rules ${folder} has ${problems.length} problems; the first is ${problems[0]}`,
    );
  }
  if (read.length > RULES_MAX) {
    throw new UsageError(`The folder of rules ${folder} has more than ${RULES_MAX} rules.`);
  }
  return read.flatMap(({ rule }) => (rule === null ? [] : toPublished(OPERATOR, rule)));
}

export function toPublished(author: string, { file }: CompiledRule): PublishedRule {
  return { author, name: file.name, content: canonicalRule(file) };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const message = `The folder of rules ${folder} cannot be read: ${reasonOf(error)}.`;
    throw new UsageError(message, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
