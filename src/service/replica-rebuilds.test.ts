import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { calmFold, StoredFold } from '../../tests/support/stored-fold.ts';
import type { SourceItem } from '../chain/source.ts';
import { Engine } from '../engine/engine.ts';
import type { IngestionHooks } from '../ingestion/ingestion-run.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';
import { openControlPlane } from '../store/control/control-plane.ts';
import { ReplicaRecordTable } from '../store/control/replica-record.ts';
import { listeners } from './fold-listeners.ts';
import { ReplicaRebuilds } from './replica-rebuilds.ts';
import { ReplicaVotes } from './replica-votes.ts';

const SLOTS = 120;
const PART = 30;
const FINAL_LAG = 3;
let facts: readonly SlotFacts[];
let calm: Awaited<ReturnType<typeof calmFold>>;
/** What two other replicas vote: the digest after each slot. */
const digests = new Map<number, string>();

beforeAll(async () => {
  facts = marketFacts(SLOTS);
  calm = await calmFold(facts);
  const engine = new Engine({ fallbackSolUsd });
  for (const each of facts) {
    engine.apply(each);
    digests.set(each.slot, engine.digest());
  }
});

/** A replica whose rows are in memory and whose checkpoints are files, and the votes of two others. */
class ComparedReplica {
  readonly fold = new StoredFold();
  readonly sentences: string[] = [];
  readonly hooks: IngestionHooks = {
    ...{ writeAfterMs: 0, refoldAfterMs: 0 },
    onStateProblem: (sentence) => this.sentences.push(sentence),
  };
  readonly control: DatabaseSync = openControlPlane(':memory:');
  /** Whether the others vote. */
  areOthersThere = true;
  rebuilds!: ReplicaRebuilds;
  votes!: ReplicaVotes;
  private halted: string | null = null;

  /** A new process on the folder. */
  async open(): Promise<void> {
    const ingestion = await this.fold.open();
    const onNotice = (sentence: string) => this.sentences.push(sentence);
    const record = new ReplicaRecordTable(this.control);
    this.rebuilds = new ReplicaRebuilds({ trust: ingestion.trust, record, onNotice });
    let nowMs = 0;
    this.votes = new ReplicaVotes({
      ...{ ingestion, rebuilds: this.rebuilds, name: 'own', rules: 'rules', onNotice },
      lateSeq: () => 0,
      send: (vote) => {
        for (const replica of this.areOthersThere ? ['a', 'b'] : []) {
          this.votes.hear({ ...vote, replica, digest: digests.get(vote.slot) ?? '' });
        }
      },
      onMinority: (sentence) => {
        this.sentences.push(sentence);
        this.halted = sentence;
      },
      // As if a slot came every 400 ms.
      steadyNow: () => {
        nowMs += 200;
        return nowMs;
      },
    });
    ingestion.listen(listeners([this.votes.listener]));
  }

  /** Follows what comes after its last final slot, as often as it computes its state again. */
  async follow(slots: readonly SlotFacts[]): Promise<void> {
    do {
      const failure = await this.rebuilds.run(this.hooks);
      if (failure !== null) this.sentences.push(failure);
      this.votes.restart();
      await this.readOnce(slots);
    } while (this.rebuilds.isDue);
  }

  /** Until it is contradicted, without what follows then. */
  async readOnce(slots: readonly SlotFacts[]): Promise<void> {
    this.halted = null;
    const { finalSlot } = this.fold.ingestion.status;
    const next = slots.filter(({ slot }) => slot > (finalSlot ?? -1));
    await this.fold.ingestion.ingest(itemSource(this.items(next), false), this.hooks);
  }

  async restart(): Promise<void> {
    await this.fold.ingestion.close();
    await this.open();
  }

  get checkpoints(): readonly number[] {
    return this.fold
      .files('checkpoint-')
      .map((path) => Number(/checkpoint-(\d+)-/.exec(path)?.[1]));
  }

