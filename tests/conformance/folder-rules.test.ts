import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const IMPORTS = '.dependency-cruiser.cjs';
const FOLDERS = '.dependency-cruiser-folders.cjs';

/**
 * A violation of each rule: a file, and what it must not import. `beside` are files that belong to the
 * violation: of a cycle, the way back.
 */
interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly imports: string;
  readonly beside?: readonly (readonly [file: string, imports: string])[];
}

const VIOLATIONS: readonly Violation[] = [
  {
    rule: 'no-cycles',
    file: 'src/lib/one.ts',
    imports: 'src/lib/two.ts',
    beside: [['src/lib/two.ts', 'src/lib/one.ts']],
  },
  { rule: 'lib-knows-nothing', file: 'src/lib/a.ts', imports: 'src/model/b.ts' },
  { rule: 'model-knows-only-lib', file: 'src/model/a.ts', imports: 'src/fold/b.ts' },
  { rule: 'model-does-no-io', file: 'src/model/c.ts', imports: 'node:fs' },
  { rule: 'chain-knows-only-model-and-lib', file: 'src/chain/a.ts', imports: 'src/store/b.ts' },
  {
    rule: 'decoders-knows-only-model-and-lib',
    file: 'src/decoders/a.ts',
    imports: 'src/chain/b.ts',
  },
  { rule: 'fold-knows-only-model-and-lib', file: 'src/fold/a.ts', imports: 'src/fraud/b.ts' },
  {
    rule: 'fraud-knows-only-model-and-lib-and-fold',
    file: 'src/fraud/a.ts',
    imports: 'src/signals/b.ts',
  },
  {
    rule: 'detector-modules-knows-only-model-and-lib-and-fraud',
    file: 'src/detector-modules/a.ts',
    imports: 'src/engine/b.ts',
  },
  {
    rule: 'the-realm-of-a-module-has-no-imports',
    file: 'src/detector-modules/sandbox/realm/a.ts',
    imports: 'src/lib/b.ts',
  },
  {
    rule: 'market-knows-only-model-and-lib',
    file: 'src/market/a.ts',
    imports: 'src/fold/b.ts',
  },
  {
    rule: 'relay-knows-only-model-and-lib-and-api',
    file: 'src/relay/a.ts',
    imports: 'src/cluster/b.ts',
  },
  {
    rule: 'cluster-knows-contracts-and-encodings',
    file: 'src/cluster/a.ts',
    imports: 'src/engine/b.ts',
  },
  {
    rule: 'only-what-composes-knows-the-cluster',
    file: 'src/engine/cluster-reader.ts',
    imports: 'src/cluster/b.ts',
  },
  {
    rule: 'backtest-knows-only-model-and-lib-and-signals-and-rules',
    file: 'src/backtest/a.ts',
    imports: 'src/engine/b.ts',
  },
  {
    rule: 'rules-knows-only-model-and-lib-and-fraud-and-signals/features',
    file: 'src/rules/a.ts',
    imports: 'src/signals/b.ts',
  },
  {
    rule: 'signals-knows-only-model-and-lib-and-fold',
    file: 'src/signals/a.ts',
    imports: 'src/fraud/b.ts',
  },
  {
    rule: 'alerts-knows-only-model-and-lib-and-fold',
    file: 'src/alerts/a.ts',
    imports: 'src/store/b.ts',
  },
  {
    rule: 'offchain-knows-only-model-and-lib',
    file: 'src/offchain/a.ts',
    imports: 'src/social/b.ts',
  },
  { rule: 'tracing-knows-only-model-and-lib', file: 'src/tracing/a.ts', imports: 'src/store/b.ts' },
  { rule: 'social-knows-only-model-and-lib', file: 'src/social/a.ts', imports: 'src/store/b.ts' },
  { rule: 'store-knows-only-model-and-lib', file: 'src/store/a.ts', imports: 'src/engine/b.ts' },
  { rule: 'api-knows-only-model-and-lib', file: 'src/api/a.ts', imports: 'src/engine/b.ts' },
  {
    rule: 'engine-knows-no-source-store-or-server',
    file: 'src/engine/a.ts',
    imports: 'src/store/b.ts',
  },
  { rule: 'fold-is-pure', file: 'src/fold/c.ts', imports: 'node:fs' },
  {
    rule: 'decoders-do-not-know-each-other',
    file: 'src/decoders/programs/a.ts',
    imports: 'src/decoders/programs/b.ts',
  },
  { rule: 'routes-read-through-deps', file: 'src/api/routes/a.ts', imports: 'src/store/b.ts' },
  {
    rule: 'routes-never-import-routes',
    file: 'src/api/routes/c.ts',
    imports: 'src/api/routes/d.ts',
  },
  { rule: 'nobody-imports-the-composition', file: 'src/engine/c.ts', imports: 'src/service/b.ts' },
  {
    rule: 'decode-threads-only-read-decode-and-encode',
    file: 'src/chain/threads/a.ts',
    imports: 'src/config/b.ts',
  },
  {
    rule: 'what-is-served-knows-no-server',
    file: 'src/ingestion/a.ts',
    imports: 'src/bridge/b.ts',
  },
  { rule: 'the-api-thread-loads-no-engine', file: 'src/bridge/a.ts', imports: 'src/engine/b.ts' },
  {
    rule: 'tracing-is-loaded-when-asked-for',
    file: 'src/service/traced.ts',
    imports: 'src/tracing/b.ts',
  },
  { rule: 'gathering-knows-no-fold', file: 'src/gathering/a.ts', imports: 'src/fold/b.ts' },
  {
    rule: 'simulator-knows-only-model-and-lib',
    file: 'simulator/a.ts',
    imports: 'src/engine/b.ts',
  },
  { rule: 'simulator-draws-from-its-seed', file: 'simulator/c.ts', imports: 'node:fs' },
  {
    rule: 'simulator-folders-never-import-its-root',
    file: 'simulator/chain/a.ts',
    imports: 'simulator/e.ts',
  },
  { rule: 'only-commands-know-the-simulator', file: 'src/service/a.ts', imports: 'simulator/b.ts' },
  { rule: 'web-knows-no-other-folder', file: 'web/src/api/a.ts', imports: 'src/model/b.ts' },
  {
    rule: 'pages-share-only-the-foundation',
    file: 'web/src/pages/token/a.ts',
    imports: 'web/src/pages/wallet/b.ts',
  },
  {
    rule: 'foundation-knows-no-page',
    file: 'web/src/ui/a.ts',
    imports: 'web/src/pages/market/b.ts',
  },
  { rule: 'nobody-imports-the-dashboard', file: 'bench/a.ts', imports: 'web/src/api/c.ts' },
  {
    rule: 'nobody-imports-the-documentation-site',
    file: 'bench/h.ts',
    imports: 'site/a.ts',
  },
  {
    rule: 'the-site-reads-registries-only',
    file: 'site/cards/a.ts',
    imports: 'src/service/h.ts',
  },
  {
    rule: 'browser-part-of-the-site-knows-only-itself',
    file: 'site/browser/a.ts',
    imports: 'site/b.ts',
  },
  {
    rule: 'a-client-knows-only-the-api',
    file: 'clients/typescript/src/a.ts',
    imports: 'src/lib/h.ts',
  },
  {
    rule: 'a-client-has-no-packages',
    file: 'clients/typescript/src/b.ts',
    imports: 'fast-check',
  },
  {
    rule: 'nobody-imports-a-client',
    file: 'src/lib/i.ts',
    imports: 'clients/typescript/src/c.ts',
  },
  { rule: 'no-tests-in-product', file: 'src/lib/e.ts', imports: 'src/lib/f.test.ts' },
  { rule: 'no-development-packages-in-product', file: 'src/lib/g.ts', imports: 'fast-check' },
];

