import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Slot } from '../../src/model/units.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { temporaryFolder } from './command-line.ts';
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
  readonly facts: readonly SlotFacts[];
  /** What the process sends itself at the operations with these numbers; at all if there are none. */
  readonly signal?: NodeJS.Signals;
  readonly at?: readonly number[];
  /** Called while the process stands still at an operation; it goes on when this resolves. */
  readonly whileStopped?: (operation: StateOperation) => void | Promise<void>;
}

/** Runs the process to its end. */
export async function runInFolder(
  folder: string,
  { facts, signal, at = [], whileStopped }: StateRunOptions,
): Promise<StateRun> {
  const signals = signal === undefined ? [] : [signal, ...at.map(String)];
  const child = spawn(process.execPath, [PROGRAM, folder, factsFile(facts), ...signals], {
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
 * Operations of an undisturbed run at which others are disturbed: the one in the middle of each phase,
 * a name that is given to a checkpoint, and `count` more, spread over all.
 */
export function chosenOf(all: readonly StateOperation[], count: number): readonly number[] {
  const phases = [...Map.groupBy(all, ({ phase }) => phase).values()];
  const names = all.filter(({ kind }) => kind === 'rename');
  const middles = [...phases, names].map((each) => each[each.length >> 1]?.operation ?? 1);
  const most = Math.min(count, all.length);
  const spread = Array.from({ length: most }, (_, index) =>
    Math.ceil(((index + 1) * all.length) / most),
  );
  return [...new Set([...middles, ...spread])].sort((one, other) => one - other);
}

/** A file of these slots: a process that decoded them itself would take twice as long. */
function factsFile(facts: readonly SlotFacts[]): string {
  const path = join(temporaryFolder(), 'facts');
  writeFileSync(path, facts.map(encodeSlotFacts).join('\n'));
  return path;
}

function numbered({ operations }: { operations: Omit<StateOperation, 'operation'>[] }) {
  return operations.map((each, index) => ({ ...each, operation: index + 1 }));
}

async function stopped({ pid }: ChildProcess): Promise<void> {
  while (!STOPPED.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) await delay(1);
}
