import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address, PriceE18 } from '../../src/model/units.ts';
import { SpillFolder } from '../../src/store/snapshots/spill-folder.ts';
import { copiedChunks } from '../support/copied-chunks.ts';
import { simulatedSlots } from '../support/simulated-slots.ts';

const PROFILES = 50;
const FORK_EVERY = 7;
const FORK_SLOTS = 5;
const RESTART_EVERY = 40;
const roomy: EngineOptions = { fallbackSolUsd: (150n * 10n ** 18n) as PriceE18 };

function tradersOf(slots: readonly SlotFacts[]): Address[] {
  const traders = new Set<Address>();
  for (const { transactions } of slots) {
    for (const { events } of transactions) {
      for (const event of events) {
        if (event.kind === 'swap' && event.trader !== null) traders.add(event.trader);
      }
    }
  }
  return [...traders];
}

/** Applies slots and reverts them, which must leave nothing behind. */
function fork(engine: Engine, slots: readonly SlotFacts[]): void {
  for (const facts of slots) engine.apply(facts, { isFinal: false });
  for (const _ of slots) engine.undo();
}

test('fifty profiles in memory give the same market as all of them, through forks and restarts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-bound-'));
  const spills = new SpillFolder(folder);
  const options: EngineOptions = {
    ...roomy,
    bounds: { profiles: PROFILES },
    createSpill: (rowBytes) => spills.create(rowBytes),
  };
  const slots = simulatedSlots('profiles', 300);
  const calm = new Engine(roomy);
  let tight = new Engine(options);
  let fetched = 0;
  for (const [index, facts] of slots.entries()) {
    if (index % FORK_EVERY === 0) fork(tight, slots.slice(index, index + FORK_SLOTS));
    if (index % RESTART_EVERY === RESTART_EVERY - 1) {
      const restored = new Engine(options, copiedChunks(tight.writeState()));
      tight.close();
      tight = restored;
      expect(tight.digest()).toBe(calm.digest());
    }
    const before = tight.stateSize;
    expect(tight.apply(facts)).toEqual(calm.apply(facts));
    const { profiles, spilledProfiles } = tight.stateSize;
    expect(profiles).toBeLessThanOrEqual(PROFILES);
    if (spilledProfiles < before.spilledProfiles) fetched++;
  }
  expect(tight.digest()).toBe(calm.digest());
  for (const trader of tradersOf(slots)) expect(tight.wallet(trader)).toEqual(calm.wallet(trader));
  const { spilledProfiles } = tight.stateSize;
  process.stdout.write(`profiles: ${JSON.stringify({ spilledProfiles, fetched })}\n`);
  expect(spilledProfiles).toBeGreaterThan(PROFILES);
  expect(calm.stateSize.profiles).toBe(tight.stateSize.profiles + spilledProfiles);
  tight.close();
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
}, 180_000);
