import type { DatabaseSync } from 'node:sqlite';
import { DeferredWrites } from '../lib/deferred-writes.ts';
import { StoreError } from '../model/errors.ts';
import type {
  OffchainAppend,
  OffchainAppended,
  OffchainEffect,
  OffchainPosition,
} from '../model/offchain-stream.ts';
import { inLocalTransaction, shareTransactions } from '../store/offchain/offchain-plane.ts';
import { PostsInbox } from '../store/offchain/posts-inbox.ts';
import {
  applyChanges,
  ChangesError,
  type ChangesKind,
  captureChanges,
  changesFault,
} from '../store/offchain/shared-changes.ts';
import { StreamPosition } from '../store/offchain/stream-position.ts';

export interface SharedStoreParts {
  readonly database: DatabaseSync;
  /** Appends a transaction to the stream, and waits for the answer, which may take seconds. */
  readonly append: (transaction: OffchainAppend) => OffchainAppended;
  /** A message was stored, or passed over. */
  readonly onStored: (seq: number) => void;
  /** This replica gathers from now on, or no longer. */
  readonly onGathering: (isGathering: boolean) => void;
  /** A message that could not be used, or found other rows than the gatherer had. */
  readonly onNotice: (sentence: string) => void;
  /** The stream has a transaction that this store does not: it must be opened again. */
  readonly onBehind: (error: unknown) => void;
}

/** Posts in one message. */
const POSTS_MAX = 250;

/**
 * An off-chain store whose shared rows are those of the stream. A transaction of this process is
 * committed after the stream has taken it, at the position it was computed on; until then, the store
 * waits. Transactions of others are applied as they come.
 */
export class SharedStore {
  private readonly parts: SharedStoreParts;
  private readonly stored: StreamPosition;
  private readonly arriving = new DeferredWrites();
  private readonly own: PostsInbox;
  private readonly received: PostsInbox;
  private now: OffchainPosition;
  private isGathering = false;

  constructor(parts: SharedStoreParts) {
    this.parts = parts;
    const { database } = parts;
    this.stored = new StreamPosition(database);
    this.own = new PostsInbox(database);
    this.received = PostsInbox.received(database);
    this.now = this.stored.read();
    shareTransactions(database, (work) => this.transact('changes', work));
  }

  get position(): OffchainPosition {
    return this.now;
  }

  /** Stores what a message means. Failures that pass are repeated by `settle`. */
  take(seq: number, effect: OffchainEffect): void {
    this.arriving.add(() => {
      if (effect.kind === 'claim') this.takeClaim(seq, effect);
      else this.takeChanges(seq, effect);
      this.parts.onStored(seq);
    });
  }

  /** This replica no longer gathers. */
  rest(): void {
    if (!this.isGathering) return;
    this.isGathering = false;
    this.parts.onGathering(false);
  }

  /** Repeats what could not be stored. Throws the error of the first that still cannot be. */
  settle(): void {
    this.arriving.settle();
  }

  /**
   * Hands posts that clients sent here to the replica that gathers. Throws StoreError while the
   * stream does not take them.
   */
  forwardPosts(): void {
    while (this.forwardSome() === POSTS_MAX);
  }

  /** Returns how many were handed over: none while those of before are not counted. */
  private forwardSome(): number {
    const entries = this.own.read(POSTS_MAX);
    const last = entries.at(-1);
    if (last === undefined) return 0;
    const isTaken = this.transact('posts', () => {
      if (!this.received.put(entries.map(({ event }) => event))) return false;
      this.own.dropTo(last.entry);
      return true;
    });
    return isTaken ? entries.length : 0;
  }

  private transact<Result>(kind: ChangesKind, work: () => Result): Result {
    const { database, onBehind } = this.parts;
    const before = this.now;
    try {
      return inLocalTransaction(database, () => this.appended(kind, work));
    } catch (error) {
      if (this.now !== before) onBehind(error);
      throw error;
    }
  }

  /** Runs work in the open transaction, and appends what it changes. */
  private appended<Result>(kind: ChangesKind, work: () => Result): Result {
    const { result, changes } = captureChanges(this.parts.database, work);
    if (changes.length > 0) {
      if (this.arriving.isWaiting) throw notTaken('changes of others are not stored yet');
      if (kind === 'changes' && !this.isGathering) throw notTaken('another replica gathers');
      const appended = this.parts.append({ kind, afterSeq: this.now.seq, changes });
      if (appended.kind === 'too-long') throw new StoreError(TOO_LONG);
      if (appended.kind !== 'appended') throw notTaken(REASONS[appended.kind]);
      this.reach({ seq: appended.seq });
    }
    return result;
  }

  private takeClaim(
    seq: number,
    { logId, gatherer, isOwn }: Extract<OffchainEffect, { readonly kind: 'claim' }>,
  ): void {
    inLocalTransaction(this.parts.database, () => this.reach({ seq, logId, gatherer, claim: seq }));
    // A tenure begins with what is stored, also after another one of this replica.
    this.rest();
    if (!isOwn) return;
    this.isGathering = true;
    this.parts.onGathering(true);
  }

  private takeChanges(
    seq: number,
    { kind, changes }: Exclude<OffchainEffect, { readonly kind: 'claim' }>,
  ): void {
    const { database, onNotice } = this.parts;
    const fault = changesFault(kind, changes) ?? this.tryChanges(seq, changes);
    if (fault === null) return;
    inLocalTransaction(database, () => this.reach({ seq }));
    onNotice(`off-chain data in message ${seq} of the stream cannot be used: ${fault}`);
  }

  /** Why the changes of a message cannot be stored; null if they are. */
  private tryChanges(seq: number, changes: Uint8Array): string | null {
    const { database, onNotice } = this.parts;
    const before = this.now;
    try {
      const { conflicts } = inLocalTransaction(database, () => {
        this.reach({ seq });
        return applyChanges(database, changes);
      });
      if (conflicts > 0)
        onNotice(`message ${seq} found ${conflicts} other rows than were expected`);
      return null;
    } catch (error) {
      this.now = before;
      const reason = error instanceof StoreError ? error.cause : error;
      if (reason instanceof ChangesError) return reason.message;
      throw error;
    }
  }

  private reach(step: Partial<OffchainPosition>): void {
    const next = { ...this.now, ...step };
    this.stored.write(next);
    this.now = next;
  }
}

const REASONS = {
  refused: 'another replica was faster, or gathers',
  unavailable: 'the servers of the stream do not acknowledge it',
};
const TOO_LONG = 'A transaction of off-chain data is longer than the stream takes.';

function notTaken(reason: string): StoreError {
  return new StoreError(`The stream has not taken off-chain data: ${reason}.`, {
    isTransient: true,
  });
}
