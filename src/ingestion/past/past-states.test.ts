import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { marketFacts } from '../../../tests/support/followed-market.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { Engine } from '../../engine/engine.ts';
import { runForAccount } from '../../lib/current-account.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import { type LinkedState, StateFolders } from '../../store/checkpoints/state-folders.ts';
import { encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import type { PastSource } from '../past-source.ts';
import { answerPast, type QueryOf } from './past-query.ts';
import { type PastOptions, PastStates } from './past-states.ts';

const FIRST = 1_000;
const MINT = address('cat mint');
const QUERY: QueryOf<'token'> = { kind: 'token', mint: MINT, holdersMax: 10 };
const FAULTY = new URL('../../../tests/support/faulty-past-worker.ts', import.meta.url);
const facts = marketFacts(40);
const fileOf = (fault: string) => join(path, `fault-${fault}`);

let path: string;
let past: PastStates | null = null;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'past-'));
});

afterEach(async () => {
  await past?.close();
  past = null;
  rmSync(path, { recursive: true });
});

/** The chain as a test changes it: slots that are stored, and slots that are not yet. */
class Chain {
  stored: SlotFacts[] = [];
  unwritten: SlotFacts[] = [...facts];
  more: Partial<PastSource> = {};
  readonly sentences: string[] = [];

  get source(): PastSource {
    const all = [...this.stored, ...this.unwritten];
    return {
      fold: 1,
      isRebuilding: false,
      firstApplied: all[0]?.slot ?? null,
      newest: all.at(-1)?.slot ?? null,
      storedAhead: null,
      logStart: null,
      checkpoints: [],
      changedFrom: null,
      unwritten: this.unwritten.map((each) => ({ facts: each })),
      ...this.more,
    };
  }

  /** The answer of an engine that applied the slots up to one. */
  answerAt(slot: number) {
    const engine = new Engine({ fallbackSolUsd });
    for (const each of [...this.stored, ...this.unwritten]) {
      if (each.slot <= slot) engine.apply(each);
    }
    const { lastSlot, timeMs } = engine;
    return {
      kind: 'answered',
      answer: { slot: lastSlot, timeMs, data: answerPast<'token'>(engine, QUERY) },
    };
  }
}

function open(chain: Chain, given: Partial<PastOptions> = {}): PastStates {
  const folders = new StateFolders(path);
  let count = 0;
  past = new PastStates({
    source: () => chain.source,
    states: {
      linkPast: async () => null,
      createPast: () => folders.createPast({ rules: 'rules' }, ++count),
      removePast: ({ folder }: LinkedState) => folders.removePast(folder),
    },
    log: {
      async *readEncoded({ from, to }) {
        for (const each of chain.stored) {
          if (each.slot >= from && each.slot <= to) yield encodeSlotFacts(each);
        }
      },
      find: async (slot) => chain.stored.find((each) => each.slot === slot) ?? null,
    },
    settings: { fallbackSolUsd, memory: { pagesMax: 1_000, objectBytesMax: 1_000_000 } },
    report: (sentence) => chain.sentences.push(sentence),
    ...given,
  });
  return past;
}

function slotAt(index: number): Slot {
  return facts[index]?.slot ?? asSlot(0);
}

