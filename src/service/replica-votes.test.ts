import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import { simulatedSlots } from '../../tests/support/simulated-slots.ts';
import type { SourceItem } from '../chain/source.ts';
import type { Vote } from '../cluster/agreement.ts';
import { LogTail } from '../cluster/log-tail.ts';
import { MemoryStepLog } from '../cluster/memory-step-log.ts';
import { encodeHead } from '../cluster/step-head.ts';
import { bodyOf, headOf } from '../cluster/step-message.ts';
import { StreamSource } from '../cluster/stream-source.ts';
import { Engine } from '../engine/engine.ts';
import { Ingestion } from '../ingestion/ingestion.ts';
import { monotonicClock } from '../lib/clock.ts';
import { DamagedStateError } from '../lib/pages/page-pool.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asPriceE18, asRawAmount, asSlot } from '../model/units.ts';
import { openControlPlane } from '../store/control/control-plane.ts';
import { ReplicaRecordTable } from '../store/control/replica-record.ts';
import { listeners } from './fold-listeners.ts';
import { ReplicaRebuilds } from './replica-rebuilds.ts';
import { ReplicaVotes } from './replica-votes.ts';

const SLOTS = simulatedSlots('votes', 60).map(
  (facts, index, all): SlotFacts => ({
    ...facts,
    blockhash: `hash-${facts.slot}`,
    parentSlot: all[index - 1]?.slot ?? asSlot(facts.slot - 1),
    previousBlockhash: `hash-${all[index - 1]?.slot ?? facts.slot - 1}`,
  }),
);
const FINAL_LAG = 4;

/** The slots as a log in which each is final four blocks later. */
async function logOf(slots: readonly SlotFacts[]): Promise<MemoryStepLog> {
  const log = new MemoryStepLog();
  const tail = new LogTail();
  const append = async (step: Parameters<typeof bodyOf>[0]) => {
    const head = tail.headOf(headOf(step), 'test');
    const seq = tail.lastSeq;
    await log.append({ head: encodeHead(head), body: bodyOf(step) }, { seq, id: `${seq}` });
    tail.pass(seq + 1, head);
  };
  for (const [index, facts] of slots.entries()) {
    await append({ kind: 'facts', facts });
    const final = slots[index - FINAL_LAG];
    if (final !== undefined) await append({ kind: 'final', slot: final.slot });
  }
  return log;
}

/** A replica in this process; `damage` changes what one slot does to its memory. */
class TestReplica {
  readonly votes: ReplicaVotes;
  readonly sentences: string[] = [];
  readonly sent: Vote[] = [];
  readonly ingestion: Ingestion;
  private readonly source: StreamSource;
  private readonly ending: AbortController;
  private readonly damage: (item: SourceItem) => SourceItem;

  private constructor(
    ingestion: Ingestion,
    log: MemoryStepLog,
    name: string,
    send: (vote: Vote) => void,
    damage: (item: SourceItem) => SourceItem,
  ) {
    this.ending = new AbortController();
    const { signal } = this.ending;
    this.damage = damage;
    this.ingestion = ingestion;
    this.source = new StreamSource({
      log,
      name: 'test',
      final: null,
      clock: monotonicClock,
      signal,
    });
    let nowMs = 0;
    const rebuilds = new ReplicaRebuilds({
      trust: ingestion.trust,
      record: new ReplicaRecordTable(openControlPlane(':memory:')),
      onNotice: (sentence) => this.sentences.push(sentence),
    });
    this.votes = new ReplicaVotes({
      ...{ ingestion, rebuilds, name, rules: 'rules' },
      send: (vote) => {
        this.sent.push(vote);
        send(vote);
      },
      lateSeq: () => this.source.lateSeq,
      onMinority: (sentence) => {
        this.sentences.push(sentence);
        this.source.halt(sentence);
      },
      onNotice: (sentence) => this.sentences.push(sentence),
      // As if a slot came every 400 ms.
      steadyNow: () => {
        nowMs += 200;
        return nowMs;
      },
    });
    ingestion.listen(listeners([this.votes.listener]));
  }

  static async open(
    log: MemoryStepLog,
    name: string,
    send: (vote: Vote) => void,
    damage: (item: SourceItem) => SourceItem = (item) => item,
  ): Promise<TestReplica> {
    const createEngine = () =>
      new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n), undoSlotsMax: 64 });
    const store = new MemoryStore().open();
    const ingestion = await Ingestion.open({ store, createEngine, rules: 'rules' });
    return new TestReplica(ingestion, log, name, send, damage);
  }

  /** Follows the log until its end, or until it stops itself. */
  async run(lastSeq: number): Promise<void> {
    const { source, damage, ending } = this;
    await this.ingestion.ingest({
      areBlocksFinal: false,
      async *[Symbol.asyncIterator]() {
        for await (const item of source) {
          yield damage(item);
          // Others read at the same pace.
          await new Promise((resolve) => setImmediate(resolve));
          if (source.nextSeq > lastSeq) ending.abort();
        }
      },
    });
  }
}

