import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TapePlan } from './live-tape.ts';

/**
 * It may have one processor or less: what V8 collects on other threads costs more than it saves, and
 * most of a block is garbage before 256 MiB are full.
 */
const EXEC_ARGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-old-space-size=12000',
  '--min-semi-space-size=256',
  '--max-semi-space-size=256',
  '--single-threaded-gc',
];

/** A process that makes a tape. */
export class TapeMaking {
  private readonly child: ChildProcess;
  private readonly plan: TapePlan;
  private blocks = 0;

  constructor(folder: string, plan: TapePlan, onNote: (sentence: string) => void) {
    const path = fileURLToPath(new URL('./live-tape-maker.ts', import.meta.url));
    this.plan = plan;
    this.child = fork(path, [folder, JSON.stringify(plan)], {
      execArgv: EXEC_ARGS,
    });
    if (this.child.pid !== undefined) setPriority(this.child.pid, constants.priority.PRIORITY_LOW);
    this.child.on('message', (blocks: number) => {
      this.blocks = blocks;
      onNote(`${blocks} blocks made`);
    });
  }

  /** Waits for this many blocks; with those of the plan, for the complete tape. */
  async made(blocks: number): Promise<void> {
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    const enough = new Promise<void>((resolve) => {
      if (blocks >= this.plan.blocks) return;
      this.child.on('message', () => {
        if (this.blocks >= blocks) resolve();
      });
    });
    await Promise.race([ended, enough]);
    this.assertGoesOn();
  }

  /** Throws when it ended before the tape was complete. */
  assertGoesOn(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode === 0 || (exitCode === null && signalCode === null)) return;
    const reason = exitCode ?? signalCode;
    throw new Error(`the blocks could not be made (${reason}); is the disk full?`);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
