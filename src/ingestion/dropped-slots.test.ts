import { describe, expect, test } from 'vitest';
import { slotFacts } from '../../tests/support/build-facts.ts';
import { itemSource } from '../../tests/support/item-source.ts';
import { signatureNamed } from '../../tests/support/made-up-units.ts';
import { createTrader, launch, SOL, START_MS } from '../../tests/support/master-fixture.ts';
import { MemoryStore } from '../../tests/support/memory-store.ts';
import type { BlockLink } from '../chain/block-link.ts';
import { Continuity } from '../chain/continuity.ts';
import { networkFinality } from '../chain/finality.ts';
import type { LogStep } from '../chain/log-step.ts';
import type { SourceItem } from '../chain/source.ts';
import { openGapsOf } from '../commands/open-gaps-of.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { SlotFacts, TransactionFacts } from '../model/slot-facts.ts';
import { asPriceE18, asSlot } from '../model/units.ts';
import { Ingestion } from './ingestion.ts';
import type { IngestionStore } from './ingestion-store.ts';

const newEngine = () => new Engine({ fallbackSolUsd: asPriceE18(150n * 10n ** 18n) });
const EAGER = { refoldAfterMs: 0, writeAfterMs: 0 };

function open(store: IngestionStore): Promise<Ingestion> {
  const parts = { createEngine: newEngine, rules: 'rules', nowMs: () => 77 };
  return Ingestion.open({ store, ...parts });
}

/**
 * A coin is launched in slot 1000 and traded in every block. 1003 and `lastDropped` are on a lost
 * branch.
 */
function emitChain(lastDropped = 1_004) {
  const trade = createTrader();
  const signed = (name: string) => (transaction: TransactionFacts) => ({
    ...transaction,
    signature: signatureNamed(`${transaction.signature} ${name}`),
  });
  const block = (slot: number, parent: SlotFacts | null, name = 'main'): SlotFacts => ({
    ...slotFacts(
      slot,
      START_MS + (slot - 1_000) * 1_000,
      [
        ...(parent === null ? [launch()] : []),
        trade(`wallet ${slot % 3}`, 'buy', SOL, 1_000n + BigInt(slot), 1),
      ].map(signed(`${name} ${slot}`)),
    ),
    parentSlot: parent?.slot ?? asSlot(999),
    blockhash: `${name} ${slot}`,
    previousBlockhash: parent?.blockhash ?? 'before all',
    decoderVersion: DECODER_VERSION,
  });
  const first = block(1_000, null);
  const second = block(1_001, first);
  const third = block(1_002, second);
  const dropped = block(1_003, third, 'fork');
  const alsoDropped = block(lastDropped, dropped, 'fork');
  const late = block(1_006, third);
  const after = block(1_007, late);
  const last = block(1_008, after);
  const emitted = [first, second, third, dropped, alsoDropped];
  return { emitted, late, after, last, stays: [first, second, third, late, after, last] };
}

const facts = (slots: readonly SlotFacts[]): SourceItem[] =>
  slots.map((one) => ({ kind: 'facts', facts: one }));
const run = (kind: 'dropped' | 'skipped', from: number, to: number): SourceItem => ({
  kind,
  from: asSlot(from),
  to: asSlot(to),
});
const final = (slot: number): SourceItem => ({ kind: 'final', slot: asSlot(slot) });

/** The items of a follower of that chain when 1006 arrives after 1007 is final. */
function itemsOf({ emitted, late, after, last }: ReturnType<typeof emitChain>): SourceItem[] {
  const [from, to] = [asSlot(1_005), asSlot(1_006)];
  return [
    ...facts(emitted),
    { kind: 'missing', from, to, reason: 'every node denies it' },
    ...facts([after]),
    final(1_007),
    run('dropped', 1_003, 1_004),
    ...facts([late]),
    run('skipped', 1_003, 1_005),
    ...facts([last]),
    final(1_008),
  ];
}

