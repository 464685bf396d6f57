import { BUNDLED_FOLDER } from './bundled-packages.ts';

/** An entry of `package-lock.json`. */
export interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

export interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** The fields of package.json that the package is made from. */
export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/**
 * The manifest of the package. It has no scripts, so nothing of ours runs when it is installed, no
 * development dependencies, and none of the packages that it contains in `bundled`.
 */
export function packageManifest(
  source: SourceManifest,
  bundled: readonly string[],
): Readonly<Record<string, unknown>> {
  const { name, version, description, license, type } = source;
  const dependencies = Object.fromEntries(
    Object.entries(source.dependencies).filter(([each]) => !bundled.includes(each)),
  );
  return {
    name,
    version,
    description,
    license,
    type,
    bin: { mintscope: 'bin/mintscope.cjs' },
    exports: EXPORTS,
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    files: PACKAGED,
    dependencies,
  };
}

/** What other packages can import: the types of the contract of detectors, which no code is behind. */
const EXPORTS = {
  './detector': { types: './types/detector/index.d.ts' },
  './package.json': './package.json',
};

/** What the package contains beside its manifest. */
export const PACKAGED = [
  'bin',
  'src',
  'simulator',
  'proto',
  'types',
  BUNDLED_FOLDER,
  'web/dist',
  'docs/dist',
  'deploy/mintscope.service',
  'CHANGELOG.md',
  'npm-shrinkwrap.json',
  'sbom.cdx.json',
  'THIRD_PARTY_LICENCES.txt',
];

/**
 * The lock file of the package: the tested version of every package that it needs, directly or not,
 * for all platforms. npm obeys an `npm-shrinkwrap.json` in a package that it installs.
 */
export function productionLock(
  lock: Lock,
  manifest: Readonly<Record<string, unknown>>,
): Lock & { readonly name: unknown } {
  const { name, version, license, bin, engines, os, cpu, dependencies } = manifest;
  const root = { name, version, license, os, cpu, dependencies, bin, engines } as LockEntry;
  const needed = neededBy(root, lock);
  const others = Object.entries(lock.packages).filter(([path]) => needed.has(path));
  return {
    name,
    lockfileVersion: lock.lockfileVersion,
    packages: { '': root, ...Object.fromEntries(others) },
  };
}

/**
 * Paths of all packages that this one needs, directly or not. A peer that another can do without is
 * needed by nobody, though the lock file has it because of a development package.
 */
function neededBy(root: LockEntry, { packages }: Lock): ReadonlySet<string> {
  const needed = new Set<string>();
  const waiting: (readonly [path: string, entry: LockEntry])[] = [['', root]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, { dependencies, optionalDependencies, peerDependencies, ...entry }] = next;
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const path = pathOf(name, from, packages);
      const found = path === null ? undefined : packages[path];
      if (path === null || found === undefined || needed.has(path)) continue;
      needed.add(path);
      waiting.push([path, found]);
    }
  }
  return needed;
}

/** Where a package finds another: below itself, or below one that contains it. Null if nowhere. */
function pathOf(name: string, from: string, packages: Lock['packages']): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return null;
  }
}
