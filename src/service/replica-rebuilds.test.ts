import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ComparedReplica } from '../../tests/support/compared-replica.ts';
import { marketFacts } from '../../tests/support/followed-market.ts';
import { fallbackSolUsd } from '../../tests/support/master-fixture.ts';
import { calmFold } from '../../tests/support/stored-fold.ts';
import type { SourceItem } from '../chain/source.ts';
import type { Vote } from '../cluster/agreement.ts';
import { Engine } from '../engine/engine.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot } from '../model/units.ts';

const SLOTS = 120;
const PART = 30;
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
  replica = new ComparedReplica(digests);
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

describe('a replica that is contradicted while a late slot waits to be folded', () => {
  /** Slots 60 to 79 without slot 70, which comes last; then the others, slower, vote on slot 65. */
  async function* lateAndContradicted(): AsyncGenerator<SourceItem> {
    const next = facts.slice(60, 80);
    const late = facts[70] as SlotFacts;
    for (const each of next) if (each !== late) yield { kind: 'facts', facts: each };
    yield { kind: 'final', slot: slotAt(79) };
    const vote = replica.sent.find(({ slot }) => slot === slotAt(65)) as Vote;
    yield { kind: 'facts', facts: late };
    for (const name of ['a', 'b']) {
      replica.votes.hear({ ...vote, replica: name, digest: digests.get(vote.slot) ?? '' });
    }
  }

  it('computes its state again, although it was folded again from after the damage', async () => {
    await replica.follow(upTo(1));
    damagedSlots.add(slotToDamage());
    replica.areOthersThere = false;
    await replica.follow(upTo(2));
    damagedSlots.clear();
    await replica.ingest(lateAndContradicted());
    expect(replica.fold.ingestion.status.refolds).toBe(1);
    expect([replica.rebuilds.isDue, replica.rebuilds.mustFollowAgain]).toEqual([true, true]);
    replica.areOthersThere = true;
    await replica.follow(facts);
    expectCalm();
  });
});
