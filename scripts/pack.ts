/**
 * Makes the npm package in `build/`: `npm run pack`. Its sources are compiled, because Node runs no
 * TypeScript of installed packages, and lie in the same places as in the clone (decision 0064).
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '../src/config/version.ts';
import { answerHelp } from './answer-help.ts';
import { bundlePackages } from './package/bundle-packages.ts';
import { BUNDLED_PACKAGES } from './package/bundled-packages.ts';
import { compileSources, missingFiles } from './package/compile-sources.ts';
import {
  type Lock,
  packageManifest,
  productionLock,
  type SourceManifest,
} from './package/production-lock.ts';
import { thirdPartyLicences } from './package/third-party-licences.ts';

answerHelp(`Makes the npm package: compiled sources, dashboard, documentation, licences, components.

  --out <folder>   where (build)

Example:
  npm run pack -- --out build`);

const ROOT = resolve(import.meta.dirname, '..');
const COPIED = [
  'bin',
  'proto',
  'types',
  'web/dist',
  'docs/dist',
  'deploy/mintscope.service',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
const TARBALL_MAX_BYTES = 10_000_000;

const { values } = parseArgs({ options: { out: { type: 'string', default: 'build' } } });
const out = resolve(values.out);
const folder = join(out, 'package');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
compileSources(ROOT, folder);
await bundlePackages(ROOT, folder);
for (const path of COPIED) {
  if (existsSync(join(ROOT, path))) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
}
describePackage();
const missing = missingFiles(folder);
if (missing.length > 0) throw new Error(`Not in the package:\n${missing.join('\n')}`);
const tarball = pack();
const bytes = statSync(tarball).size;
if (bytes > TARBALL_MAX_BYTES) {
  throw new Error(`${tarball} has ${bytes} bytes, the maximum is ${TARBALL_MAX_BYTES}.`);
}
console.log(`${tarball}: ${(bytes / 1e6).toFixed(1)} MB`);

/** Manifest, lock file, licences and list of components. */
function describePackage(): void {
  const source = readJson('package.json') as SourceManifest;
  if (source.version !== VERSION) {
    throw new Error(
      `package.json has version ${source.version}, src/config/version.ts has ${VERSION}.`,
    );
  }
  const wholeLock = readJson('package-lock.json') as Lock;
  // Licences and components are those of all that is in the package or installed with it.
  const unbundled = packageManifest(source, []);
  const all = productionLock(wholeLock, unbundled);
  writeFileSync(join(folder, 'THIRD_PARTY_LICENCES.txt'), thirdPartyLicences(all, ROOT));
  writeJson('package.json', unbundled);
  writeJson('npm-shrinkwrap.json', all);
  const sbom = JSON.parse(
    npm(['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']),
  ) as { serialNumber?: string; metadata: { timestamp?: string } };
  // Without them the same commit makes the same package.
  delete sbom.serialNumber;
  delete sbom.metadata.timestamp;
  writeJson('sbom.cdx.json', sbom);
  const manifest = packageManifest(source, BUNDLED_PACKAGES);
  writeJson('package.json', manifest);
  writeJson('npm-shrinkwrap.json', productionLock(wholeLock, manifest));
}

function pack(): string {
  const [{ filename = '' } = {}] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', out]),
  ) as readonly { readonly filename?: string }[];
  return join(out, filename);
}

/** The output of npm, run in the folder of the package. */
function npm(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return stdout;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);
}
