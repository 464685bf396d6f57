/** An entry of `package-lock.json`. */
export interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
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
 * The manifest of the package. It has no scripts, so nothing of ours runs when it is installed, and
 * no development dependencies.
 */
export function packageManifest(source: SourceManifest): Readonly<Record<string, unknown>> {
  const { name, version, description, license, type, dependencies } = source;
  return {
    name,
    version,
    description,
    license,
    type,
    bin: { mintscope: 'bin/mintscope.cjs' },
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    files: PACKAGED,
    dependencies,
  };
}

/** What the package contains beside its manifest. */
export const PACKAGED = [
  'bin',
  'src',
  'simulator',
  'proto',
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
  const others = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true,
  );
  return {
    name,
    lockfileVersion: lock.lockfileVersion,
    packages: { '': root, ...Object.fromEntries(others) },
  };
}
