import { randomUUID } from 'node:crypto';
import { Mutex } from '../../lib/mutex.ts';
import { isTransientError } from '../../lib/transient-error.ts';
import { ApiError } from '../../model/errors.ts';
import type { RowChange, SharedRows } from '../../model/shared-rows.ts';
import { RESTORE } from '../restore-advice.ts';
import { LogUnavailable, type StepLog } from '../step-log.ts';
import type { StoredMessage } from '../step-message.ts';
import { type ControlMessage, decodeControl, encodeControl } from './control-message.ts';
import {
  type ApplyRows,
  CONTROL_TIMING,
  type ControlReplicaOptions,
  type ControlStatus,
  type ControlTiming,
} from './control-options.ts';
import { newer, OWN_ROWS, UNAVAILABLE } from './control-sentences.ts';
import { ReceivedChanges } from './received-changes.ts';

/**
 * The shared tables of a replica. Every change goes through the log, that of this replica too: it is
 * rehearsed on what the log has, published at the position after it, and stored when it is read. If
 * another replica was faster, it is rehearsed again.
 *
 * Keys count as soon as they are read. Everything else counts from the step on whose head names it,
 * so that all replicas judge the same triggers, rules and reviews at the same slot.
 */
export class ControlReplica {
  private readonly options: ControlReplicaOptions;
  private readonly timing: ControlTiming;
  private readonly writing = new Mutex();
  private readonly received: ReceivedChanges;
  private readonly counts = { written: 0, refused: 0 };
  private apply: ApplyRows = (_, store) => store();
  private logId: string | null;
  private reachedSeq: number;
  private appliedSeq: number;
  private stopped: string | null = null;
  private isJoined = false;

  constructor(options: ControlReplicaOptions) {
    this.options = options;
    this.timing = { ...CONTROL_TIMING, ...options.timing };
    const { logId, rowsSeq } = options.tables.position;
    this.logId = logId;
    this.received = new ReceivedChanges(rowsSeq);
    this.reachedSeq = rowsSeq;
    this.appliedSeq = rowsSeq;
  }

  get status(): ControlStatus {
    const { received, appliedSeq, counts } = this;
    return { receivedSeq: received.lastSeq, appliedSeq, ...counts };
  }

  /** Follows the log, and shares what this folder has and the log lacks, until aborted. */
  async run(): Promise<void> {
    const { signal, clock } = this.options;
    const log = await this.options.log;
    const sharing = (async () => {
      await this.join(log);
      while (!signal.aborted && this.stopped === null) {
        await this.share();
        await clock.sleep(this.timing.shareMs, signal);
      }
    })();
    for await (const message of log.follow(this.received.lastSeq + 1, { signal })) {
      await this.takeStored(message);
      if (this.stopped !== null) break;
    }
    await sharing;
  }

  /** Draws the consequences of changes from here on. Called before any position is reached. */
  follow(apply: ApplyRows): void {
    this.apply = apply;
  }

  /** Whether the change of a sequence was read; waits for it. False when aborted. */
  async has(seq: number): Promise<boolean> {
    const { signal } = this.options;
    return this.received.until(() => this.received.lastSeq >= seq, signal);
  }

  /** Changes up to a sequence count from now on. Those not stored for now are by `settle`. */
  reach(seq: number): void {
    if (seq <= this.reachedSeq) return;
    this.reachedSeq = seq;
    this.trySettling();
  }

  private trySettling(): void {
    try {
      this.settle();
    } catch (error) {
      if (!isTransientError(error)) throw error;
    }
  }

  /** Stores the changes that count. Throws the error of the first that cannot be. */
  settle(): void {
    const { pending } = this.received;
    for (let next = pending[0]; next !== undefined; next = pending[0]) {
      const { seq, changes } = next;
      if (seq > this.reachedSeq) return;
      this.apply(changes, () => this.options.tables.takeRows(seq, changes));
      pending.shift();
      this.appliedSeq = seq;
      this.received.wake();
    }
  }

  /**
   * Makes a change on all replicas, and answers when it counts here, or soon after it is in the log
   * while no step comes. `work` is repeated, and its changes are not kept. Rejects with ApiError 503
   * while the servers do not answer.
   */
  async write<Result>(rows: readonly SharedRows[], work: () => Result): Promise<Result> {
    const signal = this.within(this.timing.writeMs);
    const { result, seq } = await this.writing.run(async () => {
      await this.untilJoined(signal);
      return this.published(() => this.rehearsal(rows, work), signal);
    });
    if (seq !== null) {
      const isCounting = () => this.appliedSeq >= seq;
      await this.received.until(isCounting, this.within(this.timing.effectMs));
    }
    return result;
  }

  private within(ms: number): AbortSignal {
    return AbortSignal.any([this.options.signal, AbortSignal.timeout(ms)]);
  }

  private rehearsal<Result>(rows: readonly SharedRows[], work: () => Result) {
    const pending = this.received.pending.map(({ changes }) => changes);
    return this.options.tables.rehearse(pending, rows, work);
  }