const FOLDER_VIOLATIONS: readonly Violation[] = [
  {
    rule: 'no-cycles-between-folders',
    file: 'src/fraud/one/a.ts',
    imports: 'src/fraud/two/b.ts',
    beside: [['src/fraud/two/c.ts', 'src/fraud/one/d.ts']],
  },
  {
    rule: 'no-cycles-between-simulator-folders',
    file: 'simulator/one/a.ts',
    imports: 'simulator/two/b.ts',
    beside: [['simulator/two/c.ts', 'simulator/one/d.ts']],
  },
];

/** What `npm run layers` reads. */
const FOLDERS_OF_IMPORTS = ['src', 'simulator', 'tests', 'bench', 'web/src', 'site', 'clients'];

const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

describe.each([
  [IMPORTS, VIOLATIONS],
  [FOLDERS, FOLDER_VIOLATIONS],
])('the rules of %s', (config, violations) => {
  test('each have a planted violation here', () => {
    expect(violations.map(({ rule }) => rule).sort()).toEqual([...rulesOf(config)].sort());
  });

  test('each report the import that violates them', () => {
    const found = cruise(plant(violations), config);
    for (const { rule, file } of violations) {
      const from = config === FOLDERS ? dirname(file) : file;
      expect(found, `${rule} in ${file}`).toContainEqual([rule, from]);
    }
  });

  test('report nothing of files that import what they may', () => {
    const allowed: Violation[] = [
      { rule: '', file: 'src/fraud/a.ts', imports: 'src/fold/b.ts' },
      { rule: '', file: 'src/fold/b.ts', imports: 'src/model/c.ts' },
      { rule: '', file: 'src/api/routes/d.ts', imports: 'src/api/schemas/e.ts' },
    ];
    expect(cruise(plant(allowed), config)).toEqual([]);
  });
});

