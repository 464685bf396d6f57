import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import { BACKTEST_DEFAULTS } from '../../src/model/backtest.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { canonicalRule } from '../../src/rules/rule-id.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { backtestOfSlots } from '../support/backtest-of-slots.ts';
import { buildRuleFile } from '../support/build-rule.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { signalSlots } from '../support/signal-stage.ts';

const [slots = []] = fc.sample(signalSlots({ minLength: 160, maxLength: 160 }), {
  ...{ seed: 9, numRuns: 1 },
});
/** A slot in which something is traded, early in the log: it is soon behind what was read. */
const changed = slots.find(({ transactions }, at) => at >= 10 && transactions.length > 0);
const without = slots.filter((facts) => facts !== changed);
const request = {
  accountId: 'account',
  rules: [canonicalRule(buildRuleFile({ kind: 'signal', cool_down_minutes: 3 }))],
  options: {
    ...BACKTEST_DEFAULTS,
    fromMs: slots[0]?.blockTimeMs ?? 0,
    toMs: (slots.at(-1)?.blockTimeMs ?? 0) + 1,
  },
  isProved: true,
};

/** Backtests in the thread of a service, whose log its own ingestion changes meanwhile. */
describe('a backtest of a service', () => {
  let service: Service;

  beforeEach(async () => {
    const dataDir = temporaryFolder();
    service = await openService(
      readConfig({}, { dataDir, port: '0', logLevel: 'silent', solUsdFallback: '200' }),
    );
  });
  afterEach(() => service.close());

  async function ingest(items: readonly SourceItem[], areBlocksFinal = true) {
    await service.ingestion.ingest(itemSource(items, areBlocksFinal));
  }

  const factsOf = (all: readonly SlotFacts[]) =>
    all.map((facts) => ({ kind: 'facts', facts }) as const);

  /** The report of a backtest during which `change` is called, when slots were applied. */
  async function reportDuring(change: () => Promise<void>) {
    const outcome = await service.backtests.add(request);
    if (outcome.kind !== 'queued') throw new Error(JSON.stringify(outcome));
    const find = () => service.backtests.find('account', outcome.job.id);
    const limit = { timeout: 120_000, interval: 1 };
    await vi.waitFor(async () => expect((await find())?.progress).toBeGreaterThan(0), limit);
    await change();
    return await vi.waitFor(
      async () => {
        const job = await find();
        expect(job).toMatchObject({ state: 'done' });
        return job?.report;
      },
      { ...limit, interval: 50 },
    );
  }

  test('has a slot that arrives late while it runs', async () => {
    if (changed === undefined) throw new Error('the log has no such slot');
    await ingest(factsOf(without));
    const { fold } = service.ingestion.past;
    const report = await reportDuring(() => ingest(factsOf([changed])));
    expect(service.ingestion.past.fold).toBe(fold + 1);
    expect(report).toEqual(await backtestOfSlots(slots, request));
  });

  test('does not have slots of a fork that are removed while it runs', async () => {
    if (changed === undefined) throw new Error('the log has no such slot');
    await ingest(factsOf(slots));
    const { slot } = changed;
    const report = await reportDuring(() => ingest([{ kind: 'dropped', from: slot, to: slot }]));
    const expected = await backtestOfSlots(without, request);
    expect(report).toEqual(expected);
    // Figures depend on the slot, so that one of the other log would be seen.
    expect(await backtestOfSlots(slots, request)).not.toEqual(expected);
  });

  test('has nothing of slots that are not final, and of a fork among them', async () => {
    const linked = slots.map((facts, at) => {
      const parent = slots[at - 1] ?? null;
      return {
        ...{ ...facts, blockhash: `block ${facts.slot}`, parentSlot: parent?.slot ?? null },
        previousBlockhash: `block ${parent?.slot ?? 0}`,
      };
    });
    const final = linked.slice(0, 120);
    const [end] = final.slice(-1);
    if (end === undefined) throw new Error('the log is too short');
    await ingest(factsOf(final));
    const tail: SourceItem[] = [
      ...factsOf(linked.slice(120, 130)),
      { kind: 'undo', toSlot: end.slot, toBlockhash: end.blockhash },
      ...factsOf(linked.slice(130, 140)),
    ];
    const report = await reportDuring(() => ingest(tail, false));
    expect(service.ingestion.status.undos).toBe(1);
    expect(report).toEqual(await backtestOfSlots(final, request));
  });
});
