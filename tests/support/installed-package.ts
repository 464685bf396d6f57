import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface InstalledPackage {
  readonly tarball: string;
  /** The installed package itself. */
  readonly folder: string;
  /** The command, as npm links it. */
  readonly command: string;
  /** Apparent size of the package with everything that it needs. */
  readonly bytes: number;
}

/**
 * Makes the package and installs it below `root` as `npm install --global --omit=dev` does, without
 * a registry: the packages of its lock file are hard links to those of the clone.
 */
export function installPackage(root: string): InstalledPackage {
  const out = join(root, 'made');
  execFileSync(process.execPath, ['scripts/pack.ts', '--out', out], { stdio: 'pipe' });
  const [name = ''] = globSync('*.tgz', { cwd: out });
  const tarball = join(out, name);
  const folder = join(root, 'lib/node_modules/mintscope');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  const { packages } = JSON.parse(readFileSync(join(folder, 'npm-shrinkwrap.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>;
  };
  for (const path of Object.keys(packages)) {
    if (path !== '' && existsSync(path)) linkFiles(resolve(path), join(folder, path));
  }
  const bin = join(root, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, basename(process.execPath)));
  const command = join(bin, 'mintscope');
  symlinkSync(join(folder, 'bin/mintscope.cjs'), command);
  const files = globSync('**/*', { cwd: folder }).map((path) => lstatSync(join(folder, path)));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  return { tarball, folder, command, bytes };
}

/** The files of a package, without the packages below it, which have entries of their own. */
function linkFiles(from: string, to: string): void {
  for (const path of globSync('**/*', { cwd: from, exclude: ['node_modules'] })) {
    if (!lstatSync(join(from, path)).isFile()) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    link(join(from, path), join(to, path));
  }
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
}
