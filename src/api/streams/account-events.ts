import { numberOf, type TriggerEvent } from '../../model/trigger.ts';
import type { TriggerRepository } from '../deps.ts';
import type { Batch, StreamSource } from '../stream-source.ts';

/** Events of an account kept in memory while a client reads them. */
const KEPT_MAX = 1_000;
const BATCH_MAX = 100;

interface Account {
  readonly watchers: Set<() => void>;
  /** Newest events, without missing numbers. */
  kept: TriggerEvent[];
  /** Newest known event number; null before the first. */
  last: number | null;
}

/**
 * Trigger events of each account as a stream: the newest events from memory, older ones from the
 * store. A stream can be resumed after a restart.
 */
export class AccountEvents {
  private readonly repository: Pick<TriggerRepository, 'events'>;
  private readonly accounts = new Map<string, Account>();

  constructor(repository: Pick<TriggerRepository, 'events'>) {
    this.repository = repository;
  }

  /** Number of readers. */
  get readers(): number {
    let readers = 0;
    for (const { watchers } of this.accounts.values()) readers += watchers.size;
    return readers;
  }

  /** Adds new events; those of one account must be in order of number. */
  push(events: readonly TriggerEvent[]): void {
    const changed = new Set<Account>();
    for (const event of events) {
      const { accountId } = event.kind === 'fired' ? event.firing : event.retraction;
      const account = this.accounts.get(accountId);
      if (account === undefined) continue;
      keep(account, event);
      changed.add(account);
    }
    for (const { watchers } of changed) for (const onEvents of watchers) onEvents();
  }

  of(accountId: string): StreamSource<TriggerEvent> {
    return {
      newest: async () => {
        const asked = { accountId, since: Number.MAX_SAFE_INTEGER, limit: 1 };
        return (await this.repository.events(asked)).lastNumber;
      },
      after: (seq) => this.after(accountId, seq),
      watch: (onEvents) => this.watch(accountId, onEvents),
    };
  }

  private after(
    accountId: string,
    seq: number,
  ): Batch<TriggerEvent> | Promise<Batch<TriggerEvent>> {
    const { kept = [], last = null } = this.accounts.get(accountId) ?? {};
    if (seq === last) return { gap: null, entries: [], next: seq };
    const [first] = kept;
    if (first === undefined || seq < numberOf(first) - 1 || seq > (last ?? 0)) {
      return this.stored(accountId, seq);
    }
    const begin = seq + 1 - numberOf(first);
    return toBatch(kept.slice(begin, begin + BATCH_MAX), seq);
  }

  private async stored(accountId: string, seq: number): Promise<Batch<TriggerEvent>> {
    const asked = { accountId, since: seq, limit: BATCH_MAX };
    const { events, lost, lastNumber } = await this.repository.events(asked);
    const account = this.accounts.get(accountId);
    if (account !== undefined) account.last = Math.max(account.last ?? 0, lastNumber);
    if (seq > lastNumber) {
      return { gap: { from: lastNumber + 1, to: seq }, entries: [], next: lastNumber };
    }
    return { ...toBatch(events, lost?.to ?? seq), gap: lost };
  }

  private watch(accountId: string, onEvents: () => void): () => void {
    const account = this.accounts.get(accountId) ?? { watchers: new Set(), kept: [], last: null };
    this.accounts.set(accountId, account);
    account.watchers.add(onEvents);
    return () => {
      account.watchers.delete(onEvents);
      // Events are not kept in memory without a reader.
      if (account.watchers.size === 0) this.accounts.delete(accountId);
    };
  }
}

function keep(account: Account, event: TriggerEvent): void {
  const newest = account.kept.at(-1);
  if (newest !== undefined && numberOf(event) !== numberOf(newest) + 1) account.kept = [];
  account.kept.push(event);
  account.last = numberOf(event);
  if (account.kept.length > 2 * KEPT_MAX) account.kept = account.kept.slice(-KEPT_MAX);
}

function toBatch(events: readonly TriggerEvent[], seq: number): Batch<TriggerEvent> {
  const entries = events.map((item) => ({ seq: numberOf(item), item }));
  return { gap: null, entries, next: entries.at(-1)?.seq ?? seq };
}
