import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Slot } from '../../src/model/units.ts';
import type { FileOperation } from './file-operations.ts';
import type { FoldedInFolder } from './fold-in-folder.ts';
import type { StatePhase } from './state-phase.ts';

const PROGRAM = fileURLToPath(new URL('./fold-until-killed.ts', import.meta.url));
const STOPPED = /^\d+ \(.*\) T /;

/** An operation on the files of a state, numbered from 1. */
export interface StateOperation {
  readonly operation: number;
  readonly kind: FileOperation['kind'];
  readonly phase: StatePhase;
}

/** What a process said that folds in a folder (fold-until-killed.ts). */
export interface StateRun {
  readonly signal: NodeJS.Signals | null;
  /** Hashes of rows in the order in which slots were folded. */
  readonly rows: readonly (readonly [Slot, string])[];
  /** The chosen operations that it came to. */
  readonly chosen: readonly StateOperation[];
  /** What came of the fold, and every operation; null if it was killed. */
  readonly folded: FoldedInFolder | null;
  readonly operations: readonly StateOperation[];
}

export interface StateRunOptions {
  readonly slots: number;
  /** What the process sends itself at the operations with these numbers; at all if there are none. */
  readonly signal?: NodeJS.Signals;
  readonly at?: readonly number[];
  /** Called while the process stands still at an operation; it goes on when this resolves. */
  readonly whileStopped?: (operation: StateOperation) => void | Promise<void>;
}

/** Runs the process to its end. */
export async function runInFolder(
  folder: string,
  { slots, signal, at = [], whileStopped }: StateRunOptions,
): Promise<StateRun> {
  const signals = signal === undefined ? [] : [signal, ...at.map(String)];
  const child = spawn(process.execPath, [PROGRAM, folder, String(slots), ...signals], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  const ended = once(child, 'exit');
  const rows: [Slot, string][] = [];
  const chosen: StateOperation[] = [];
  const found: Pick<StateRun, 'folded' | 'operations'>[] = [];
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text);
      if (line.rows !== undefined) rows.push([line.slot, line.rows]);
      else if (line.folded !== undefined) found.push({ ...line, operations: numbered(line) });
      else {
        chosen.push(line);
        if (whileStopped === undefined) continue;
        await stopped(child);
        await whileStopped(line);
        child.kill('SIGCONT');
      }
    }
  } finally {
    // A failed expectation must not leave a process that stands still.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
  const [, endedBy] = await ended;
  return { signal: endedBy, rows, chosen, folded: null, operations: [], ...found[0] };
}

/**
 * Operations of an undisturbed run at which others are disturbed: for each phase and each kind of
 * operation in it the one in the middle, and `count` more, spread over all.
 */
export function chosenOf(all: readonly StateOperation[], count: number): readonly number[] {
  const kinds = Map.groupBy(all, ({ kind, phase }) => `${phase} ${kind}`);
  const middles = [...kinds.values()].map((each) => each[each.length >> 1]?.operation ?? 1);
  const spread = Array.from({ length: Math.min(count, all.length) }, (_, index) =>
    Math.ceil(((index + 1) * all.length) / Math.min(count, all.length)),
  );
  return [...new Set([...middles, ...spread])].sort((one, other) => one - other);
}

function numbered({ operations }: { operations: Omit<StateOperation, 'operation'>[] }) {
  return operations.map((each, index) => ({ ...each, operation: index + 1 }));
}

async function stopped({ pid }: ChildProcess): Promise<void> {
  while (!STOPPED.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await delay(1);
}