/** Replicas of one log that hear each other; the damage is that of the last. */
async function runReplicas(
  names: readonly string[],
  damage?: (item: SourceItem) => SourceItem,
): Promise<readonly TestReplica[]> {
  const log = await logOf(SLOTS);
  const replicas: TestReplica[] = [];
  for (const [index, name] of names.entries()) {
    const send = (vote: Vote) => {
      for (const other of replicas) if (other !== replicas[index]) other.votes.hear(vote);
    };
    const isLast = index === names.length - 1;
    replicas.push(await TestReplica.open(log, name, send, isLast ? damage : undefined));
  }
  const { lastSeq } = await log.bounds();
  await Promise.all(replicas.map((replica) => replica.run(lastSeq)));
  return replicas;
}

const DAMAGED_AT = 30;

/** The balances after one slot are others, as after flipped bits. */
function flipBit(item: SourceItem): SourceItem {
  const damaged = SLOTS[DAMAGED_AT];
  if (item.kind !== 'facts' || item.facts.slot !== damaged?.slot) return item;
  const transactions = item.facts.transactions.map((transaction) => ({
    ...transaction,
    tokenBalances: transaction.tokenBalances.map((change) => ({
      ...change,
      after: asRawAmount(change.after ^ 1n),
    })),
  }));
  return { kind: 'facts', facts: { ...item.facts, transactions } };
}

/** Votes of a replica whose state after slot 2 cannot be read. */
function votesWithoutState(failure: Error): Vote[] {
  const sent: Vote[] = [];
  const engine = { lastSlot: asSlot(1), lastBlockhash: 'hash-1' };
  const status = { finalSlot: null as number | null, isDirty: false };
  const digest = () => {
    if (engine.lastSlot === 2) throw failure;
    return { slot: engine.lastSlot, blockhash: engine.lastBlockhash, digest: 'd', parts: [] };
  };
  const ingestion = { engine, status, digest, isRebuilding: false } as unknown as Ingestion;
  const standing = { contradictedSlot: null, isStopped: false };
  const rebuilds = { standing, agreed: () => undefined } as unknown as ReplicaRebuilds;
  let nowMs = 0;
  const votes = new ReplicaVotes({
    ...{ ingestion, rebuilds, name: 'one', rules: 'rules', lateSeq: () => 0 },
    send: (vote) => sent.push(vote),
    onMinority: (sentence) => expect.fail(sentence),
    onNotice: (sentence) => expect.fail(sentence),
    steadyNow: () => (nowMs += 200),
  });
  for (const slot of [1, 2, 3]) {
    Object.assign(engine, { lastSlot: asSlot(slot), lastBlockhash: `hash-${slot}` });
    votes.listener.onStep?.();
  }
  status.finalSlot = 3;
  votes.listener.onStep?.();
  return sent;
}

describe('replicas that vote on their states', () => {
  it('abstain from a slot after which their state cannot be read', () => {
    const sent = votesWithoutState(new DamagedStateError('page 7 of "pools" is damaged'));
    expect(sent.map(({ slot }) => slot)).toEqual([1, 3]);
    expect(() => votesWithoutState(new TypeError('a bug'))).toThrow('a bug');
  });

  it('agree on every final slot of the same log', async () => {
    const replicas = await runReplicas(['a', 'b', 'c']);
    const final = SLOTS.at(-1 - FINAL_LAG)?.slot;
    for (const { votes, sentences, sent } of replicas) {
      expect(votes.status).toMatchObject({ state: 'agreed', slot: final });
      expect(votes.status.others.every(({ isEqual }) => isEqual)).toBe(true);
      expect(sentences).toEqual(['this replica agrees with the others']);
      expect(sent).toHaveLength(SLOTS.length - FINAL_LAG);
    }
  });

  it('find the one of three whose state was damaged, at that slot, and it stops', async () => {
    const [a, b, damaged] = await runReplicas(['a', 'b', 'c'], flipBit);
    expect(damaged?.votes.status).toMatchObject({
      state: 'rebuilding',
      slot: SLOTS[DAMAGED_AT]?.slot,
      agreedSlot: SLOTS[DAMAGED_AT - 1]?.slot,
      contradictedSlot: SLOTS[DAMAGED_AT]?.slot,
    });
    expect(damaged?.sentences.at(-1)).toMatch(
      /differs from that of most replicas \(a, b\).*computes its state again from the start of its log/,
    );
    const { status } = damaged?.ingestion ?? {};
    expect(status).toMatchObject({ isContradicted: true, isFollowing: false });
    for (const well of [a, b]) {
      expect(well?.votes.status.state).toBe('agreed');
      expect(well?.ingestion.status.isContradicted).toBe(false);
      expect(well?.votes.status.others.find(({ name }) => name === 'c')?.isEqual).toBe(false);
    }
  });

  it('both say so and go on where there are only two', async () => {
    const replicas = await runReplicas(['a', 'b'], flipBit);
    for (const { votes, sentences, ingestion } of replicas) {
      expect(votes.status.state).toBe('differing');
      expect(sentences.at(-1)).toMatch(/there is no majority to decide/);
      expect(ingestion.status).toMatchObject({ isContradicted: false, stopReason: null });
    }
  });
});
