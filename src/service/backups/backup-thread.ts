import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/start-thread.ts';
import { StoreError } from '../../model/errors.ts';
import type { ReadProgress } from '../../store/backup/make-backup.ts';
import {
  type BackupQuestion,
  type BackupRun,
  type BackupSettings,
  type FromBackups,
  LINKS_FOLDER,
  type NewestBackup,
  type ToBackups,
} from './backup-messages.ts';

const WORKER_URL = new URL('./backup-worker.ts', import.meta.url);
const HEAP_MAX_MB = 512;
const SEMI_SPACE_MB = 4;
/** Time for a file that is being sent when the service stops. */
const STOP_MS = 5_000;

export interface BackupThreadHooks {
  readonly onProgress: (progress: ReadProgress) => void;
  readonly onNotice: (sentence: string) => void;
}

/** Looks at a place of backups and stores some there, on a thread that ends after each question. */
export class BackupThread {
  private readonly settings: BackupSettings;
  private readonly hooks: BackupThreadHooks;
  private worker: Worker | null = null;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(settings: BackupSettings, hooks: BackupThreadHooks) {
    this.settings = settings;
    this.hooks = hooks;
  }

  /** Rejects with StoreError. */
  async newest(): Promise<NewestBackup> {
    const answer = await this.ask({ kind: 'look' });
    if (answer.kind === 'looked') return answer.newest;
    throw new StoreError(reasonIn(answer));
  }

  /** Stores a backup, and prunes. Rejects with StoreError. */
  async store(): Promise<BackupRun> {
    const answer = await this.ask({ kind: 'store' });
    if (answer.kind === 'stored') return answer.run;
    throw new StoreError(reasonIn(answer));
  }

  /** Ends what is going on. What was sent is used by the next backup. */
  async stop(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    worker.postMessage({ kind: 'stop' } satisfies ToBackups);
    await Promise.race([this.ended, delay(STOP_MS, undefined, { ref: false })]);
    await worker.terminate();
    this.removeLinks();
  }

  /** Of a run that was killed: links keep files that the service has removed since. */
  removeLinks(): void {
    rmSync(join(this.settings.dataDir, LINKS_FOLDER), { recursive: true, force: true });
  }

  /** The answer, or `failed` if the thread ended without one. */
  private ask(question: BackupQuestion): Promise<FromBackups> {
    if (this.worker !== null) throw new Error('the thread of backups has a question already');
    const worker = startThread(WORKER_URL, SEMI_SPACE_MB, {
      workerData: this.settings,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    });
    this.worker = worker;
    // The thread must not keep the process alive.
    worker.unref();
    let answer: FromBackups | null = null;
    let fault = 'it was ended';
    const answered = new Promise<FromBackups>((resolve) => {
      worker.on('message', (message: FromBackups) => {
        if (message.kind === 'progress') this.hooks.onProgress(message.progress);
        else if (message.kind === 'notice') this.hooks.onNotice(message.sentence);
        else {
          answer = message;
          void worker.terminate();
        }
      });
      worker.on('error', (error: unknown) => {
        fault = error instanceof Error ? error.message : String(error);
      });
      worker.on('exit', () => {
        this.worker = null;
        const reason = `The thread of backups ended without an answer: ${fault}.`;
        resolve(answer ?? { kind: 'failed', reason });
      });
    });
    this.ended = answered;
    worker.postMessage(question);
    return answered;
  }
}

function reasonIn(answer: FromBackups): string {
  return answer.kind === 'failed' ? answer.reason : `unexpected answer ${answer.kind}`;
}
