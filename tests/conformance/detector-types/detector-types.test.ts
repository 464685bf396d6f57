import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { PACKAGED, packageManifest } from '../../../scripts/package/production-lock.ts';
import { temporaryFolder } from '../../support/command-line.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXAMPLE = join(ROOT, 'examples/detectors/mintscope-detector-one-payer/index.js');
const SAME = join(import.meta.dirname, 'same-contract.ts');

const STRICT: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, allowJs: true, checkJs: true, types: [] },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2024.d.ts'],
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
};

/** What the compiler says of a file, with others in the place of some that it reads. */
function problemsOf(path: string, replaced: Readonly<Record<string, string>> = {}): string[] {
  const host = ts.createCompilerHost(STRICT);
  const readSource = host.getSourceFile;
  host.getSourceFile = (name, language, ...more) => {
    const text = replaced[name];
    return text === undefined
      ? readSource(name, language, ...more)
      : ts.createSourceFile(name, text, language);
  };
  const program = ts.createProgram([path], STRICT, host);
  const source = program.getSourceFile(path);
  if (source === undefined) throw new Error(`${path} was not compiled`);
  return [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

/** The folder of an author, with the packed types installed as npm installs them. */
const author = temporaryFolder();
const packed = join(author, 'node_modules/mintscope');
const detector = join(author, 'detector.js');

beforeAll(() => {
  mkdirSync(packed, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(packed, 'package.json'), JSON.stringify(packageManifest(manifest, [])));
  expect(PACKAGED).toContain('types');
  cpSync(join(ROOT, 'types'), join(packed, 'types'), { recursive: true });
  writeFileSync(join(author, 'package.json'), '{"name":"mintscope-detector-mine"}');
  // The globals of CommonJS, which an author has from the types of Node.
  writeFileSync(join(author, 'globals.d.ts'), 'declare const exports: Record<string, unknown>;');
});

function problemsOfDetector(change: (source: string) => string): string[] {
  const source = readFileSync(EXAMPLE, 'utf8');
  const changed = change(source);
  writeFileSync(detector, changed);
  return problemsOf(detector);
}

describe('the types of the package', () => {
  test('let the example compile in the strictest way', () => {
    expect(problemsOfDetector((source) => source)).toEqual([]);
  });

  test.each([
    ['a field that a judgement does not have', 'valueAtRiskUsd: null', 'valueAtRisk: null'],
    ['a role that does not exist', "'funding_source', []", "'funder', []"],
    ['a number in the place of an amount', 'receivedLamports: 0n', 'receivedLamports: 0'],
    ['a figure that a case does not have', 'launch.timeMs + WINDOW_MS', 'launch.time + WINDOW_MS'],
    ['another version of the contract', 'contractVersion: 1', 'contractVersion: 2'],
    ['a launch that may be unknown', 'launch === null ||', ''],
  ])('refuse %s', (_, right, wrong) => {
    const problems = problemsOfDetector((source) => {
      expect(source).toContain(right);
      return source.replace(right, wrong);
    });
    expect(problems).not.toEqual([]);
  });

  test('are those that the service has', () => {
    expect(problemsOf(SAME)).toEqual([]);
  });

  test.each([
    ['judgement.d.ts', 'readonly rawScore: number;', 'readonly rawScore: number | null;'],
    ['judgement.d.ts', "  | 'burst'\n", ''],
    ['mint-case.d.ts', 'readonly fanOut: number;', ''],
    ['mint-case.d.ts', 'readonly usd: UsdNano | null;', 'readonly usd: UsdNano;'],
    ['clusters.d.ts', 'readonly via: Address | null;', 'readonly via: Address;'],
    ['index.d.ts', 'readonly severity: number;', 'readonly severity: string;'],
  ])('of %s would not be with another "%s"', (file, right, wrong) => {
    const path = join(ROOT, 'types/detector', file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(right);
    expect(problemsOf(SAME, { [path]: text.replace(right, wrong) })).not.toEqual([]);
  });
});
