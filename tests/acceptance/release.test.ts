import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiStability } from '../../scripts/release/api-checks.ts';
import { installScripts, licences, lockFile } from '../../scripts/release/package-checks.ts';
import type { ReleaseCheck } from '../../scripts/release/release-check.ts';
import {
  changelog,
  cleanTree,
  testCommand,
  version,
} from '../../scripts/release/repository-checks.ts';
import { VERSION } from '../../src/config/version.ts';
import { temporaryFolder } from '../support/command-line.ts';

const COPIED = [
  'package.json',
  'package-lock.json',
  'src/config/version.ts',
  'docs/openapi.json',
  'deploy/helm/mintscope/Chart.yaml',
  '.ci/run',
  'CHANGELOG.md',
];

const git = (root: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root });

/** A repository with the files that checks read, ready to be released. */
function readyRepository(): string {
  const root = temporaryFolder();
  for (const path of COPIED) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(path, join(root, path));
  }
  change(root, 'CHANGELOG.md', '## Unreleased', `## ${VERSION}, 2026-11-30`);
  git(root, 'init', '-q');
  commit(root);
  return root;
}

function commit(root: string): void {
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', 'x');
}

function change(root: string, path: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(root, path), text.replace(from, to));
}

const check = ({ run }: ReleaseCheck, root: string) => run({ root, version: VERSION });

describe('a repository that is ready', () => {
  test.each([cleanTree, version, changelog, testCommand, lockFile, installScripts, apiStability])(
    'passes the check of its $name',
    (each) => {
      expect(check(each, readyRepository())).toMatchObject({ status: 'ok' });
    },
  );
});

describe('a release is refused', () => {
  test.each<readonly [string, ReleaseCheck, (root: string) => void, RegExp]>([
    [
      'with an uncommitted file',
      cleanTree,
      (root) => writeFileSync(join(root, 'new'), ''),
      /1 files/,
    ],
    [
      'with another version in one file',
      version,
      (root) =>
        change(root, 'deploy/helm/mintscope/Chart.yaml', /appVersion: .*/, 'appVersion: "9.9.9"'),
      /Chart\.yaml has 9\.9\.9/,
    ],
    ['whose tag exists', version, (root) => git(root, 'tag', `v${VERSION}`), /exists/],
    [
      'without its section in the changelog',
      changelog,
      (root) => change(root, 'CHANGELOG.md', `## ${VERSION}`, '## 99.0.0'),
      /no section/,
    ],
    [
      'with entries under "Unreleased"',
      changelog,
      (root) =>
        change(root, 'CHANGELOG.md', '# Changelog', '# Changelog\n\n## Unreleased\n\n- New.\n'),
      /Unreleased/,
    ],
    [
      'without a date',
      changelog,
      (root) => change(root, 'CHANGELOG.md', ', 2026-11-30', ''),
      /no date/,
    ],
    [
      'whose tests leave out the folder rules',
      testCommand,
      (root) => change(root, 'package.json', ' && npm run layers', ''),
      /leaves something out/,
    ],
    [
      'with a package that is not locked in its version',
      lockFile,
      (root) => change(root, 'package.json', /"fastify": "[^"]+"/, '"fastify": "5.0.0"'),
      /fastify/,
    ],
    [
      'with a package of a platform missing',
      lockFile,
      (root) =>
        change(
          root,
          'package-lock.json',
          '"node_modules/@chdb/lib-linux-x64-gnu"',
          '"node_modules/x"',
        ),
      /@chdb\/lib-linux-x64-gnu/,
    ],
    [
      'with an install script that nobody has read',
      installScripts,
      (root) =>
        change(
          root,
          'package-lock.json',
          /("node_modules\/fastify": \{)/,
          '$1 "hasInstallScript": true,',
        ),
      /fastify/,
    ],
    [
      'with a licence that is not accepted',
      licences,
      (root) =>
        change(
          root,
          'package-lock.json',
          /("node_modules\/fastify": \{[\s\S]*?"license": )"MIT"/,
          '$1"AGPL-3.0-only"',
        ),
      /fastify \(AGPL-3\.0-only\)/,
    ],
    [
      'that removes a field without raising the minor version',
      apiStability,
      (root) => {
        git(root, 'tag', `v${VERSION}`);
        change(root, 'docs/openapi.json', /"\/v1\/fraud\/check": \{/, '"/v1/fraud/checked": {');
      },
      /GET \/v1\/fraud\/check is gone/,
    ],
  ])('%s', (_, each, spoil, reason) => {
    const root = readyRepository();
    spoil(root);
    const result = check(each, root);
    expect(result.status).toBe('failed');
    expect(result.detail).toMatch(reason);
    if (result.status === 'failed') expect(result.wayOut).toMatch(/\.$/);
  });
});

test('every install script that is known is explained in docs/install.md', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.split('node_modules/').at(-1) ?? '');
  const section = readFileSync('docs/install.md', 'utf8').split('## Supply chain')[1] ?? '';
  expect(names).toContain('node');
  for (const name of names) expect(section).toContain(`\`${name}\``);
});

describe('npm run release -- --dry-run --json', () => {
  let report: {
    readonly tag: string;
    readonly ok: boolean;
    readonly checks: readonly {
      readonly name: string;
      readonly status: string;
      readonly detail: string;
    }[];
  };
  let code: number | null = null;
  const state = () =>
    ['rev-parse HEAD', 'tag --list', 'status --porcelain'].map((args) =>
      String(git(resolve('.'), ...args.split(' '))),
    );
  let before: readonly string[] = [];
  let after: readonly string[] = [];

  beforeAll(() => {
    before = state();
    const args = ['scripts/release.ts', '--dry-run', '--json'];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    report = JSON.parse(stdout);
    code = status;
    after = state();
  });

  test('changes nothing', () => {
    expect(after).toEqual(before);
  });

  test('names the tag, and fails exactly if a check did', () => {
    expect(report.tag).toBe(`v${VERSION}`);
    const isWhole = report.checks.every(({ status }) => status === 'ok');
    expect([report.ok, code]).toEqual([isWhole, isWhole ? 0 : 1]);
  });

  /** Of a release alone: a tree in work is neither clean nor built nor in the changelog. */
  const ofRelease = ['clean tree', 'version', 'changelog', 'api stability', 'documentation'];

  test('finds what must hold at any time', () => {
    const failures = report.checks.filter(
      ({ name, status }) => status !== 'ok' && !ofRelease.includes(name),
    );
    expect(failures).toEqual([]);
    expect(report.checks.length).toBe(11);
  });
});
