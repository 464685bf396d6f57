import { describe, expect, it } from 'vitest';
import { type ChainOptions, FollowedChain, QUICK } from '../../tests/support/followed-chain.ts';
import { RetryingNodes } from '../chain/rpc/nodes/retrying-nodes.ts';
import { createRangeSource } from '../chain/rpc/range-source.ts';
import { decodeBlock } from '../decoders/decode-block.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot, type Slot } from '../model/units.ts';
import type { SlotRange } from '../store/control/slot-ranges.ts';
import { type RangeAudit, RangeAuditor } from './audit-range.ts';

const FROM = asSlot(1_010);
const TO = asSlot(1_040);

/** A chain, and its slots of the range as stored. */
async function storedChain(options: ChainOptions = {}) {
  const chain = await FollowedChain.start({ slots: 110, market: { skipRate: 0.1 }, ...options });
  const source = createRangeSource({
    endpoints: chain.endpoints,
    runs: [{ from: FROM, to: TO }],
    tuning: QUICK,
  });
  const slots: SlotFacts[] = [];
  for await (const item of source) if (item.kind === 'block') slots.push(decodeBlock(item.block));
  return { chain, slots };
}

async function audit(
  chain: FollowedChain,
  slots: readonly SlotFacts[],
  ledger: readonly SlotRange[] = [],
): Promise<RangeAudit> {
  const tuning = { ...QUICK, giveUpAfterMs: 100, outageGiveUpAfterMs: 500 };
  const nodes = new RetryingNodes({ endpoints: chain.endpoints, tuning });
  const stored = {
    async *read(fromSlot: number) {
      for (const facts of slots) if (facts.slot >= fromSlot) yield facts;
    },
    ranges: (from: Slot, to: Slot) =>
      ledger.filter((range) => range.from <= to && range.to >= from),
  };
  return await new RangeAuditor(stored, nodes, { from: FROM, to: TO }).run(() => undefined);
}

function missingAt(slot: number): SlotRange {
  const state = 'missing';
  const rest = { reason: 'gone', sinceMs: 1, tries: 1, afterMs: null, beforeMs: null };
  return { ...rest, from: asSlot(slot), to: asSlot(slot), state };
}

describe('auditing a range of stored slots', () => {
  it('finds no difference in equal slots, and reports how much it compared', async () => {
    const { chain, slots } = await storedChain();
    await using _chain = chain;
    const result = await audit(chain, slots);
    const inRange = chain.canonical.filter(({ block }) => block.slot >= FROM && block.slot <= TO);
    expect(result).toMatchObject({ differing: [], uncompared: [], stopReason: null });
    expect(result.compared).toBe(inRange.length);
    expect(result.transactions).toBe(
      inRange.reduce((sum, { block }) => sum + block.transactions.length, 0),
    );
  });

  it('reports the transaction that is not stored, and the one that never existed', async () => {
    const { chain, slots } = await storedChain();
    await using _chain = chain;
    const [first, second, third, ...rest] = slots as [SlotFacts, SlotFacts, SlotFacts];
    const [lost, ...kept] = second.transactions;
    const [template, ...others] = third.transactions;
    if (lost === undefined || template === undefined) throw new Error('empty slots');
    const invented = { ...template, signature: lost.signature };
    const changed = [
      first,
      { ...second, transactions: kept },
      { ...third, transactions: [invented, ...others] },
      ...rest,
    ];
    const { differing } = await audit(chain, changed);
    expect(differing).toEqual([
      {
        slot: second.slot,
        differences: ['1 transactions are not stored'],
        missing: [lost.signature],
        extra: [],
      },
      {
        slot: third.slot,
        differences: ['1 transactions are not stored', '1 stored transactions are unknown there'],
        missing: [template.signature],
        extra: [lost.signature],
      },
    ]);
  });

  it('finds a block that is not stored, and reports its state in the ledger', async () => {
    const { chain, slots } = await storedChain();
    await using _chain = chain;
    const [lost, ...kept] = slots;
    const slot = lost?.slot ?? 0;
    const { differing } = await audit(chain, kept, [missingAt(slot)]);
    expect(differing).toMatchObject([{ slot, differences: [expect.stringContaining('missing')] }]);
  });

  it('finds a stored block that the other source reports as skipped', async () => {
    const { chain, slots } = await storedChain({ market: { skipRate: 0.2 } });
    await using _chain = chain;
    const stored = new Set(slots.map(({ slot }) => slot));
    let slot = FROM;
    while (stored.has(slot)) slot = asSlot(slot + 1);
    const [template] = slots as [SlotFacts];
    const forged = [...slots, { ...template, slot }].sort((one, other) => one.slot - other.slot);
    const { differing } = await audit(chain, forged);
    expect(differing).toMatchObject([
      { slot, differences: [expect.stringContaining('no block (rpc -32007)')] },
    ]);
  });

  it('does not report as clean what the other source no longer has', async () => {
    const nodes = [{}, { options: { windowSlots: 90 } }];
    const { chain, slots } = await storedChain({ nodes, market: { skipRate: 0 } });
    await using _chain = chain;
    const [, forgetful] = chain.endpoints;
    const only = Object.create(chain, { endpoints: { value: [forgetful] } }) as FollowedChain;
    const { uncompared, differing, compared } = await audit(only, slots);
    expect(differing).toEqual([]);
    expect(uncompared.length).toBeGreaterThan(0);
    expect(uncompared.length + compared).toBe(slots.length);
    expect(uncompared[0]?.reason).toContain('rpc -32001');
  });

  it('stops with a sentence when the other source no longer answers', async () => {
    const { chain, slots } = await storedChain();
    await using _chain = chain;
    chain.nodes[0]?.node.faults.change({ html: 1 });
    const { stopReason } = await audit(chain, slots);
    expect(stopReason).toMatch(/^The other source does not answer: /);
  });
});
