import { randomUUID } from 'node:crypto';
import { Mutex } from '../../lib/mutex.ts';
import type {
  OffchainAppend,
  OffchainAppended,
  OffchainEffect,
  OffchainPosition,
  OffchainSharing,
} from '../../model/offchain-stream.ts';
import { RESTORE } from '../restore-advice.ts';
import { type Appended, LogUnavailable, type StepLog } from '../step-log.ts';
import type { StepMessage, StoredMessage } from '../step-message.ts';
import type { OffchainLogOptions } from './offchain-log-options.ts';
import { encodeOffchain, partsOf } from './offchain-message.ts';
import { type OffchainReceiver, openSession, type Session } from './offchain-session.ts';
import { StreamEnd } from './stream-end.ts';

const RETRY_MS = 250;
/** Messages that a store may have before it. */
const UNSTORED_MAX = 64;

/**
 * A replica's part in the stream of off-chain data: passes on what its store has to store, and
 * appends what its store found while it holds the lease.
 */
export class OffchainLog {
  private readonly options: OffchainLogOptions;
  private readonly retryMs: number;
  /** Reading and appending change the position one at a time. */
  private readonly turns = new Mutex();
  private readonly counts = { appended: 0, refused: 0, fenced: 0, unusable: 0 };
  private session: Session | null = null;
  private gatherer: string | null = null;
  private readonly end: StreamEnd;
  private stopped: string | null = null;

  constructor(options: OffchainLogOptions) {
    this.options = options;
    this.retryMs = options.retryMs ?? RETRY_MS;
    this.end = new StreamEnd(options);
  }

  get status(): OffchainSharing {
    const { session, gatherer, stopped } = this;
    const receivedSeq = session?.receivedSeq ?? 0;
    // Messages that mean nothing for a store are stored with those before them.
    const isAll = session !== null && session.storedSeq === session.sentSeq;
    const storedSeq = isAll ? receivedSeq : (session?.storedSeq ?? 0);
    const { isGathering } = this;
    const endSeq = this.end.seq;
    const isKnown = session !== null && endSeq !== null;
    const messagesBehind = isKnown ? Math.max(endSeq, receivedSeq) - storedSeq : null;
    const epoch = session?.fence.claim ?? null;
    return { isGathering, gatherer, epoch, messagesBehind, receivedSeq, storedSeq, stopped };
  }

  /** Messages since the start, by what became of them. */
  get messages(): Readonly<Record<'appended' | 'refused' | 'fenced' | 'unusable', number>> {
    return this.counts;
  }

  private get isGathering(): boolean {
    return this.session?.tenure != null && this.options.lease()?.isHeld === true;
  }

  /** Begins to gather whenever the lease is held, and ends when it is not, until aborted. */
  async run(): Promise<void> {
    await Promise.all([this.compete(), this.end.run(this.options.log)]);
  }

  private async compete(): Promise<void> {
    const { signal, clock, lease } = this.options;
    while (!signal.aborted) {
      const { session } = this;
      if (session !== null && this.stopped === null) {
        const isHeld = lease()?.isHeld === true;
        if (isHeld && session.tenure === null && session.isJoined) await this.claim(session);
        if (!isHeld) this.endTenure(session);
      }
      await clock.sleep(this.retryMs, signal);
    }
    this.close();
  }

