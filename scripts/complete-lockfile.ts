/**
 * Adds to package-lock.json the optional platform packages that npm left out because the registry
 * it asked does not carry them. Without those entries `npm ci` stops with `Missing: … from lock
 * file`. Only name, version and platform are written; npm skips them on other platforms.
 *
 * Run after every change of dependencies: npm run lockfile
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { answerHelp } from './answer-help.ts';

answerHelp(`Adds to the lock file the packages of other platforms that npm left out.

  npm run lockfile -- [path]      package-lock.json by default

Example, after every change of dependencies:
  npm install --ignore-scripts && npm run lockfile`);

interface LockEntry {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const SYSTEMS = [
  'darwin',
  'linux',
  'win32',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
];
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64'];

const path = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockEntry> };
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (place in lock.packages || `${parent}/${place}` in lock.packages) continue;
    const added = platformEntry(name, range, entry.dev === true);
    if (added === null) continue;
    lock.packages[place] = added;
    console.log(`added ${name} ${added.version}`);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);

/** Null for a package without platforms: npm handles those itself. */
function platformEntry(name: string, range: string, dev: boolean): LockEntry | null {
  const words = name.replaceAll('/', '-').split('-');
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (os.length === 0 && cpu.length === 0) return null;
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return {
    version: range.replace(/^[\^~]/, ''),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(libc.length > 0 && { libc }),
    ...(dev && { dev }),
  };
}
