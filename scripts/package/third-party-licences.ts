import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock, LockEntry } from './production-lock.ts';

/** Licences under which the package may use others' work. LGPL: libvips, which is loaded as a library of its own. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'Unlicense',
]);
const TEXTS = /^(licen[cs]e|copying|notice|third[-_]party[-_]notices)([-._].*)?$/i;

interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly texts: readonly string[];
}

/**
 * All packages that are installed with ours or part of it, their licences and the texts of these. Refuses one
 * without a known licence. Texts of packages for other platforms are those of the same package for
 * this one, as their names say.
 */
export function thirdPartyLicences(lock: Lock, root: string): string {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const all = entries.map(([path, entry]) => describe(path, entry, lock, root));
  const refused = all.filter(({ licence }) => !isAccepted(licence));
  if (refused.length > 0) {
    const names = refused.map(({ name, licence }) => `${name} (${licence})`).join(', ');
    throw new Error(`These packages have no accepted licence: ${names}.`);
  }
  const list = all.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  const texts = all
    .filter((each) => each.texts.length > 0)
    .map(
      ({ name, version, texts }) =>
        `${'='.repeat(80)}\n${name} ${version}\n\n${texts.join('\n\n')}`,
    );
  return [
    'Mintscope contains parts of these packages, or is installed with them for the platform that it runs on.',
    '',
    ...[...new Set(list)],
    '',
    ...texts,
    '',
  ].join('\n');
}

function describe(path: string, entry: LockEntry, lock: Lock, root: string): ThirdParty {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return {
    name,
    version: entry.version ?? '',
    licence: entry.license ?? licenceOfOwner(name, lock),
    texts: textsIn(join(root, path)),
  };
}

/** A package for one platform that the registry did not describe is part of the one that needs it. */
function licenceOfOwner(name: string, lock: Lock): string {
  const owner = Object.values(lock.packages).find(
    ({ optionalDependencies = {} }) => name in optionalDependencies,
  );
  return owner?.license ?? 'unknown';
}

/** `A AND B` needs both, `(A OR B)` one of them. */
function isAccepted(expression: string): boolean {
  const words = expression.replaceAll(/[()]/g, '').split(/\s+(AND|OR)\s+/);
  const names = words.filter((word) => word !== 'AND' && word !== 'OR');
  return words.includes('OR')
    ? names.some((name) => ACCEPTED.has(name))
    : names.every((name) => ACCEPTED.has(name));
}

function textsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim());
}
