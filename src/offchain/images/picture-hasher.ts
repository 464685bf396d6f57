/**
 * Opens untrusted pictures in a separate process with bounded memory, which is replaced when it
 * hangs, exceeds its memory or dies. Each of these is returned as a value.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { compiledModules } from '../../lib/compiled-modules.ts';
import type { PictureFault } from './hash-picture.ts';
import type { OpenedPicture } from './open-picture.ts';
import { areThumbnails } from './thumbnails.ts';

export type HashOutcome =
  | OpenedPicture
  | {
      readonly kind: 'no-hash';
      readonly fault: PictureFault | 'process-lost';
      readonly thumbnails: null;
    }
  | { readonly kind: 'busy' };

export interface PictureHasherSettings {
  /** Maximum waiting pictures; further ones are answered with `busy`. */
  readonly queueMax: number;
  /** Maximum time per picture; a process that needs longer is killed. */
  readonly timeoutMs: number;
  /** Resident memory above which the process is killed, also while it works. */
  readonly residentMaxBytes: number;
  /** How often its memory is checked while it works, and once more when it is done. */
  readonly watchMs: number;
  /** The program of the process; tests use one that misbehaves. */
  readonly program: URL;
}

const DEFAULTS: PictureHasherSettings = {
  queueMax: 256,
  timeoutMs: 4_000,
  residentMaxBytes: 256 * 1_048_576,
  watchMs: 20,
  program: new URL('picture-process.ts', import.meta.url),
};

const HEAP_MAX_MEBIBYTES = 64;
const PAGE_BYTES = 4_096;

interface Turn {
  readonly bytes: Uint8Array;
  readonly resolve: (outcome: HashOutcome) => void;
}

/** The picture that is being hashed, with its timers. */
interface Current {
  readonly turn: Turn;
  readonly timer: NodeJS.Timeout;
  readonly watch: NodeJS.Timeout;
}

export class PictureHasher {
  private readonly settings: PictureHasherSettings;
  private readonly waiting: Turn[] = [];
  private current: Current | null = null;
  private child: ChildProcess | null = null;
  private requests = 0;

  constructor(settings: Partial<PictureHasherSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  async hash(bytes: Uint8Array): Promise<HashOutcome> {
    if (this.waiting.length >= this.settings.queueMax) return { kind: 'busy' };
    return await new Promise((resolve) => {
      this.waiting.push({ bytes, resolve });
      this.next();
    });
  }

  /** Ends the process; waiting pictures are answered as lost. */
  close(): void {
    this.stop();
    this.finish(lost('process-lost'), false);
    for (const { resolve } of this.waiting.splice(0)) {
      resolve(lost('process-lost'));
    }
  }

  private next(): void {
    if (this.current !== null) return;
    const turn = this.waiting.shift();
    if (turn === undefined) return;
    const timer = setTimeout(() => {
      this.stop();
      this.finish(lost('timed-out'));
    }, this.settings.timeoutMs);
    const watch = setInterval(() => {
      if (residentBytes(this.child?.pid) <= this.settings.residentMaxBytes) return;
      this.stop();
      this.finish(lost('too-large'));
    }, this.settings.watchMs);
    this.current = { turn, timer, watch };
    this.child ??= this.start();
    this.child.send({ number: ++this.requests, bytes: turn.bytes });
  }

  private start(): ChildProcess {
    const child = fork(this.settings.program, {
      serialization: 'advanced',
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        `--max-old-space-size=${HEAP_MAX_MEBIBYTES}`,
      ],
      env: { ...compiledModules(), VIPS_CONCURRENCY: '1', UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', ({ number, outcome }: { number: number; outcome: OpenedPicture }) => {
      if (child !== this.child || number !== this.requests) return;
      if (residentBytes(child.pid) > this.settings.residentMaxBytes) this.stop();
      this.finish(checked(outcome));
    });
    const end = (): void => {
      if (child !== this.child) return;
      this.child = null;
      this.finish(lost('process-lost'));
    };
    child.on('error', end);
    child.on('exit', end);
    return child;
  }

  private stop(): void {
    const { child } = this;
    this.child = null;
    child?.kill('SIGKILL');
  }

  private finish(outcome: HashOutcome, continues = true): void {
    const { current } = this;
    this.current = null;
    if (current === null) return;
    clearTimeout(current.timer);
    clearInterval(current.watch);
    current.turn.resolve(outcome);
    if (continues) this.next();
  }
}

function lost(fault: PictureFault | 'process-lost'): HashOutcome {
  return { kind: 'no-hash', fault, thumbnails: null };
}

/** Thumbnails are sent to browsers: a process that a picture has taken over sends nothing else. */
function checked(outcome: OpenedPicture): OpenedPicture {
  return areThumbnails(outcome.thumbnails) ? outcome : { ...outcome, thumbnails: null };
}

/** 0 when the system does not provide it. */
function residentBytes(pid: number | undefined): number {
  try {
    const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
    return Number(pages ?? 0) * PAGE_BYTES;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 0;
    throw error;
  }
}
