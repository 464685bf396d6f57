import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Lock,
  packageManifest,
  productionLock,
  type SourceManifest,
} from '../package/production-lock.ts';
import { thirdPartyLicences } from '../package/third-party-licences.ts';
import { failed, ok, type ReleaseCheck } from './release-check.ts';
import { reasonOf, runScript } from './run-command.ts';

const TARBALL_MAX_BYTES = 10_000_000;

function readJson(root: string, path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** Lock file of all that an operator installs, and of what the package contains of others. */
function readProduction(root: string): Lock {
  const manifest = packageManifest(readJson(root, 'package.json') as SourceManifest, []);
  return productionLock(readJson(root, 'package-lock.json') as Lock, manifest);
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The version of a dependency, also of one that is installed under another name. */
function versionOf(wanted: string): string {
  return wanted.replace(/^npm:.+@/, '');
}

/** The lock file has every package in its one version, on every platform. */
export const lockFile: ReleaseCheck = {
  name: 'lock file',
  run: ({ root }) => {
    const { dependencies, devDependencies } = readJson(root, 'package.json') as Manifest;
    const { packages } = readJson(root, 'package-lock.json') as Lock;
    const wrong = Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name, wanted]) => packages[`node_modules/${name}`]?.version !== versionOf(wanted))
      .map(([name]) => name);
    if (wrong.length > 0) {
      return failed(
        `not in the exact version: ${wrong.join(', ')}`,
        'Pin them, and run "npm install --ignore-scripts" and "npm run lockfile".',
      );
    }
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    return missing.length === 0
      ? ok(`${Object.keys(packages).length - 1} packages`)
      : failed(
          `packages of platforms are missing: ${missing.join(', ')}`,
          'Run "npm run lockfile".',
        );
  },
};

/** Every package that an operator installs, or that ours contains, has an accepted licence. */
export const licences: ReleaseCheck = {
  name: 'licences',
  run: ({ root }) => {
    const lock = readProduction(root);
    try {
      thirdPartyLicences(lock, root);
    } catch (error) {
      return failed(
        (error as Error).message,
        'Use another package, or accept the licence in scripts/package/third-party-licences.ts.',
      );
    }
    return ok(`${Object.keys(lock.packages).length - 1} installed packages`);
  },
};

/** Packages with a script that runs when they are installed, and why nothing needs it. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@scarf/scarf': 'counts installations, which package.json switches off',
  bufferutil: 'compiles an optional faster form of what ws does itself',
  chdb: 'looks for the engine, which is a package of its own for each platform',
  esbuild: 'puts its program, a package for each platform, in place of the command that starts it',
  node: 'brings the runtime where Node is older than 24: "npm rebuild node"',
  protobufjs: 'prints a hint about its version',
  'utf-8-validate': 'compiles an optional faster form of what ws does itself',
};

/** No package needs its install script, except as docs/install.md says. */
export const installScripts: ReleaseCheck = {
  name: 'install scripts',
  run: ({ root }) => {
    const { packages } = readJson(root, 'package-lock.json') as Lock;
    const found = Object.entries(packages)
      .filter(([, entry]) => entry.hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const unknown = [...new Set(found)].filter((name) => !(name in INSTALL_SCRIPTS));
    return unknown.length === 0
      ? ok(`${found.length} packages have one, none is needed on Node 24`)
      : failed(
          `unknown scripts: ${unknown.join(', ')}`,
          'Read what they do; if nothing needs them, add them to scripts/release/package-checks.ts and docs/install.md.',
        );
  },
};

/** The documentation that is packed is that of these sources. */
export const documentation: ReleaseCheck = {
  name: 'documentation',
  run: ({ root }) => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-release-'));
    try {
      const result = runScript(['scripts/build-site.ts', folder], root);
      if (result.code !== 0) return failed(reasonOf(result), 'Correct what it names.');
      const built = globSync('**/*.{html,md,txt,js,css,json}', { cwd: folder });
      const differs = built.filter((path) => {
        const packed = join(root, 'docs/dist', path);
        return (
          !existsSync(packed) || !readFileSync(packed).equals(readFileSync(join(folder, path)))
        );
      });
      return differs.length === 0
        ? ok(`${built.length} files, all links lead somewhere`)
        : failed(
            `docs/dist is not built of these sources (${differs.length} files)`,
            'Run "npm run site:build".',
          );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** The package can be made, is small enough and lists what it contains. */
export const tarball: ReleaseCheck = {
  name: 'package',
  run: ({ root, version }) => {
    const folder = mkdtempSync(join(tmpdir(), 'mintscope-release-'));
    try {
      const result = runScript(['scripts/pack.ts', '--out', folder], root);
      if (result.code !== 0) return failed(reasonOf(result), 'Correct what it names.');
      const { size } = statSync(join(folder, `mintscope-${version}.tgz`));
      if (size > TARBALL_MAX_BYTES) {
        return failed(`the package has ${size} bytes`, `Keep it below ${TARBALL_MAX_BYTES}.`);
      }
      const missing = unlisted(readProduction(root), join(folder, 'package/sbom.cdx.json'));
      return missing.length === 0
        ? ok(`${(size / 1e6).toFixed(1)} MB, with its list of components`)
        : failed(`not in its list of components: ${missing.join(', ')}`, 'Run "npm run lockfile".');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Packages that the list of components does not have in their version. */
function unlisted({ packages }: Lock, sbom: string): readonly string[] {
  const { components } = JSON.parse(readFileSync(sbom, 'utf8')) as {
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`)
    .filter((name) => !listed.has(name));
}
