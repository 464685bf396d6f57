import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failed, ok, type ReleaseCheck, tagOf } from './release-check.ts';
import { reasonOf, runCommand } from './run-command.ts';

/** Everything is committed, so that the tag names what was checked. */
export const cleanTree: ReleaseCheck = {
  name: 'clean tree',
  run: ({ root }) => {
    const result = runCommand('git', ['status', '--porcelain'], root);
    if (result.code !== 0) return failed(reasonOf(result), 'Run this in a clone of git.');
    const changed = result.stdout.split('\n').filter((line) => line !== '');
    return changed.length === 0
      ? ok('nothing is uncommitted')
      : failed(`${changed.length} files are not committed`, 'Commit them or remove them.');
  },
};

/** Files that have the version, and what stands before and after it. */
const VERSIONED: readonly (readonly [file: string, pattern: RegExp])[] = [
  ['package.json', /^ {2}"version": "([^"]+)"/m],
  ['package-lock.json', /^ {2}"version": "([^"]+)"/m],
  ['src/config/version.ts', /VERSION = '([^']+)'/],
  ['docs/openapi.json', /^ {4}"version": "([^"]+)"/m],
  ['deploy/helm/mintscope/Chart.yaml', /^version: (\S+)$/m],
  ['deploy/helm/mintscope/Chart.yaml', /^appVersion: "([^"]+)"$/m],
];

/** The version is one, and no release has it. */
export const version: ReleaseCheck = {
  name: 'version',
  run: (context) => {
    const others = VERSIONED.flatMap(([file, pattern]) => {
      const found = pattern.exec(readFileSync(join(context.root, file), 'utf8'))?.[1] ?? 'none';
      return found === context.version ? [] : [`${file} has ${found}`];
    });
    if (others.length > 0) {
      return failed(others.join(', '), `Write ${context.version} there, as in package.json.`);
    }
    const tag = tagOf(context.version);
    const { stdout } = runCommand('git', ['tag', '--list', tag], context.root);
    return stdout.trim() === ''
      ? ok(`${context.version} in all files, and no tag ${tag} exists`)
      : failed(`the tag ${tag} exists`, 'Raise the version in package.json and the others.');
  },
};

/** The changelog names the version, and nothing is left under "Unreleased". */
export const changelog: ReleaseCheck = {
  name: 'changelog',
  run: (context) => {
    const text = readFileSync(join(context.root, 'CHANGELOG.md'), 'utf8');
    const sections = text.split(/^(?=## )/m).slice(1);
    const named = sections.find((section) => section.startsWith(`## ${context.version}`));
    const open = sections.find((section) => section.startsWith('## Unreleased'));
    if (named === undefined || (open ?? '').split('\n').slice(1).join('').trim() !== '') {
      return failed(
        named === undefined ? `no section "## ${context.version}"` : 'entries under "Unreleased"',
        `Rename "## Unreleased" of CHANGELOG.md to "## ${context.version}, <date>".`,
      );
    }
    return /^## \S+, \d{4}-\d{2}-\d{2}$/m.test(named)
      ? ok(named.split('\n', 1)[0] ?? '')
      : failed('the section has no date', `Write "## ${context.version}, <yyyy-mm-dd>".`);
  },
};

/** What everybody else runs is what the gate runs. */
export const testCommand: ReleaseCheck = {
  name: 'test command',
  run: ({ root }) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts?: Record<string, string>;
    };
    const gate = readFileSync(join(root, '.ci/run'), 'utf8');
    const parts = ['lint', 'types', 'layers', 'unit'];
    const isWhole =
      scripts.test === 'npm run check' &&
      parts.every((part) => scripts.check?.includes(`npm run ${part}`) === true);
    return isWhole && /^npm test$/m.test(gate)
      ? ok(`"npm test" runs ${parts.join(', ')}, and so does the gate`)
      : failed('"npm test" or .ci/run leaves something out', `Let them run ${parts.join(', ')}.`);
  },
};