/** The final blocks, folded by an independent engine, and its rows in one piece. */
async function calm(stays: readonly SlotFacts[]) {
  const engine = newEngine();
  const store = new MemoryStore();
  const changes = stays.map((one) => engine.apply(one));
  await store.open().writer.writeBatch({ epoch: 1, slots: stays, changes });
  const rows = store.visibleRows();
  store.close();
  return { digest: engine.digest(), rows };
}

function statesOf({ gaps }: IngestionStore): string {
  const ranges = gaps.ranges(asSlot(1_000), asSlot(1_008));
  return ranges.map(({ from, to, state }) => `${from}-${to} ${state}`).join(', ');
}

describe('final slots that turn out to be on a lost branch', () => {
  test('leave log, state and rows as if they had never arrived, and are marked as skipped', async () => {
    const chain = emitChain();
    const expected = await calm(chain.stays);
    const store = new MemoryStore();
    const opened = store.open();
    const ingestion = await open(opened);
    await ingestion.ingest(itemSource(itemsOf(chain), false), EAGER);
    expect(ingestion.engine.digest()).toBe(expected.digest);
    expect(store.visibleRows()).toEqual(expected.rows);
    expect(statesOf(opened)).toBe('1000-1002 held, 1003-1005 skipped, 1006-1008 held');
    expect(ingestion.gaps).toEqual([]);
    expect(ingestion.status.droppedSlots).toBe(2);
    store.close();
  });

  test('are marked as missing until a later block proves more', async () => {
    const chain = emitChain();
    const store = new MemoryStore();
    const opened = store.open();
    const ingestion = await open(opened);
    const items = itemsOf(chain);
    await ingestion.ingest(itemSource(items.slice(0, 9), false), EAGER);
    const left = chain.emitted.slice(0, 3);
    expect(ingestion.engine.digest()).toBe((await calm([...left, chain.after])).digest);
    expect(statesOf(opened)).toMatch(/^1000-1002 held, 1003-1004 missing, 1005-1006 missing/);
    store.close();
  });

  test('leave slots unknown that only their branch proved skipped', async () => {
    const { emitted, after } = emitChain(1_005);
    const store = new MemoryStore();
    const opened = store.open();
    const ingestion = await open(opened);
    await ingestion.ingest(itemSource([...facts(emitted), final(1_005)], false), EAGER);
    expect(statesOf(opened)).toBe('1000-1003 held, 1004-1004 skipped, 1005-1005 held');
    const items = [...facts([after]), final(1_007), run('dropped', 1_003, 1_005)];
    await ingestion.ingest(itemSource(items, false), EAGER);
    const unknown = opened.gaps.ranges(asSlot(1_003), asSlot(1_005));
    expect(new Set(unknown.map(({ state }) => state))).toEqual(new Set(['missing']));
    expect(statesOf(opened)).toMatch(/^1000-1002 held, .*1007-1007 held$/);
    store.close();
  });

  test('are also removed after a kill before any write, once a follower has read again', async () => {
    const chain = emitChain();
    const expected = await calm(chain.stays);
    const whole = new MemoryStore();
    await (await open(whole.open())).ingest(itemSource(itemsOf(chain), false), EAGER);
    expect(whole.steps).toBeGreaterThan(30);
    for (let killedBefore = 0; killedBefore < whole.steps; killedBefore++) {
      const store = new MemoryStore();
      const doomed = store.open();
      store.stepsLeft = killedBefore;
      const life = async () => {
        await (await open(doomed)).ingest(itemSource(itemsOf(chain), false), EAGER);
      };
      await expect(life()).rejects.toThrow('killed before a write');
      const opened = store.open();
      const ingestion = await open(opened);
      await ingestion.ingest(itemSource(await toldAgain(chain.stays, opened, ingestion), false));
      expect(ingestion.engine.digest()).toBe(expected.digest);
      expect(store.visibleRows()).toEqual(expected.rows);
      expect(statesOf(opened)).toBe('1000-1002 held, 1003-1005 skipped, 1006-1008 held');
      store.close();
    }
    whole.close();
  });
});