  /** A store was opened, with everything up to its position. Replaces the one before. */
  open(position: OffchainPosition, schema: number, receiver: OffchainReceiver): void {
    this.close();
    const session = openSession(position, schema, receiver, this.options.name);
    this.session = session;
    this.gatherer = position.gatherer;
    if (this.stopped !== null || this.options.signal.aborted) return;
    this.follow(session).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.stop(session, `The off-chain data of other replicas cannot be followed: ${reason}.`);
    });
  }

  /** The store has stored a message that was passed on. */
  stored(seq: number): void {
    const { session } = this;
    if (session === null) return;
    session.storedSeq = Math.max(session.storedSeq, seq);
    session.unstored--;
    session.wake?.();
  }

  /** The store is gone. */
  close(): void {
    const { session } = this;
    if (session === null) return;
    session.ending.abort();
    session.tenure = null;
    session.wake?.();
    this.session = null;
  }

  /** Appends a transaction that the store computed on its position. Never rejects. */
  async append(transaction: OffchainAppend): Promise<OffchainAppended> {
    const { session } = this;
    if (session === null || this.stopped !== null) return { kind: 'refused' };
    try {
      return await this.turns.run(() => this.appendParts(session, transaction));
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      this.options.onNotice(`${error.message}; nothing is gathered until a claim is acknowledged`);
      this.endTenure(session);
      return { kind: 'unavailable' };
    }
  }

  private async appendParts(
    session: Session,
    { kind, afterSeq, changes }: OffchainAppend,
  ): Promise<OffchainAppended> {
    const { claim, logId } = session.fence;
    const isCurrent = session === this.session && afterSeq === session.sentSeq;
    if (!isCurrent || logId === null || claim === null) return { kind: 'refused' };
    if (kind === 'changes' && !(await this.mayGather(session))) return { kind: 'refused' };
    const bodies = partsOf(changes);
    if (bodies === null) return { kind: 'too-long' };
    const common = { schema: session.schema, logId, id: randomUUID(), writer: this.options.writer };
    for (const [part, body] of bodies.entries()) {
      const place = { ...common, part, parts: bodies.length };
      const head = kind === 'posts' ? { ...place, kind } : { ...place, kind, claim };
      const message = encodeOffchain({ head, body });
      const id = `${common.id}:${part}`;
      const appended = await this.appendOne(message, session.receivedSeq, id);
      if (appended.kind === 'refused') {
        this.counts.refused++;
        return appended;
      }
      this.received(session, { seq: appended.seq, ...message });
    }
    session.sentSeq = session.receivedSeq;
    session.storedSeq = session.receivedSeq;
    this.counts.appended++;
    return { kind: 'appended', seq: session.receivedSeq };
  }

  /** Whether this replica gathers, according to the servers. */
  private async mayGather(session: Session): Promise<boolean> {
    const { tenure, fence } = session;
    if (tenure === null || tenure !== fence.claim) return false;
    if ((await this.options.lease()?.confirm()) === true) return true;
    this.endTenure(session);
    return false;
  }

  private async appendOne(message: StepMessage, seq: number, id: string): Promise<Appended> {
    const log = await this.options.log;
    return await log.append(message, { seq, id });
  }

  /** Appends a claim at the end of the stream. Anything that was not read yet refuses it. */
  private async claim(session: Session): Promise<void> {
    const id = randomUUID();
    const { writer, lease, onNotice } = this.options;
    const { schema, base } = session;
    try {
      await this.turns.run(async () => {
        if (session !== this.session || (await lease()?.confirm()) !== true) return;
        const logId = session.fence.logId ?? randomUUID();
        const head = { schema, logId, id, writer, kind: 'claim', base } as const;
        const message = encodeOffchain({ head, body: NO_BODY });
        session.claiming = id;
        const appended = await this.appendOne(message, session.receivedSeq, id);
        if (appended.kind === 'appended') this.pass(session, { seq: appended.seq, ...message });
        else this.counts.refused++;
      });
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      onNotice(`${error.message}; this replica cannot begin to gather off-chain data`);
    }
  }

  private endTenure(session: Session): void {
    if (session.tenure === null) return;
    session.tenure = null;
    session.receiver.rest();
  }

  private async follow(session: Session): Promise<void> {
    const signal = AbortSignal.any([this.options.signal, session.ending.signal]);
    const log = await this.options.log;
    if (!(await this.join(session, log, signal))) return;
    for await (const message of log.follow(session.receivedSeq + 1, { signal })) {
      await this.turns.run(async () => {
        if (session === this.session) this.pass(session, message);
      });
      if (this.stopped !== null) return;
      while (session.unstored >= UNSTORED_MAX && !signal.aborted) {
        await new Promise<void>((resolve) => {
          session.wake = resolve;
        });
      }
    }
  }

  /** Whether the stream still has what follows the store. */
  private async join(session: Session, log: StepLog, signal: AbortSignal): Promise<boolean> {
    const { clock, name } = this.options;
    while (!signal.aborted) {
      try {
        const { firstSeq, lastSeq } = await log.bounds();
        const { receivedSeq } = session;
        if (lastSeq < receivedSeq) {
          const ends = `${name} ends at ${lastSeq}, before message ${receivedSeq} that is stored here`;
          this.stop(session, `${ends}. ${RESTORE}`);
        } else if (firstSeq > receivedSeq + 1) this.stop(session, removed(name, firstSeq));
        else session.isJoined = true;
        return session.isJoined;
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
        await clock.sleep(this.retryMs, signal);
      }
    }
    return false;
  }

  /** Takes a message that was read, and passes on what it means. */
  private pass(session: Session, message: StoredMessage): void {
    const { seq } = message;
    if (seq <= session.receivedSeq || this.stopped !== null) return;
    if (seq > session.receivedSeq + 1) {
      this.stop(session, removed(this.options.name, seq));
      return;
    }
    const fenced = this.received(session, message);
    if (fenced.kind === 'stop') this.stop(session, fenced.sentence);
    else if (fenced.kind === 'claim') this.passClaim(session, seq, fenced);
    else if (fenced.kind === 'changes' || fenced.kind === 'posts') {
      this.send(session, seq, { kind: fenced.kind, changes: fenced.changes });
    }
  }

  private passClaim(
    session: Session,
    seq: number,
    { id, writer, logId }: { readonly id: string; readonly writer: string; readonly logId: string },
  ): void {
    const isOwn = id === session.claiming;
    session.claiming = null;
    session.tenure = isOwn ? seq : null;
    this.gatherer = writer;
    this.send(session, seq, { kind: 'claim', logId, gatherer: writer, isOwn });
  }

  private received(session: Session, message: StoredMessage) {
    session.receivedSeq = message.seq;
    const fenced = session.fence.take(message);
    if (fenced.kind === 'passed-over') {
      this.counts[fenced.reason]++;
      this.options.onNotice(fenced.why);
    }
    return fenced;
  }

  private send(session: Session, seq: number, effect: OffchainEffect): void {
    session.sentSeq = seq;
    session.unstored++;
    session.receiver.store(seq, effect);
  }

  private stop(session: Session, sentence: string): void {
    if (this.stopped !== null || session !== this.session) return;
    this.stopped = sentence;
    this.endTenure(session);
    this.options.onStopped(sentence);
  }
}

const NO_BODY = new Uint8Array();

function removed(name: string, seq: number): string {
  return `Messages of ${name} before ${seq} were removed, and this data folder lacks some of them. ${RESTORE}`;
}
