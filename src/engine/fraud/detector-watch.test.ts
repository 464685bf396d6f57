import { beforeAll, describe, expect, test } from 'vitest';
import { packageThat, TEST_DETECTOR } from '../../../tests/support/detector-package.ts';
import { storedEngine } from '../../../tests/support/stored-engine.ts';
import { scenarioSlots } from '../../commands/rules/tested-slots.ts';
import { readPackage } from '../../detector-modules/package/read-package.ts';
import { openDetector } from '../../detector-modules/sandbox/open-detector.ts';
import type { InstalledDetector } from '../../fraud/contract/installed-detector.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import { Engine } from '../engine.ts';

const FOLDER = new URL('../../../examples/detectors', import.meta.url).pathname;
const NOT_FINAL = { isFinal: false };

/** The slots of a launch that a bundle buys, in which cases are evaluated. */
let slots: readonly SlotFacts[];
let subject: string | null;
let example: InstalledDetector;

beforeAll(() => {
  const scenario = scenarioSlots({ name: 'traditional_bundle', seed: 'one' });
  if (typeof scenario === 'string') throw new Error(scenario);
  slots = [...(scenario.slots as Iterable<SlotFacts>)].slice(0, 700);
  subject = scenario.subject();
  example = openDetector(readPackage('./mintscope-detector-one-payer', FOLDER));
});

const engineWith = (...detectors: readonly InstalledDetector[]) =>
  new Engine({ fallbackSolUsd: null, detectors });

function hitsOf(engine: Engine, applied = slots): readonly RuleHit[] {
  return applied.flatMap((facts) => engine.apply(facts).ruleHits);
}

/** Throws in the first case of the subject that has this many trades. */
const throwing = (trades: number) =>
  openDetector(
    packageThat(
      `if (reading.mintCase.trades.length >= ${trades}) throw new Error('enough'); return [];`,
    ),
  );

describe('a published detector', () => {
  test('has a hit of kind fraud, by the operator, for a token in an hour', () => {
    const hits = hitsOf(engineWith(example));
    expect(hits).toHaveLength(1);
    const { name, version, hash } = example;
    expect(hits[0]).toMatchObject({
      ...{ author: 'operator', name, version, hash, kind: 'fraud', label: null, rowId: 1 },
      ...{ mint: subject, signalRowId: null },
    });
    expect(hits[0]?.confidence).toBeGreaterThanOrEqual(0.5);
    expect(hits[0]?.slot).toBe(hits[0]?.asOfSlot);
    expect(hits[0]?.reasons[0]).toMatch(/buyers of the launch were first paid by one wallet/);
    expect(hits[0]?.wallets.length).toBeGreaterThan(4);
    expect(hits[0]?.signatures.length).toBeGreaterThan(0);
    expect(hits[0]?.evidence.map((feature) => feature.name)).toEqual(['share', 'wallets']);
  });

  test('changes nothing but its hits', () => {
    const [alone, beside] = [engineWith(), engineWith(example)];
    for (const facts of slots) {
      const { ruleHits: _, ...changes } = beside.apply(facts);
      const { ruleHits: __, ...expected } = alone.apply(facts);
      expect(changes).toEqual(expected);
    }
    const others = beside.parts().filter(({ name }) => !/^(rule|installed)/.test(name));
    const expected = alone.parts().filter(({ name }) => !/^rule/.test(name));
    expect(others).toEqual(expected);
  });

  test('is one part of the state more, and none without detectors', () => {
    expect(engineWith().layout).toBe(new Engine({ fallbackSolUsd: null }).layout);
    expect(engineWith(example).layout).not.toBe(engineWith().layout);
  });

  test('is undone with its slot', () => {
    const engine = engineWith(example);
    const other = engineWith(example);
    const at = slots.findIndex((facts) => other.apply(facts, NOT_FINAL).ruleHits.length > 0);
    const hit = slots[at];
    if (hit === undefined) throw new Error('there is no hit');
    hitsOf(engine, slots.slice(0, at));
    const digest = engine.digest();
    const [first] = engine.apply(hit, NOT_FINAL).ruleHits;
    engine.undo();
    expect(engine.digest()).toBe(digest);
    expect(engine.apply(hit, NOT_FINAL).ruleHits).toEqual([first]);
  });
});

describe('a detector that fails', () => {
  test('is switched off at the same slot in every engine, and others go on', () => {
    const [one, other] = [engineWith(example, throwing(8)), engineWith(example, throwing(8))];
    expect(hitsOf(one)).toEqual(hitsOf(other));
    expect(hitsOf(engineWith(example))).toEqual(hitsOf(engineWith(example, throwing(8))));
    expect(one.digest()).toBe(other.digest());
    const off = { failure: 'threw', slot: expect.any(Number) };
    expect(one.fraudWatch.detectors).toMatchObject([
      { name: example.name, off: null },
      { name: TEST_DETECTOR, off, detail: 'Error: enough' },
    ]);
    expect(one.digest()).not.toBe(engineAfter(example, throwing(1_000_000)).digest());
  });

  test('is not asked again, and is asked again once the slot is undone', () => {
    const failing = throwing(8);
    let asked = 0;
    const counted: InstalledDetector = {
      ...failing,
      judge: (...given) => {
        asked++;
        return failing.judge(...given);
      },
    };
    const engine = engineWith(counted);
    let before = 0;
    const at = slots.findIndex((facts) => {
      before = asked;
      engine.apply(facts, NOT_FINAL);
      engine.forget((facts.slot - 1) as typeof facts.slot);
      return engine.fraudWatch.detectors[0]?.off !== null;
    });
    const slot = slots[at];
    if (slot === undefined) throw new Error('it never failed');
    engine.undo();
    expect(engine.fraudWatch.detectors[0]?.off).toBeNull();
    engine.apply(slot);
    expect(engine.fraudWatch.detectors[0]?.off).toEqual({ failure: 'threw', slot: slot.slot });
    const until = asked;
    expect(until).toBeGreaterThan(before);
    for (const facts of slots.slice(at + 1)) engine.apply(facts);
    expect(asked).toBe(until);
  });

  test('is off after a restart too', () => {
    const options = { fallbackSolUsd: null, detectors: [throwing(8)] };
    const { engine, restored } = storedEngine(options);
    hitsOf(engine);
    const again = restored();
    expect(again.fraudWatch.detectors[0]?.off).toEqual(engine.fraudWatch.detectors[0]?.off);
    expect(again.fraudWatch.detectors[0]?.detail).toBeNull();
    expect(again.digest()).toBe(engine.digest());
  });
});

function engineAfter(...detectors: readonly InstalledDetector[]): Engine {
  const engine = engineWith(...detectors);
  hitsOf(engine);
  return engine;
}