  /** Publishes what a rehearsal changes; again, if another replica was faster. */
  private async published<Result>(
    rehearse: () => { readonly result: Result; readonly changes: readonly RowChange[] },
    signal: AbortSignal,
  ): Promise<{ readonly result: Result; readonly seq: number | null }> {
    for (;;) {
      if (this.stopped !== null) throw new ApiError(503, this.stopped);
      if (signal.aborted) throw new ApiError(503, UNAVAILABLE);
      const { result, changes } = rehearse();
      if (changes.length === 0) return { result, seq: null };
      const seq = await this.append(changes, signal);
      if (seq !== null) return { result, seq };
    }
  }

  /** The sequence of the change; null if another one came first, which is read then. */
  private async append(changes: readonly RowChange[], signal: AbortSignal): Promise<number | null> {
    const { tables, writer } = this.options;
    const log = await this.options.log;
    const after = this.received.lastSeq;
    const logId = this.logId ?? randomUUID();
    const id = randomUUID();
    const message = { schema: tables.schema, logId, id, writer, changes };
    const encoded = encodeControl(message);
    const appended = await this.patiently(() => log.append(encoded, { seq: after, id }), signal);
    if (appended.kind === 'appended') {
      this.counts.written++;
      this.take(appended.seq, message);
      return appended.seq;
    }
    const { lastSeq } = await this.patiently(() => log.bounds(), signal);
    await this.received.until(() => this.received.lastSeq >= lastSeq, signal);
    // An attempt whose acknowledgement was lost is in the log, and refuses its repetition.
    if (this.received.has(id)) return this.received.lastSeq;
    this.counts.refused++;
    return null;
  }

  private async takeStored(message: StoredMessage): Promise<void> {
    const { clock, name, signal } = this.options;
    while (!signal.aborted) {
      try {
        if (message.seq <= this.received.lastSeq) return;
        if (message.seq > this.received.lastSeq + 1) {
          return this.stop(`Changes of ${name} before ${message.seq} were removed. ${RESTORE}`);
        }
        const decoded = decodeControl(message);
        if (typeof decoded !== 'string') return this.take(message.seq, decoded);
        return this.stop(`Change ${message.seq} of ${name} cannot be used: ${decoded}.`);
      } catch (error) {
        if (!isTransientError(error)) throw error;
        await clock.sleep(this.timing.retryMs, signal);
      }
    }
  }

  /** Takes a change that is next in the log; one that was taken before changes nothing. */
  private take(seq: number, { schema, logId, id, changes }: ControlMessage): void {
    const { tables, name } = this.options;
    if (seq !== this.received.lastSeq + 1 || this.stopped !== null) return;
    if (schema > tables.schema) {
      this.stop(newer(`Change ${seq} of ${name}`, schema, tables.schema));
      return;
    }
    if (this.logId !== null && this.logId !== logId) {
      this.stop(`${name} is not the stream that this data folder followed. ${RESTORE}`);
      return;
    }
    tables.takeKeys(seq, logId, changes);
    this.logId = logId;
    this.received.add({ seq, changes }, id);
    if (seq <= this.reachedSeq) this.trySettling();
  }

  /** Compares the folder with the log. Nothing is written before. */
  private async join(log: StepLog): Promise<void> {
    const { tables, name, signal } = this.options;
    const { rowsSeq, isSeeded } = tables.position;
    const isNew = this.logId === null;
    try {
      const { lastSeq } = await this.patiently(() => log.bounds(), signal);
      if (lastSeq < rowsSeq) {
        return this.stop(
          `${name} ends at ${lastSeq}, before the change ${rowsSeq} of this data folder. ${RESTORE}`,
        );
      }
      if (!isSeeded && tables.hasOwnRows) {
        if (isNew && lastSeq > 0) return this.stop(`${OWN_ROWS} ${RESTORE}`);
        await this.seed();
      }
      if (this.stopped !== null) return;
      tables.seeded();
      this.isJoined = true;
      this.received.wake();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private async seed(): Promise<void> {
    const isFirst = this.logId === null;
    for (const changes of this.options.tables.seeds()) {
      while ((await this.append(changes, this.options.signal)) === null) {
        if (isFirst && this.counts.written === 0) return this.stop(`${OWN_ROWS} ${RESTORE}`);
      }
    }
  }

  /** Keys that commands made or revoked in the folder, and webhooks that stopped working. */
  private async share(): Promise<void> {
    const { tables } = this.options;
    const signal = this.within(this.timing.writeMs);
    try {
      await this.writing.run(() =>
        this.published(() => ({ result: null, changes: tables.unshared() }), signal),
      );
    } catch (error) {
      if (!(error instanceof ApiError) && !isTransientError(error)) throw error;
    }
  }

  private async untilJoined(signal: AbortSignal): Promise<void> {
    await this.received.until(() => this.isJoined || this.stopped !== null, signal);
    if (this.stopped !== null) throw new ApiError(503, this.stopped);
    if (!this.isJoined) throw new ApiError(503, UNAVAILABLE);
  }

  private stop(sentence: string): void {
    if (this.stopped !== null) return;
    this.stopped = sentence;
    this.received.wake();
    this.options.onStopped(sentence);
  }

  /** Repeats a call that fails in passing. Rejects with ApiError once aborted. */
  private async patiently<Answer>(
    call: () => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        if (signal.aborted) throw new ApiError(503, UNAVAILABLE, { cause: error });
        await this.options.clock.sleep(this.timing.retryMs, signal);
      }
    }
  }
}
