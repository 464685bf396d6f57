import { type ChildProcess, fork } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import { isTransientError } from '../lib/transient-error.ts';
import { isSystemError } from '../store/snapshots/snapshot-file.ts';
import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import type { ShadowStart } from './shadow-fold.ts';
import type { ShadowAnswer, ShadowOutcome, ShadowRequest } from './shadow-messages.ts';

const PROGRAM = new URL('./shadow-program.ts', import.meta.url);
const MIB = 2 ** 20;

/** Why a shadow fold cannot go on. */
export class ShadowError extends Error {
  override readonly name = 'ShadowError';
  /** The snapshot to go on from is to blame. */
  readonly isBaseUnreadable: boolean;
  /** Another may do it later: the disk was full, or no process could be started. */
  readonly isTransient: boolean;

  constructor(message: string, { isBaseUnreadable = false, isTransient = false } = {}) {
    super(message);
    this.isBaseUnreadable = isBaseUnreadable;
    this.isTransient = isTransient;
  }
}

/**
 * A shadow fold in a process of its own, which may hold as much as this one's first thread and whose
 * memory is the system's again when it ends. One request at a time; each rejects with ShadowError
 * when the process fails or ends, also by `close`. It ends with this process and never keeps it.
 */
export class ShadowProcess {
  private readonly child: ChildProcess | null;
  private readonly gone = Promise.withResolvers<void>();
  private pending: Pending | null = null;
  private early: ShadowOutcome | null = null;
  private end: ShadowError | null = null;
  private resident = 0;

  /** Another program is for tests. */
  constructor(start: ShadowStart, program: URL = PROGRAM) {
    this.child = this.started(program);
    this.send({ kind: 'begin', start });
  }

  /** Its resident memory in bytes when it last answered; 0 before that and when it has ended. */
  get residentBytes(): number {
    return this.end === null ? this.resident : 0;
  }

  /** Resolves when the state to go on from is read. */
  async ready(): Promise<void> {
    await this.answer();
  }

  async fold(encoded: readonly string[]): Promise<void> {
    await this.ask({ kind: 'fold', encoded });
  }

  async write(): Promise<SnapshotDraft> {
    const outcome = await this.ask({ kind: 'write' });
    if (outcome.kind !== 'written') throw new ShadowError(`it answered ${outcome.kind}`);
    return outcome.draft;
  }

  /** Ends the process, whatever it does, and resolves when it is gone. */
  async close(): Promise<void> {
    // Waited for, so that its end is heard of even where nothing else is left to do.
    this.child?.ref();
    this.child?.kill('SIGKILL');
    await this.gone.promise;
  }

  private started(program: URL): ChildProcess | null {
    try {
      const child = forked(program);
      child.on('message', ({ outcome, residentBytes }: ShadowAnswer) => {
        this.resident = residentBytes;
        this.settle(outcome);
      });
      child.on('error', (error) => this.unstarted(error));
      child.on('exit', (code, signal) =>
        this.finish(
          signal === null
            ? `its process ended with code ${code}`
            : `its process was ended by ${signal}`,
        ),
      );
      return child;
    } catch (error) {
      // Some of what the system refuses is thrown at once, the rest comes as an event.
      if (!isSystemError(error)) throw error;
      this.unstarted(error);
      return null;
    }
  }

  private unstarted(error: Error): void {
    this.finish(`its process cannot be started: ${error.message}`, isTransientError(error));
  }

  private ask(request: ShadowRequest): Promise<ShadowOutcome> {
    const answer = this.answer();
    this.send(request);
    return answer;
  }

  private send(request: ShadowRequest): void {
    if (this.end !== null) return;
    this.child?.send(request, (error) => {
      // Who cannot be told anything is of no use; mostly it has ended, and its end says why.
      if (error !== null) this.child?.kill('SIGKILL');
    });
  }

  private answer(): Promise<ShadowOutcome> {
    if (this.end !== null) return Promise.reject(this.end);
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      if (this.early !== null) this.settle(this.early);
    });
  }

  /** What nobody waits for yet is kept for whoever comes. */
  private settle(outcome: ShadowOutcome): void {
    const { pending } = this;
    this.early = pending === null ? outcome : null;
    this.pending = null;
    if (outcome.kind !== 'failed') pending?.resolve(outcome);
    else pending?.reject(new ShadowError(outcome.message, outcome));
  }

  /** The end of the process is the answer to everything. */
  private finish(reason: string, isTransient = false): void {
    this.end ??= new ShadowError(reason, { isTransient });
    this.pending?.reject(this.end);
    this.pending = null;
    this.gone.resolve();
  }
}

interface Pending {
  readonly resolve: (outcome: ShadowOutcome) => void;
  readonly reject: (error: ShadowError) => void;
}

/** Nothing of this process's environment goes with it, nor anything it writes. */
function forked(program: URL): ChildProcess {
  const heapMib = Math.floor(getHeapStatistics().heap_size_limit / MIB);
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMib}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
