import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketOptions } from './market-options.ts';
import { UsageError } from './usage-error.ts';

/** Where a run keeps its state. */
export interface RunFolder {
  readonly path: string;
  /** Removes it if it is a temporary one. */
  remove(): void;
}

const OPTIONS_FILE = 'market-options.json';

/** Null: a temporary folder. Throws UsageError for a path that is no folder. */
export function openRunFolder(path: string | null): RunFolder {
  if (path === null) {
    const temporary = mkdtempSync(join(tmpdir(), 'mintscope-bench-state-'));
    return {
      path: temporary,
      remove: () => rmSync(temporary, { recursive: true, force: true }),
    };
  }
  if (existsSync(path) && !statSync(path).isDirectory()) {
    throw new UsageError(`${path} is no folder`);
  }
  mkdirSync(path, { recursive: true });
  return { path, remove: () => undefined };
}

/**
 * Notes in an empty folder the market that its state is of. Throws UsageError if the folder is of
 * another market, or if it is not known which: the next slots would contradict those before.
 */
export function claimRunFolder(folder: string, options: MarketOptions): void {
  const path = join(folder, OPTIONS_FILE);
  if (!existsSync(path)) {
    if (readdirSync(folder).length > 0) {
      throw new UsageError(
        `${folder} is not empty, and has no ${OPTIONS_FILE} that says which market is in it: pass another --folder`,
      );
    }
    writeFileSync(path, `${JSON.stringify(options, null, 2)}\n`);
    return;
  }
  const differing = differencesOf(readOptions(path), options);
  if (differing.length > 0) {
    throw new UsageError(
      `${folder} was made with other options (${differing.join(', ')}): pass those, or another --folder`,
    );
  }
}

function readOptions(path: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof read === 'object' && read !== null) return { ...read };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(`${path} has no options of a market: pass another --folder`);
}

function differencesOf(
  stored: Readonly<Record<string, unknown>>,
  wanted: MarketOptions,
): readonly string[] {
  const asked: Readonly<Record<string, unknown>> = { ...wanted };
  const names = new Set([...Object.keys(stored), ...Object.keys(asked)]);
  return [...names]
    .filter((name) => stored[name] !== asked[name])
    .map((name) => `${name} ${stored[name]} in place of ${asked[name]}`);
}
