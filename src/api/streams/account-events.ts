import { numberOf, type TriggerEvent } from '../../model/trigger.ts';
import type { TriggerRepository } from '../deps.ts';
import type { Batch, StreamSource } from '../stream-source.ts';

/** Events of an account that are kept here while somebody reads them. */
const KEPT_MAX = 1_000;
const BATCH_MAX = 100;

interface Account {
  readonly watchers: Set<() => void>;
  /** The newest ones, without holes. */
  kept: TriggerEvent[];
  /** The newest number that was heard of; null before any. */
  last: number | null;
}

/**
 * What each account is told of its triggers, as a stream: the newest events from memory, older ones
 * from where they are kept, so that the stream goes on after a restart where it was.
 */
export class AccountEvents {
  private readonly file: Pick<TriggerRepository, 'events'>;
  private readonly accounts = new Map<string, Account>();

  constructor(file: Pick<TriggerRepository, 'events'>) {
    this.file = file;
  }

  /** How many read. */
  get readers(): number {
    let readers = 0;
    for (const { watchers } of this.accounts.values()) readers += watchers.size;
    return readers;
  }

  /** Events as they come, of one account in order of number. */
  push(events: readonly TriggerEvent[]): void {
    const told = new Set<Account>();
    for (const event of events) {
      const { accountId } = event.kind === 'fired' ? event.firing : event.retraction;
      const account = this.accounts.get(accountId);
      if (account === undefined) continue;
      keep(account, event);
      told.add(account);
    }
    for (const { watchers } of told) for (const onEvents of watchers) onEvents();
  }

  of(accountId: string): StreamSource<TriggerEvent> {
    return {
      newest: async () => {
        const asked = { accountId, since: Number.MAX_SAFE_INTEGER, limit: 1 };
        return (await this.file.events(asked)).lastNumber;
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
    const { events, lost, lastNumber } = await this.file.events(asked);
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
      // What comes while nobody reads is not kept here.
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
