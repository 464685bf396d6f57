import { type ChildProcess, fork } from 'node:child_process';
import { getHeapStatistics } from 'node:v8';
import { compiledModules } from '../lib/compiled-modules.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { isSystemError } from '../store/snapshots/snapshot-file.ts';
import type { SnapshotDraft } from '../store/snapshots/snapshots.ts';
import type { ShadowStart } from './shadow-fold.ts';
import type { ShadowAnswer, ShadowOutcome, ShadowRequest } from './shadow-messages.ts';

const PROGRAM = new URL('./shadow-program.ts', import.meta.url);
const MIB = 2 ** 20;

/** Why a shadow fold failed. */
export class ShadowError extends Error {
  override readonly name = 'ShadowError';
  /** The snapshot to continue from is unreadable. */
  readonly isBaseUnreadable: boolean;
  /** A later attempt may succeed: the disk was full, or no process could be started. */
  readonly isTransient: boolean;

  constructor(message: string, { isBaseUnreadable = false, isTransient = false } = {}) {
    super(message);
    this.isBaseUnreadable = isBaseUnreadable;
    this.isTransient = isTransient;
  }
}

/**
 * A shadow fold in a separate process, with the heap limit of this process's main thread, whose
 * memory is released when it ends. One request at a time; each rejects with ShadowError when the
 * process fails or ends, including by `close`. The process ends with this one and does not keep it
 * alive.
 */
export class ShadowProcess {
  private readonly child: ChildProcess | null;
  private readonly gone = Promise.withResolvers<void>();
  private pending: Pending | null = null;
  private early: ShadowOutcome | null = null;
  private end: ShadowError | null = null;
  private resident = 0;

  /** Tests may use another program. */
  constructor(start: ShadowStart, program: URL = PROGRAM) {
    this.child = this.started(program);
    this.send({ kind: 'begin', start });
  }

  /** Resident memory in bytes at its last answer; 0 before the first and after it has ended. */
  get residentBytes(): number {
    return this.end === null ? this.resident : 0;
  }

  /** Resolves when the initial state has been read. */
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

  /** Kills the process, and resolves when it has exited. */
  async close(): Promise<void> {
    // Referenced, so that its exit is awaited even if nothing else is left to do.
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
      // Some system errors are thrown synchronously, others are reported as events.
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
      // A process that cannot receive requests is useless; usually it has ended, and its exit gives
      // the reason.
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

  /** Settles the pending request; an early outcome is kept for the next one. */
  private settle(outcome: ShadowOutcome): void {
    const { pending } = this;
    this.early = pending === null ? outcome : null;
    this.pending = null;
    if (outcome.kind !== 'failed') pending?.resolve(outcome);
    else pending?.reject(new ShadowError(outcome.message, outcome));
  }

  /** Rejects the current and all further requests. */
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

/** Starts the process without standard streams; its environment only names compiled modules. */
function forked(program: URL): ChildProcess {
  const heapMib = Math.floor(getHeapStatistics().heap_size_limit / MIB);
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${heapMib}`],
    env: compiledModules(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
