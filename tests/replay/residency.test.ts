import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { GraphError } from '../../src/lib/graph-types.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { FileSpill } from '../../src/store/snapshots/file-spill.ts';
import { arbitrarySlots } from '../support/arbitrary-slots.ts';
import { address } from '../support/build-transaction.ts';
import { copiedChunks } from '../support/copied-chunks.ts';
import { createTrader, fallbackSolUsd, launch, SOL, second } from '../support/master-fixture.ts';
import { firstDifference, type StateImage, stateImage } from '../support/state-image.ts';

const NOT_FINAL = { isFinal: false };
const WALLETS = ['a', 'b', 'c', 'd', 'e'].map((name) => address(name));
let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'residency-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Options as in the service, with this many profiles in memory. */
function inFile(profiles: number): EngineOptions {
  return {
    fallbackSolUsd,
    bounds: { profiles },
    createSpill: (rowBytes) => new FileSpill(join(folder, `${files++}.bin`), rowBytes),
  };
}

const roomy: EngineOptions = { fallbackSolUsd };
const room = fc.constantFrom(0, 1, 2, 3);
const plain = (slots: readonly SlotFacts[]): SlotFacts[] => structuredClone([...slots]);

function answersOf(engine: Engine) {
  return { digest: engine.digest(), wallets: WALLETS.map((wallet) => engine.wallet(wallet)) };
}

describe('the storage location of profiles', () => {
  test('changes no result of any slot and no answer, also after slots are reverted', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 1, maxLength: 20 }),
        room,
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 20, maxLength: 20 }),
        (drawn, profiles, forks) => {
          const slots = plain(drawn);
          const [tight, calm] = [new Engine(inFile(profiles)), new Engine(roomy)];
          for (const [index, facts] of slots.entries()) {
            const dropped = slots.slice(index, index + (forks[index] ?? 0));
            for (const each of dropped) tight.apply(each, NOT_FINAL);
            for (const _ of dropped) tight.undo();
            expect(tight.apply(facts, NOT_FINAL)).toEqual(calm.apply(facts));
            tight.forget(facts.slot);
            expect(tight.stateSize.profiles).toBeLessThanOrEqual(profiles);
          }
          expect(answersOf(tight)).toEqual(answersOf(calm));
          tight.close();
        },
      ),
      { numRuns: 80 },
    );
  });

  test('is restored when slots that spilled and fetched profiles are reverted', () => {
    fc.assert(
      fc.property(arbitrarySlots({ minLength: 1, maxLength: 10 }), room, (slots, profiles) => {
        // The state image contains rows only when they are in memory.
        const engine = new Engine({ ...roomy, bounds: { profiles } });
        const images: StateImage[] = [];
        for (const facts of slots) {
          images.push(stateImage(engine));
          engine.apply(facts, NOT_FINAL);
        }
        for (const _ of slots) {
          engine.undo();
          expect(firstDifference(images.pop() as StateImage, stateImage(engine))).toBeNull();
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a snapshot', () => {
  test('contains spilled profiles, and restores into an engine of any capacity', () => {
    fc.assert(
      fc.property(
        arbitrarySlots({ minLength: 2, maxLength: 20 }),
        fc.integer({ min: 1, max: 20 }),
        room,
        room,
        (drawn, until, before, after) => {
          const slots = plain(drawn);
          const [writing, calm] = [new Engine(inFile(before)), new Engine(roomy)];
          for (const facts of slots.slice(0, until)) {
            writing.apply(facts);
            calm.apply(facts);
          }
          const chunks = copiedChunks(writing.writeState());
          writing.close();
          const restored = new Engine(inFile(after), chunks);
          expect(answersOf(restored)).toEqual(answersOf(calm));
          const again = Buffer.concat(copiedChunks(restored.writeState()));
          expect(again.equals(Buffer.concat(chunks))).toBe(true);
          for (const facts of slots.slice(until)) {
            expect(restored.apply(facts)).toEqual(calm.apply(facts));
          }
          expect(answersOf(restored)).toEqual(answersOf(calm));
          restored.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('with truncated profiles is refused, and leaves no file', () => {
    const engine = spilling();
    const bytes = Buffer.concat(copiedChunks(engine.writeState()));
    for (let cut = 1; cut < 700; cut += 5) {
      const path = join(folder, `cut-${cut}.bin`);
      const createSpill = (rowBytes: number) => new FileSpill(path, rowBytes);
      const part = [bytes.subarray(0, bytes.length - cut)];
      expect(() => new Engine({ fallbackSolUsd, createSpill }, part)).toThrow(GraphError);
      expect(existsSync(path)).toBe(false);
    }
    const [whole, more] = [[bytes], [bytes, Buffer.of(0)]];
    expect(new Engine(roomy, whole).digest()).toBe(engine.digest());
    expect(() => new Engine(roomy, more)).toThrow('bytes are left over');
    engine.close();
  });
});

/** An engine that keeps no profile in memory. */
function spilling(): Engine {
  const trade = createTrader();
  const engine = new Engine(inFile(0));
  const slots = [
    second(0, launch()),
    second(1, trade('x', 'buy', 10n * SOL, 1_000_000n)),
    second(2, trade('v', 'buy', 2n * SOL, 100_000n)),
  ];
  for (const facts of slots) engine.apply(facts);
  expect(engine.stateSize).toMatchObject({ profiles: 0 });
  expect(engine.stateSize.spilledProfiles).toBeGreaterThanOrEqual(2);
  return engine;
}