/** The items of the next follower for the final blocks, one after the other. */
async function toldAgain(
  stays: readonly SlotFacts[],
  { log }: IngestionStore,
  ingestion: Ingestion,
): Promise<SourceItem[]> {
  const { finalSlot } = ingestion.status;
  const held = finalSlot === null ? null : await log.find(finalSlot);
  const machine = new Continuity<BlockLink & { readonly facts: SlotFacts }>({
    anchor: held === null ? null : { slot: held.slot, blockhash: String(held.blockhash) },
    gaps: await openGapsOf(log, ingestion.gaps),
    finality: networkFinality(),
  });
  const steps: LogStep<BlockLink & { readonly facts: SlotFacts }>[] = [];
  for (const one of stays) {
    const { slot, blockhash, parentSlot, previousBlockhash } = one;
    const link = { slot, blockhash: String(blockhash), parentSlot: parentSlot ?? slot };
    const block = { ...link, previousBlockhash: String(previousBlockhash), facts: one };
    steps.push(...machine.accept(block).steps);
  }
  steps.push(...machine.observeFinal(asSlot(1_008)));
  return steps.map((step) =>
    step.kind === 'block' ? { kind: 'facts', facts: step.block.facts } : step,
  );
}

describe('a late block of a slot stored with another block', () => {
  test('replaces it if a later block contradicts the stored one', async () => {
    const { stays, emitted } = emitChain();
    const [first, , third] = stays;
    const [, real] = emitted;
    if (first === undefined || real === undefined || third === undefined) throw new Error('few');
    const twin = { ...real, blockhash: 'twin 1001', transactions: [] };
    const store = new MemoryStore();
    const opened = store.open();
    const ingestion = await open(opened);
    await ingestion.ingest(itemSource(facts([first, twin, third]), true));
    expect(ingestion.gaps).toMatchObject([{ from: 1_001, to: 1_001 }]);
    const { problems } = await ingestion.ingest(itemSource(facts([real]), true));
    const expected = await calm([first, real, third]);
    expect(problems).toEqual({});
    expect(ingestion.engine.digest()).toBe(expected.digest);
    expect(store.visibleRows()).toEqual(expected.rows);
    expect(ingestion.gaps).toEqual([]);
    store.close();
  });

  test('is reported and left out if nothing contradicts the stored one', async () => {
    const { stays } = emitChain();
    const [first, second, third] = stays;
    if (first === undefined || second === undefined || third === undefined) throw new Error('few');
    const store = new MemoryStore();
    const ingestion = await open(store.open());
    await ingestion.ingest(itemSource(facts([first, second, third]), true));
    const before = ingestion.engine.digest();
    const problems: string[] = [];
    const twin = { ...second, blockhash: 'twin 1001', transactions: [] };
    const result = await ingestion.ingest(itemSource(facts([twin]), true), {
      onProblem: ({ code, position, message }) => problems.push(`${code} ${position}: ${message}`),
    });
    expect(result).toMatchObject({ slotsAdded: 0, problems: { 'other-block': 1 } });
    expect(problems[0]).toMatch(/^other-block slot 1001: .*main 1001.*twin 1001 was left out/);
    expect(ingestion.engine.digest()).toBe(before);
    store.close();
  });

  test('is not needed if the chain proves that the slot has none: the stored one is removed', async () => {
    const { emitted, late } = emitChain();
    const store = new MemoryStore();
    const opened = store.open();
    const ingestion = await open(opened);
    await ingestion.ingest(itemSource(facts([...emitted, late]), true));
    expect(ingestion.gaps).toMatchObject([{ from: 1_003, to: 1_004 }]);
    await ingestion.ingest(itemSource([run('skipped', 1_003, 1_005)], true));
    const expected = await calm([...emitted.slice(0, 3), late]);
    expect(ingestion.engine.digest()).toBe(expected.digest);
    expect(store.visibleRows()).toEqual(expected.rows);
    expect(statesOf(opened)).toBe('1000-1002 held, 1003-1005 skipped, 1006-1006 held');
    store.close();
  });
});
