import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../model/errors.ts';
import {
  type RuleOfFolder,
  readRule,
  withoutRepeatedNames,
} from '../../service/rules/rules-folder.ts';

const IS_RULE = /\.ya?ml$/;

/**
 * The rules of files, and of folders with files. Throws UsageError for a path that is neither,
 * and where there is none. A rule whose name another one has is a problem.
 */
export function rulesAt(paths: readonly string[]): readonly RuleOfFolder[] {
  const files = paths.flatMap((path) => (isFolder(path) ? filesIn(path) : [path]));
  if (files.length === 0) {
    throw new UsageError('There is no rule there: name files, or folders with *.yaml files.');
  }
  // A file that is named twice, itself or by its folder, is read once.
  const each = [...new Map(files.map((file) => [resolve(file), file])).values()];
  return withoutRepeatedNames(each.map((file) => ({ file, ...readRule(file) })));
}

function isFolder(path: string): boolean {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry === undefined) throw new UsageError(`There is no file or folder ${path}.`);
  return entry.isDirectory();
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => IS_RULE.test(name))
    .sort()
    .map((name) => join(folder, name));
}