function rulesOf(config: string): readonly string[] {
  const { forbidden } = createRequire(import.meta.url)(join(ROOT, config)) as {
    forbidden: readonly { readonly name: string }[];
  };
  return forbidden.map(({ name }) => name);
}

/** Writes a tree of the files, and of those that they import, and returns its folder. */
function plant(violations: readonly Violation[]): string {
  const tree = mkdtempSync(join(tmpdir(), 'mintscope-rules-'));
  trees.push(tree);
  const planted = violations.flatMap(({ file, imports, beside = [] }) => [
    [file, imports] as const,
    ...beside,
  ]);
  const texts = new Map(planted.map(([file, imports]) => [file, importOf(file, imports)]));
  for (const [, imported] of planted) {
    if (imported.endsWith('.ts') && !texts.has(imported)) texts.set(imported, 'export {};\n');
  }
  for (const [file, text] of texts) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  for (const folder of FOLDERS_OF_IMPORTS) {
    mkdirSync(join(tree, folder), { recursive: true });
  }
  const packageFile = { type: 'module', devDependencies: { 'fast-check': '*' } };
  writeFileSync(join(tree, 'package.json'), JSON.stringify(packageFile));
  const compilerOptions = { module: 'nodenext', allowImportingTsExtensions: true, noEmit: true };
  writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

function importOf(file: string, imports: string): string {
  const path = relative(dirname(file), imports);
  const specifier = !imports.endsWith('.ts') ? imports : path.startsWith('.') ? path : `./${path}`;
  return `import '${specifier}';\n`;
}

/** Rule and file, or folder, of each violation that is reported. */
function cruise(tree: string, config: string): readonly (readonly [string, string])[] {
  const command = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const folders = config === FOLDERS ? ['src', 'simulator'] : FOLDERS_OF_IMPORTS;
  const args = [command, ...folders, '--config', join(ROOT, config), '--output-type', 'json'];
  const options = { cwd: tree, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { summary } = JSON.parse(execFileSync(process.execPath, args, options)) as {
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return summary.violations.map(({ rule, from }) => [rule.name, from] as const);
}
