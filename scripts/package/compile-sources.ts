import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Sources and the files that they read at run time, in the same places as in the clone. */
const FOLDERS = ['src', 'simulator'];
/** `new URL('./decode-worker.ts', import.meta.url)`: a file beside the module that names it. */
const BESIDE = /new URL\((['"`])([^'"`$:]+)\1,\s*import\.meta\.url\)/g;

/**
 * Compiles the product into `folder` and copies the files that it reads. The compiler renames the
 * modules in imports, and this function those in URLs of threads and processes.
 */
export function compileSources(root: string, folder: string): void {
  runCompiler(root, folder);
  for (const path of globSync(
    FOLDERS.map((name) => `${name}/**/*.*`),
    { cwd: root },
  )) {
    if (!path.endsWith('.ts')) cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const path of compiledModules(folder)) renameModulesInUrls(path);
}

/** Names files that a compiled module refers to and that are not in the package. */
export function missingFiles(folder: string): readonly string[] {
  return compiledModules(folder).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(BESIDE)]
      .map(([, , target = '']) => resolve(dirname(path), target))
      .filter((target) => !existsSync(target))
      .map((target) => `${target}, named by ${path}`),
  );
}

function runCompiler(root: string, folder: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, 'scripts/package/tsconfig.json');
  const args = [compiler, '-p', project, '--outDir', folder];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('The compiler failed: see its messages above.');
}

function compiledModules(folder: string): readonly string[] {
  return globSync(
    FOLDERS.map((name) => `${name}/**/*.js`),
    { cwd: folder },
  ).map((path) => join(folder, path));
}

function renameModulesInUrls(path: string): void {
  const text = readFileSync(path, 'utf8');
  const renamed = text.replaceAll(BESIDE, (expression: string) =>
    expression.replace(/\.ts(['"`])/, '.js$1'),
  );
  if (renamed !== text) writeFileSync(path, renamed);
}
