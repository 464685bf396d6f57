import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const UNITS_FILE = 'src/model/units.ts';
const UNITS: ReadonlySet<string> = new Set([
  'Address',
  'Signature',
  'Slot',
  'Lamports',
  'RawAmount',
  'UsdNano',
  'PriceE18',
]);
/** Folders whose casts have not been replaced. */
const UNCHECKED: readonly string[] = [];

/** The casts of a source file to a unit, or to a type that contains one. */
function unitCasts(name: string, text: string): string[] {
  if (!text.includes('/units.ts')) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const units = importedUnits(source);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
      names(node.type, units)
    ) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${name}:${line + 1} ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The names that a file gives to the units it imports: other libraries have an `Address` too. */
function importedUnits(source: ts.SourceFile): ReadonlySet<string> {
  const names = source.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
    const bindings = statement.importClause?.namedBindings;
    const isOfUnits = statement.moduleSpecifier.getText().includes('/units.ts');
    if (!isOfUnits || bindings === undefined || !ts.isNamedImports(bindings)) return [];
    return bindings.elements
      .filter(({ name, propertyName }) => UNITS.has((propertyName ?? name).text))
      .map(({ name }) => name.text);
  });
  return new Set(names);
}

function names(type: ts.Node, units: ReadonlySet<string>): boolean {
  if (ts.isTypeReferenceNode(type) && units.has(type.typeName.getText())) return true;
  return ts.forEachChild(type, (child) => names(child, units)) ?? false;
}

const IMPORT = "import type { Address, Slot } from '../model/units.ts';\n";

describe('units', () => {
  test('are asserted by their constructors only', () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(
      (file) => file !== UNITS_FILE && !UNCHECKED.some((folder) => file.startsWith(folder)),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(
      files.flatMap((file) => unitCasts(file, readFileSync(resolve(ROOT, file), 'utf8'))),
    ).toEqual([]);
  });

  test.each([
    'const a = value as Address;',
    'const a = <Address>value;',
    'const a = rows.map((row) => ({ ...row, slot: row.slot as Slot | null }));',
    'const a = texts as readonly Address[];',
    'const a = [one, two] as unknown as [Address, Slot];',
    'const a = new Map() as Map<Address, number>;',
  ])('are found in %s', (line) => {
    expect(unitCasts('planted.ts', IMPORT + line)).toHaveLength(1);
  });

  test('are found under another name, and not confused with types of the same name', () => {
    const renamed = "import { type Slot as Height } from './units.ts';\nconst a = 1 as Height;";
    expect(unitCasts('planted.ts', renamed)).toEqual(['planted.ts:2 1 as Height']);
    const other = "import type { Address } from '@solana/kit';\nconst a = text as Address;";
    expect(unitCasts('planted.ts', other)).toEqual([]);
    expect(unitCasts('planted.ts', `${IMPORT}const a = asSlot(1) satisfies Slot;`)).toEqual([]);
  });
});