  private async *items(slots: readonly SlotFacts[]): AsyncGenerator<SourceItem> {
    for (const [index, each] of slots.entries()) {
      yield { kind: 'facts', facts: each };
      const final = slots[index - FINAL_LAG];
      if (final !== undefined) yield { kind: 'final', slot: final.slot };
      if (this.halted !== null) break;
    }
    const last = slots.at(-1);
    if (last !== undefined && this.halted === null) {
      yield { kind: 'final', slot: asSlot(last.slot) };
    }
    if (this.halted === null) return;
    const problem = { origin: 'test', position: null, message: this.halted };
    yield { kind: 'problem', problem: { code: 'state-differs', ...problem } };
  }
}

const slotAt = (index: number) => facts[index]?.slot ?? asSlot(0);
const upTo = (parts: number) => facts.slice(0, parts * PART);

/** Slots whose application leaves one amount in memory with another lowest bit. */
const damagedSlots = new Set<number>();

/** Memory alone is damaged: what is stored of the slots is right. */
function damageMemory(): void {
  const { apply } = Engine.prototype;
  vi.spyOn(Engine.prototype, 'apply').mockImplementation(function damaged(
    this: Engine,
    given,
    options,
  ) {
    return apply.call(this, damagedSlots.has(given.slot) ? flipped(given) : given, options);
  });
}

function flipped(given: SlotFacts): SlotFacts {
  const [first, ...rest] = given.transactions.filter(({ events }) =>
    events.some(({ kind }) => kind === 'swap'),
  );
  if (first === undefined) throw new Error('the slot has no swap');
  const events = first.events.map((event) =>
    event.kind === 'swap' && event.quarantine === null
      ? ({ ...event, poolQuoteDelta: event.poolQuoteDelta ^ 1n } as typeof event)
      : event,
  );
  const others = given.transactions.filter((one) => one !== first && !rest.includes(one));
  return { ...given, transactions: [{ ...first, events }, ...rest, ...others] };
}

/** A slot with a swap, in the second half of the second part. */
function slotToDamage(): number {
  const found = facts.slice(PART + PART / 2, 2 * PART).find(({ slot }) => digestsDifferWith(slot));
  if (found === undefined) throw new Error('no slot has a swap');
  return found.slot;
}

function digestsDifferWith(slot: number): boolean {
  const given = facts.find((each) => each.slot === slot);
  return (
    given?.transactions.some(({ events }) =>
      events.some((event) => event.kind === 'swap' && event.quarantine === null),
    ) === true
  );
}

let replica: ComparedReplica;

beforeEach(async () => {
  damageMemory();
  replica = new ComparedReplica();
  await replica.open();
});

afterEach(async () => {
  vi.restoreAllMocks();
  damagedSlots.clear();
  await replica.fold.ingestion.close();
  replica.fold.close();
  replica.control.close();
});

function expectCalm(): void {
  expect(replica.fold.ingestion.engine.digest()).toBe(calm.digest);
  expect(replica.fold.rows.visibleRows()).toEqual(calm.rows);
  expect(replica.fold.rows.rowsByLayer().size).toBe(1);
  expect(replica.fold.ingestion.status).toMatchObject({ isContradicted: false, stopReason: null });
}

