import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Packages that need a separate process per test file: chDB binds one data folder per process, and
 * tests that start threads or processes count the open resources of the process.
 */
const PROCESS_PACKAGES = ['chdb', 'node:child_process', 'node:worker_threads', 'node:cluster'];
/** Process-wide state that a test changes or measures. */
const PROCESS_STATE =
  /vi\.(mock|stubEnv|stubGlobal|useFakeTimers)|process\.(chdir|memoryUsage|hrtime|cpuUsage)|process\.env\.\w+ ?=|delete process\.env/;

const IMPORT = /^(?:import|export)\s+(type\s)?((?:[^;'"]*?from\s)?)\s*'([^']+)'/gm;
const DYNAMIC_IMPORT = /\bimport\('([^']+)'\)/g;

/**
 * Finds the test files that need their own process: those that load, directly or indirectly, a
 * package that needs one, or change or measure process-wide state. All others may run one after
 * another on a thread, and load shared modules once. Paths are relative to `root`.
 */
export function testsOfTheirOwn(root: string, tests: readonly string[]): readonly string[] {
  const reader = new ImportReader(root);
  return tests.filter((test) => {
    const { text } = reader.read(test);
    if (PROCESS_STATE.test(text)) return true;
    const packages = reader.packagesBehind(test);
    return PROCESS_PACKAGES.some((name) => packages.has(name));
  });
}

interface SourceFile {
  readonly text: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

const NO_FILE: SourceFile = { text: '', files: [], packages: [] };

class ImportReader {
  private readonly root: string;
  private readonly known = new Map<string, SourceFile>();

  constructor(root: string) {
    this.root = root;
  }

  /** Every package that is loaded with a file. */
  packagesBehind(path: string): ReadonlySet<string> {
    const packages = new Set<string>();
    const seen = new Set([path]);
    for (const each of seen) {
      const file = this.read(each);
      for (const name of file.packages) packages.add(name);
      for (const imported of file.files) seen.add(imported);
    }
    return packages;
  }

  read(path: string): SourceFile {
    let file = this.known.get(path);
    if (file === undefined) {
      file = path.endsWith('.ts') ? this.parse(path) : NO_FILE;
      this.known.set(path, file);
    }
    return file;
  }

  private parse(path: string): SourceFile {
    const text = readFileSync(join(this.root, path), 'utf8');
    const files: string[] = [];
    const packages: string[] = [];
    const note = (specifier: string) => {
      if (specifier.startsWith('.')) files.push(normalize(join(dirname(path), specifier)));
      else packages.push(specifier);
    };
    for (const [, isType, names = '', specifier = ''] of text.matchAll(IMPORT)) {
      if (isType === undefined && !isOfTypesOnly(names)) note(specifier);
    }
    for (const [, specifier = ''] of text.matchAll(DYNAMIC_IMPORT)) note(specifier);
    return { text, files, packages };
  }
}

/** `{ type A, type B } from`: nothing is loaded. */
function isOfTypesOnly(names: string): boolean {
  const listed = /^\{(.*)\}\s*from\s$/s.exec(names.trimStart());
  if (listed === null) return false;
  const items = (listed[1] ?? '').split(',').filter((item) => item.trim() !== '');
  return items.every((item) => item.trim().startsWith('type '));
}
