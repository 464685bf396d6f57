import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { arbitrarySlots } from '../../tests/support/arbitrary-slots.ts';
import { fallbackSolUsd, second } from '../../tests/support/master-fixture.ts';
import { DECODER_VERSION } from '../decoders/registry.ts';
import { Engine } from '../engine/engine.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { encodeSlotFacts } from '../store/codecs/facts-codec.ts';
import { Snapshots } from '../store/snapshots/snapshots.ts';
import { ShadowFold, type ShadowStart, UnreadableBaseError } from './shadow-fold.ts';

const engine = { fallbackSolUsd };
const slots = [0, 1, 2, 3].map((t) => ({ ...second(t), blockhash: `hash ${1_000 + t}` }));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shadow-fold-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const startFrom = (base: string | null): ShadowStart => ({
  ...{ folder, base, spillFolder: null, engine, rules: 'rules', epoch: 3 },
});

/** Folds encoded slots on top of a snapshot, and keeps the result. */
async function shadowed(base: string | null, facts: readonly SlotFacts[]): Promise<string> {
  const shadow = new ShadowFold(startFrom(base));
  shadow.fold(facts.map(encodeSlotFacts));
  return new Snapshots(folder).keep(await shadow.write());
}

/** The oracle: an engine that folds all slots itself and is never stored. */
function folded(facts: readonly SlotFacts[]): Engine {
  const whole = new Engine(engine);
  for (const each of facts) whole.apply(each);
  return whole;
}

describe('a shadow fold', () => {
  test('ends in the state of an engine that folded every slot, wherever it was split', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitrarySlots({ minLength: 2, maxLength: 12 }),
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        async (facts, cut) => {
          for (const name of readdirSync(folder)) rmSync(join(folder, name));
          const middle = Math.max(1, Math.floor(facts.length * cut));
          const base = await shadowed(null, facts.slice(0, middle));
          const name = await shadowed(base, facts.slice(middle));
          const restored = new Engine(engine, new Snapshots(folder).open(name).chunks);
          expect(restored.digest()).toBe(folded(facts).digest());
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);

  test('describes its snapshot, and continues the count of slots of older decoders', async () => {
    const older = slots.map((facts) => ({ ...facts, decoderVersion: DECODER_VERSION - 1 }));
    const base = await shadowed(null, older.slice(0, 1));
    const newer = { ...slots[2], decoderVersion: DECODER_VERSION } as SlotFacts;
    const name = await shadowed(base, [older[1] as SlotFacts, newer]);
    expect(new Snapshots(folder).open(name).head).toEqual({
      rules: 'rules',
      epoch: 3,
      slot: 1_002,
      blockhash: 'hash 1002',
      olderSlots: 2,
    });
  });

  test('gives a snapshot no name before it is kept, and leaves the previous one unchanged', async () => {
    const base = await shadowed(null, slots.slice(0, 2));
    const shadow = new ShadowFold(startFrom(base));
    shadow.fold([encodeSlotFacts(slots[2] as SlotFacts)]);
    await shadow.write();
    expect(new Snapshots(folder).names()).toEqual([base]);
    expect(readdirSync(folder).sort()).toEqual(['shadow.tmp', base].sort());
  });

  test('refuses to continue from a damaged snapshot, and from a missing one', async () => {
    const base = await shadowed(null, slots);
    truncateSync(join(folder, base), 500);
    expect(() => new ShadowFold(startFrom(base))).toThrow(UnreadableBaseError);
    rmSync(join(folder, base));
    expect(() => new ShadowFold(startFrom(base))).toThrow(UnreadableBaseError);
  });
});
