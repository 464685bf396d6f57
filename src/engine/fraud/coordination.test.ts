import { beforeAll, describe, expect, test } from 'vitest';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import { fallbackSolUsd } from '../../../tests/support/master-fixture.ts';
import { runAttack } from '../../../tests/support/scenario-stage.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { COORDINATION_MIN } from '../../fold/wallets/features/wallet-thresholds.ts';
import type { SlotChanges } from '../../model/derived.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Address } from '../../model/units.ts';
import { Engine } from '../engine.ts';

/** Everything up to the slot of the first strong finding, and the rest. */
interface Story {
  readonly before: readonly SlotFacts[];
  readonly found: SlotFacts;
  readonly after: readonly SlotFacts[];
  readonly mint: Address;
  readonly id: string;
  readonly leaders: readonly Address[];
  readonly pool: Address;
}

const newEngine = () => new Engine({ fallbackSolUsd });

function leadersIn({ classifications }: SlotChanges, mint: Address) {
  const strong = classifications.find(
    ({ finding }) => finding.mint === mint && finding.confidence >= COORDINATION_MIN,
  );
  const wallets = strong?.finding.wallets ?? [];
  const leaders = wallets.filter(({ role }) => role === 'attacker' || role === 'bundler');
  return { id: strong?.id ?? null, leaders: leaders.map(({ address }) => address) };
}

function tell(): Story {
  const run = runAttack('traditional_bundle', 'easy', 'coordination-test');
  const mint = run.attack?.mint;
  if (mint === undefined) throw new Error('the attack left no label');
  const slots = run.blocks.map((block) => decodeBlock(toChainBlock(block)));
  const engine = newEngine();
  for (const [at, facts] of slots.entries()) {
    const { id, leaders } = leadersIn(engine.apply(facts), mint);
    if (id === null) continue;
    const pool = engine.token(mint)?.primaryPool;
    if (pool == null) throw new Error('the mint has no pool');
    const [before, after] = [slots.slice(0, at), slots.slice(at + 1)];
    return { before, found: facts, after, mint, id, leaders, pool };
  }
  throw new Error('nothing was found');
}

describe('the leaders of a finding', () => {
  let story: Story;
  beforeAll(() => {
    story = tell();
  });

  const standings = (engine: Engine) =>
    story.leaders.map(
      (wallet) => engine.walletReads.tokenBot(story.mint, wallet)?.coordination ?? null,
    );
  const organicUsd = (engine: Engine) => engine.indicators(story.pool)?.organicVolumeUsd;
  const upToFinding = () => {
    const engine = newEngine();
    for (const facts of story.before) engine.apply(facts);
    return engine;
  };

  test('are bots from its slot on, and their trades of that slot are those of bots', () => {
    const engine = upToFinding();
    expect(story.leaders.length).toBeGreaterThanOrEqual(3);
    const changes = engine.apply(story.found);
    for (const standing of standings(engine)) {
      expect(standing?.sinceSlot).toBe(story.found.slot);
      expect(standing?.fraudType).toBe('traditional_bundle');
    }
    const theirs = changes.swaps.filter(
      ({ swap, slot }) =>
        slot === story.found.slot && story.leaders.includes(swap.trader ?? story.mint),
    );
    expect(new Set(theirs.map(({ walletClass }) => walletClass))).toEqual(
      new Set(theirs.length === 0 ? [] : ['bot']),
    );
  });

  test('are what they were when a fork takes the slot of the finding back', () => {
    const engine = upToFinding();
    const before = engine.digest();
    engine.apply(story.found, { isFinal: false });
    const after = engine.digest();
    engine.undo();
    expect(engine.digest()).toBe(before);
    expect(standings(engine)).toEqual(story.leaders.map(() => null));
    engine.apply(story.found, { isFinal: false });
    expect(engine.digest()).toBe(after);
  });

  test('are no bots by it from the slot on in which a review calls it false', () => {
    const [kept, refused] = [upToFinding(), upToFinding()];
    for (const engine of [kept, refused]) engine.apply(story.found);
    const [next, ...later] = story.after;
    if (next === undefined) throw new Error('the story ends with its finding');
    kept.apply(next);
    refused.apply({ ...next, refusedFindings: [story.id] });
    expect(refused.isFindingRefused(story.id)).toBe(true);
    expect(kept.isFindingRefused(story.id)).toBe(false);
    expect(standings(kept)).not.toContain(null);
    for (const standing of standings(refused)) expect(standing).toBeNull();
    // Found again in later slots, it remains refused.
    for (const facts of later) refused.apply(facts);
    for (const standing of standings(refused)) {
      expect(standing?.fraudType ?? 'none').not.toBe('traditional_bundle');
    }
  });

  test('count as organic volume again after a late review, which a fork takes back', () => {
    const engine = upToFinding();
    engine.apply(story.found);
    const [next] = story.after;
    if (next === undefined) throw new Error('the story ends with its finding');
    const before = { digest: engine.digest(), organicUsd: organicUsd(engine) ?? 0n };
    engine.apply({ ...next, refusedFindings: [story.id] }, { isFinal: false });
    // Snipers remain bots: only members who bought later become organic again.
    expect(organicUsd(engine) ?? 0n).toBeGreaterThanOrEqual(before.organicUsd);
    engine.undo();
    expect(engine.digest()).toBe(before.digest);
    expect(organicUsd(engine)).toBe(before.organicUsd);
  });
});