describe('a replica that most others contradict', () => {
  it('computes its state again from the newest checkpoint that they agreed on, by itself', async () => {
    await replica.follow(upTo(1));
    const damagedAt = slotToDamage();
    damagedSlots.add(damagedAt);
    await replica.readOnce(facts);
    const { status } = replica.votes;
    expect(status).toMatchObject({ state: 'rebuilding', contradictedSlot: damagedAt, rebuilds: 1 });
    expect(status.agreedSlot).toBe(facts.findLast(({ slot }) => slot < damagedAt)?.slot);
    expect(replica.sentences.at(-1)).toBe(
      `The state after slot ${damagedAt} differs from that of most replicas (a, b): memory or disk of this machine are damaged, or its folder has another history. It answers no more requests, computes its state again from its checkpoint after slot ${slotAt(PART - 1)}, since they agreed until slot ${status.agreedSlot}, and answers once they agree on a later slot.`,
    );
    expect(replica.fold.ingestion.status.isContradicted).toBe(true);
    damagedSlots.clear();
    await replica.follow(facts);
    expectCalm();
    expect(replica.votes.status).toMatchObject({
      ...{ state: 'agreed', contradictedSlot: null, rebuilds: 1, agreedSlot: slotAt(SLOTS - 1) },
    });
    expect(replica.rebuilds.total).toBe(1);
  });

  it('removes checkpoints that have the damage, where it is noticed after a restart only', async () => {
    await replica.follow(upTo(1));
    const damagedAt = slotToDamage();
    damagedSlots.add(damagedAt);
    replica.areOthersThere = false;
    await replica.follow(upTo(2));
    expect(replica.checkpoints).toContain(slotAt(2 * PART - 1));
    damagedSlots.clear();
    await replica.restart();
    // The damage is in what it begins with.
    expect(replica.fold.ingestion.engine.digest()).not.toBe(digests.get(slotAt(2 * PART - 1)));
    replica.areOthersThere = true;
    await replica.follow(facts);
    expect(replica.sentences).toContain(
      `The states after these slots were removed, because they may be wrong: ${slotAt(2 * PART - 1)}.`,
    );
    expect(replica.rebuilds.total).toBe(1);
    expectCalm();
  });

  it('answers nothing until they agree on a later slot, also after a restart', async () => {
    await replica.follow(upTo(1));
    damagedSlots.add(slotToDamage());
    await replica.readOnce(upTo(2));
    damagedSlots.clear();
    replica.areOthersThere = false;
    await replica.follow(upTo(2));
    expect(replica.votes.status.state).toBe('rebuilding');
    expect(replica.fold.ingestion.status).toMatchObject({ isContradicted: true, stopReason: null });
    await replica.restart();
    expect(replica.fold.ingestion.status.isContradicted).toBe(true);
    expect(replica.rebuilds.isDue).toBe(false);
    replica.areOthersThere = true;
    await replica.follow(facts);
    expectCalm();
    expect(replica.rebuilds.total).toBe(0);
  });

  it('goes on with its rebuild when it was killed before it began, and while it ran', async () => {
    await replica.follow(upTo(1));
    damagedSlots.add(slotToDamage());
    await replica.readOnce(facts);
    await replica.restart();
    expect(replica.rebuilds.isDue).toBe(true);
    damagedSlots.clear();
    // Aborted once the first slot was applied again.
    const ending = new AbortController();
    const hooks = { ...replica.hooks, signal: ending.signal, onFold: () => ending.abort() };
    expect(await replica.rebuilds.run(hooks)).toBeNull();
    expect(replica.rebuilds.isDue).toBe(true);
    await replica.restart();
    // The start has completed it.
    expect(replica.rebuilds.isDue).toBe(false);
    expect(replica.fold.ingestion.status.isContradicted).toBe(true);
    await replica.follow(facts);
    expectCalm();
  });

  it('goes back further each time, and stays stopped at last with what to do', async () => {
    await replica.follow(upTo(1));
    const damagedAt = slotToDamage();
    await replica.follow(facts.filter(({ slot }) => slot < damagedAt));
    // Its memory stays damaged.
    damagedSlots.add(damagedAt);
    await replica.follow(facts);
    const begun = replica.sentences.flatMap(
      (each) => /^The state was computed again (.*);/.exec(each)?.[1] ?? [],
    );
    expect(begun).toHaveLength(3);
    expect(new Set(begun).size).toBe(3);
    expect(begun.at(-1)).toBe('from the start of its log');
    expect(replica.sentences.at(-1)).toMatch(/is not once more\. .*mintscope restore/);
    expect(replica.votes.status).toMatchObject({ state: 'minority', rebuilds: 3 });
    expect(replica.fold.ingestion.status.isContradicted).toBe(true);
    await replica.restart();
    await replica.follow(facts);
    expect(replica.rebuilds.total).toBe(0);
    expect(replica.votes.status.state).toBe('minority');
  });

  it('says so where neither a checkpoint nor the log suffices', async () => {
    damagedSlots.add(slotToDamage());
    replica.fold.logRetentionMs = 1;
    await replica.restart();
    vi.spyOn(replica.fold.ingestion.trust, 'isLogWhole', 'get').mockReturnValue(false);
    await replica.follow(facts);
    expect(replica.rebuilds.total).toBe(0);
    expect(replica.votes.status.state).toBe('minority');
    expect(replica.sentences.at(-1)).toMatch(
      /no checkpoint from before, and its log does not begin with its first slot\. .*mintscope restore/,
    );
  });
});