describe('states of earlier slots', () => {
  test('answer from stored and unwritten slots, and are computed once for all who ask', async () => {
    const chain = new Chain();
    chain.stored = facts.slice(0, 15);
    chain.unwritten = facts.slice(15);
    const states = open(chain);
    const slot = slotAt(20);
    const answers = await Promise.all([states.read(QUERY, slot), states.read(QUERY, slot)]);
    const right = chain.answerAt(slot);
    expect(answers).toEqual([right, right]);
    expect(right.answer.data?.holders.length).toBeGreaterThan(1);
    expect(await states.read(QUERY, slot)).toEqual(right);
    expect(states.counts).toMatchObject({ built: 1, slots: 21, failed: 0 });
    // A later state continues from it.
    expect(await states.read(QUERY, slotAt(25))).toEqual(chain.answerAt(slotAt(25)));
    expect(states.counts).toMatchObject({ built: 2, slots: 26 });
  });

  test('of slots without a block are those of the last block before, until there is one', async () => {
    const chain = new Chain();
    const late = facts[12] as SlotFacts;
    const rest = facts.slice(13);
    chain.unwritten = facts.slice(0, 12);
    const states = open(chain);
    const skipped = facts.slice(0, 12).concat(rest.slice(1));
    chain.unwritten = skipped;
    expect(await states.read(QUERY, late.slot)).toEqual(chain.answerAt(slotAt(11)));
    // It arrives late: the slots after it are reverted and applied again.
    for (const { slot } of rest.slice(1).toReversed()) states.onReverted({ slot });
    chain.unwritten = facts.slice(0, 13).concat(rest.slice(1));
    for (const { slot } of [late, ...rest.slice(1)]) states.onApplied({ slot });
    const answer = await states.read(QUERY, late.slot);
    expect(answer).toEqual(chain.answerAt(late.slot));
    expect(answer).toMatchObject({ answer: { slot: late.slot } });
  });

  test('that are reverted are computed again on the present branch', async () => {
    const chain = new Chain();
    const states = open(chain);
    const slot = slotAt(30);
    const before = await states.read(QUERY, slot);
    const fork = () => {
      for (const each of facts.slice(25).toReversed()) states.onReverted(each);
      const others = facts.slice(25).map((each) => ({ ...each, transactions: [] }));
      chain.unwritten = [...facts.slice(0, 25), ...others];
      for (const each of others) states.onApplied(each);
    };
    fork();
    const after = await states.read(QUERY, slot);
    expect(after).toEqual(chain.answerAt(slot));
    expect(after).not.toEqual(before);
  });

  test('that are reverted while they are computed are those of the new branch', async () => {
    const chain = new Chain();
    const states = open(chain);
    const slot = slotAt(39);
    const asked = states.read(QUERY, slot);
    while (states.counts.slots === 0) await nextTurn();
    for (const each of facts.slice(25).toReversed()) states.onReverted(each);
    const others = facts.slice(25).map((each) => ({ ...each, transactions: [] }));
    chain.unwritten = [...facts.slice(0, 25), ...others];
    for (const each of others) states.onApplied(each);
    expect(await asked).toEqual(chain.answerAt(slot));
    expect(states.counts.slots).toBeGreaterThan(40);
  });

  test('of slots that no longer exist after a revert are refused with the new bounds', async () => {
    const chain = new Chain();
    const states = open(chain);
    const asked = states.read(QUERY, slotAt(39));
    while (states.counts.slots === 0) await nextTurn();
    for (const each of facts.slice(25).toReversed()) states.onReverted(each);
    chain.unwritten = facts.slice(0, 25);
    expect(await asked).toEqual({
      kind: 'outside',
      slots: { first: slotAt(0), newest: slotAt(24) },
    });
  });

  test.each([
    ['before the first', FIRST - 1],
    ['after the newest', facts.length + FIRST + 500],
  ])('%s are refused with both bounds', async (_where, slot) => {
    const states = open(new Chain());
    expect(await states.read(QUERY, asSlot(slot))).toEqual({
      kind: 'outside',
      slots: { first: slotAt(0), newest: slotAt(39) },
    });
  });

  test('are answerable from the oldest stored state on if the log is long', async () => {
    const chain = new Chain();
    const states = open(chain);
    const checkpoints = [asSlot(9_000), asSlot(6_000)];
    chain.more = { firstApplied: asSlot(0), newest: asSlot(9_100), checkpoints };
    expect(states.answerable).toEqual({ first: 6_000, newest: 9_100 });
    chain.more = { ...chain.more, checkpoints: [] };
    expect(states.answerable).toEqual({ first: 9_100, newest: 9_100 });
  });

  test('are refused with bounds if the log has lost its first slots', async () => {
    const chain = new Chain();
    chain.stored = facts.slice(5, 15);
    chain.unwritten = facts.slice(15);
    chain.more = { firstApplied: slotAt(0) };
    expect(await open(chain).read(QUERY, slotAt(20))).toEqual({
      kind: 'outside',
      slots: { first: slotAt(39), newest: slotAt(39) },
    });
  });

  test.each([
    ['the engine is being replaced', { isRebuilding: true }],
    ['the log has other slots', { changedFrom: slotAt(20) }],
    ['the log is being applied', { newest: slotAt(10), storedAhead: slotAt(30) }],
  ])('are not available while %s', async (_why, more) => {
    const chain = new Chain();
    chain.more = more;
    const states = open(chain);
    await expect(states.read(QUERY, slotAt(20))).rejects.toMatchObject({ status: 503 });
  });

  test('are not taken from a log that is changed meanwhile', async () => {
    const chain = new Chain();
    const states = open(chain);
    const asked = states.read(QUERY, slotAt(39));
    asked.catch(() => undefined);
    while (states.counts.slots === 0) await nextTurn();
    chain.more = { changedFrom: slotAt(3) };
    await expect(asked).rejects.toMatchObject({ status: 503 });
    chain.more = {};
    expect(await states.read(QUERY, slotAt(39))).toEqual(chain.answerAt(slotAt(39)));
  });

  test('wait in a bounded queue, in which no account has more than its share', async () => {
    const chain = new Chain();
    const states = open(chain);
    const statusOf = (accountId: string, index: number) =>
      runForAccount(accountId, async () => {
        try {
          return (await states.read(QUERY, slotAt(index))).kind;
        } catch (error) {
          return (error as { status: number }).status;
        }
      });
    // The first is begun at once and no longer waits.
    const greedy = Array.from({ length: 7 }, (_, index) => statusOf('greedy', index));
    const others = ['b', 'c', 'd', 'e'].flatMap((name, at) =>
      Array.from({ length: 4 }, (_, index) => statusOf(name, 10 + at * 4 + index)),
    );
    const refused = 503;
    expect(await Promise.all(greedy)).toEqual([
      ...Array.from({ length: 5 }, () => 'answered'),
      ...[refused, refused],
    ]);
    // Sixteen wait in total: four of the first account and twelve of others.
    const outcomes = await Promise.all(others);
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(12);
    expect(outcomes.slice(12)).toEqual([refused, refused, refused, refused]);
    expect(states.counts.refused).toBe(6);
    expect(states.waiting).toBe(0);
  });

  test('are waited for by a bounded number of reads', async () => {
    const states = open(new Chain());
    const asked = Array.from({ length: 66 }, () => states.read(QUERY, slotAt(5)));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 64 }, () => 'fulfilled'),
      ...['rejected', 'rejected'],
    ]);
    expect((await states.read(QUERY, slotAt(6))).kind).toBe('answered');
  });

  test.each([
    ['has stopped', 'exit', 60_000, 3],
    // As long as a thread needs to begin on a slow machine.
    ['no longer answers', 'silence', 20_000, 1],
  ] as const)(
    'are computed by another thread after one %s',
    async (_how, fault, silenceMaxMs, code) => {
      const chain = new Chain();
      const settings = { fallbackSolUsd, memory: { pagesMax: 1_000, objectBytesMax: 1_000_000 } };
      const faults = { exit: fileOf('exit'), silence: fileOf('silence') };
      const states = open(chain, {
        settings: { ...settings, ...faults },
        // Long enough for the fault to be gone when the next thread begins.
        thread: { workerUrl: FAULTY, restartFirstMs: 500, silenceMaxMs },
      });
      writeFileSync(faults[fault], '');
      await expect(states.read(QUERY, slotAt(9))).rejects.toMatchObject({ status: 503 });
      rmSync(faults[fault]);
      expect(chain.sentences).toEqual([
        `The thread that computes earlier states has stopped: it ended with code ${code}.`,
      ]);
      expect(states.thread.stops).toBe(1);
      const readAgain = () => states.read(QUERY, slotAt(9)).catch(() => null);
      const wanted = chain.answerAt(slotAt(9));
      await expect.poll(readAgain, { timeout: 150_000 }).toEqual(wanted);
    },
  );

  test('are released with their thread when none was read for some time', async () => {
    const chain = new Chain();
    const states = open(chain, { idleMs: 20 });
    await states.read(QUERY, slotAt(9));
    while (states.thread.isRunning || readdirSync(path).length > 0) await delay(5);
    expect(existsSync(path)).toBe(true);
    expect(await states.read(QUERY, slotAt(9))).toEqual(chain.answerAt(slotAt(9)));
    expect(states.counts.built).toBe(2);
  });

  test('are at most two at a time', async () => {
    const chain = new Chain();
    const states = open(chain);
    for (const index of [30, 20, 10, 20, 10]) {
      expect(await states.read(QUERY, slotAt(index))).toEqual(chain.answerAt(slotAt(index)));
    }
    // From the first slot each; the first of them was released for the third.
    expect(states.counts).toMatchObject({ built: 3, slots: 31 + 21 + 11 });
    expect(await states.read(QUERY, slotAt(30))).toEqual(chain.answerAt(slotAt(30)));
    expect(states.counts).toMatchObject({ built: 4, slots: 31 + 21 + 11 + 10 });
  });
});
