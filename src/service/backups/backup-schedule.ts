import type { MetricFamilies } from '../../api/http/metrics.ts';
import type { Clock } from '../../lib/clock.ts';
import { StoreError } from '../../model/errors.ts';
import type { ReadProgress } from '../../store/backup/make-backup.ts';
import type { BackupRun, NewestBackup } from './backup-messages.ts';

export interface BackupScheduleOptions {
  /** How old the newest whole backup may become before another is stored. */
  readonly everyMs: number;
  readonly newest: () => Promise<NewestBackup>;
  readonly store: () => Promise<BackupRun>;
  /** Ends `store`. */
  readonly stop: () => Promise<void>;
  /** Whether it is for this process to store one, and its data may be stored, at this moment. */
  readonly mayStore: () => Promise<boolean>;
  readonly onStored: (run: BackupRun) => void;
  readonly onFailed: (reason: string) => void;
  /** A monotonic clock. */
  readonly clock: Clock;
  /** The time of day, which the times of backups are compared with. */
  readonly wallMs: () => number;
}

const LOOK_MS = 60_000;
/** After a failure; sooner where backups are wanted sooner. */
const RETRY_MS = 10 * 60_000;

/** Stores a backup whenever the newest whole one of the place is too old, whoever stored it. */
export class BackupSchedule {
  private readonly options: BackupScheduleOptions;
  private readonly startedMs: number;
  private newestNow: NewestBackup = null;
  private progressNow: ReadProgress | null = null;
  private isStoring = false;
  private notBeforeMs = Number.NEGATIVE_INFINITY;
  private readonly counts = { stored: 0, failures: 0, bytes: 0, prunedBackups: 0, prunedFiles: 0 };

  constructor(options: BackupScheduleOptions) {
    this.options = options;
    this.startedMs = options.wallMs();
  }

  /** Until the signal is aborted. Does not reject unless something is wrong with the program. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, stop } = this.options;
    const onAbort = () => void stop();
    signal.addEventListener('abort', onAbort, { once: true });
    while (!signal.aborted) {
      try {
        await this.step(signal);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (!signal.aborted) this.fail(error.message);
      }
      await clock.sleep(LOOK_MS, signal);
    }
    signal.removeEventListener('abort', onAbort);
  }

  progress(progress: ReadProgress): void {
    this.progressNow = progress;
  }

  /** Seconds since the newest whole backup, or since the start if there is none. */
  get ageSeconds(): number {
    const sinceMs = this.newestNow?.createdMs ?? this.startedMs;
    return Math.max(0, (this.options.wallMs() - sinceMs) / 1_000);
  }

  expose(metrics: MetricFamilies): void {
    const gauge = (name: string, help: string, value: () => number) =>
      metrics.exposeGauge({ name, help, read: () => [[{}, value()]] });
    const counter = (name: string, help: string, value: () => number) =>
      metrics.exposeCounter({ name, help, read: () => [[{}, value()]] });
    gauge(
      'backup_age_seconds',
      'Time since the newest whole backup of the place, whoever stored it; since the start without one.',
      () => this.ageSeconds,
    );
    gauge(
      'backup_interval_seconds',
      'How often a backup is to be stored.',
      () => this.options.everyMs / 1_000,
    );
    gauge('backup_running', '1 while this process stores a backup.', () =>
      this.isStoring ? 1 : 0,
    );
    gauge('backup_unsent_bytes', 'Bytes of the backup being stored that are not sent yet.', () => {
      const { bytesTotal, bytes } = this.progressNow ?? { bytesTotal: 0, bytes: 0 };
      return bytesTotal - bytes;
    });
    counter('backup_stored_total', 'Backups that this process stored.', () => this.counts.stored);
    counter(
      'backup_failures_total',
      'Failures to look at the place, store a backup or prune.',
      () => {
        return this.counts.failures;
      },
    );
    counter('backup_sent_bytes_total', 'Bytes of files that were new to the place.', () => {
      return this.counts.bytes;
    });
    metrics.exposeCounter({
      name: 'backup_pruned_total',
      help: 'What was removed from the place because newer backups are kept.',
      labelNames: ['kind'],
      read: () => [
        [{ kind: 'backup' }, this.counts.prunedBackups],
        [{ kind: 'file' }, this.counts.prunedFiles],
      ],
    });
  }

  private async step(signal: AbortSignal): Promise<void> {
    const { newest, mayStore, clock } = this.options;
    this.newestNow = await newest();
    if (!this.isDue || clock.nowMs() < this.notBeforeMs || !(await mayStore())) return;
    if (signal.aborted) return;
    await this.store();
    this.newestNow = await newest();
  }

  /** A backup of the future was stored by a clock that was wrong, and says nothing. */
  private get isDue(): boolean {
    if (this.newestNow === null) return true;
    const ageMs = this.options.wallMs() - this.newestNow.createdMs;
    return ageMs >= this.options.everyMs || ageMs < -this.options.everyMs;
  }

  private async store(): Promise<void> {
    const { store, onStored } = this.options;
    this.isStoring = true;
    try {
      const run = await store();
      this.counts.stored++;
      this.counts.bytes += run.stored.bytes;
      this.counts.prunedBackups += run.pruned.backups;
      this.counts.prunedFiles += run.pruned.files;
      onStored(run);
      if (run.pruneProblem !== null) this.fail(run.pruneProblem);
    } finally {
      this.isStoring = false;
      this.progressNow = null;
    }
  }

  private fail(reason: string): void {
    const { clock, everyMs, onFailed } = this.options;
    this.counts.failures++;
    this.notBeforeMs = clock.nowMs() + Math.min(RETRY_MS, everyMs);
    onFailed(reason);
  }
}
