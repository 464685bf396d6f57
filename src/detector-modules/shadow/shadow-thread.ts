import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/start-thread.ts';
import type { DetectorPackage } from '../package/detector-package.ts';
import type { FromShadow, ShadowCase, ShadowStart } from './shadow-messages.ts';

const WORKER_URL = new URL('./shadow-worker.ts', import.meta.url);
const SEMI_SPACE_MB = 8;
const HEAP_MAX_MB = 512;
/** A judgement takes milliseconds: one that takes so long is ended with its thread. */
const SILENCE_MAX_MS = 10_000;

export interface ShadowThreadOptions {
  readonly packages: readonly DetectorPackage[];
  readonly onMessage: (message: FromShadow) => void;
  /**
   * The thread ended in the work of a detector, whose name it is; null for another reason. That
   * detector is not started again.
   */
  readonly onEnded: (name: string | null, reason: string) => void;
  readonly silenceMaxMs?: number;
}

/** A thread that judges one case at a time, without those detectors in whose work it ended. */
export class ShadowThread {
  private readonly options: ShadowThreadOptions;
  private packages: readonly DetectorPackage[];
  private worker: Worker | null = null;
  private judging = newJudging();
  private isOpened = false;
  private isBusy = false;
  private silence: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(options: ShadowThreadOptions) {
    this.options = options;
    this.packages = options.packages;
  }

  /** Whether it can be given a case. */
  get isIdle(): boolean {
    return !this.isClosed && this.packages.length > 0 && !this.isBusy;
  }

  /** Gives it a case, which is only allowed while it is idle. */
  judge(message: ShadowCase): void {
    this.isBusy = true;
    this.worker ??= this.start();
    // The time of the start is not that of a detector.
    if (this.isOpened) this.beginSilence();
    this.worker.postMessage(message);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.endSilence();
    await this.worker?.terminate();
  }

  private start(): Worker {
    this.judging = newJudging();
    const start: ShadowStart = { packages: this.packages, judging: this.judging };
    const worker = startThread(WORKER_URL, SEMI_SPACE_MB, {
      workerData: start,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    let fault: string | null = null;
    worker.on('message', (message: FromShadow) => {
      this.isOpened = true;
      if (message.kind === 'judged') this.endSilence();
      else if (this.isBusy) this.beginSilence();
      this.options.onMessage(message);
    });
    worker.on('error', (error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => this.ended(fault ?? 'It took too long'));
    // The thread must not keep the process alive.
    worker.unref();
    return worker;
  }

  private ended(reason: string): void {
    this.worker = null;
    this.isOpened = false;
    this.endSilence();
    if (this.isClosed) return;
    const place = Atomics.load(this.judging, 0);
    const culprit = this.packages[place] ?? null;
    this.packages = this.packages.filter((one) => one !== culprit);
    this.options.onEnded(culprit?.name ?? null, reason);
  }

  private beginSilence(): void {
    const silenceMaxMs = this.options.silenceMaxMs ?? SILENCE_MAX_MS;
    this.silence = setTimeout(() => void this.worker?.terminate(), silenceMaxMs).unref();
  }

  private endSilence(): void {
    this.isBusy = false;
    if (this.silence !== null) clearTimeout(this.silence);
    this.silence = null;
  }
}

function newJudging(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(-1);
}
