import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { newSession, partsOfLog } from '../../../tests/support/backtest-log.ts';
import { slotFacts } from '../../../tests/support/build-facts.ts';
import { signalSlots } from '../../../tests/support/signal-stage.ts';
import { RuleChanges } from '../../ingestion/rule-changes.ts';
import { BACKTEST_DEFAULTS } from '../../model/backtest.ts';
import type { BacktestRequest } from '../../model/backtest-job.ts';
import { compileRuleText } from '../../rules/compile-rule.ts';
import { StoredBacktests } from '../../store/control/backtests.ts';
import { openControlPlane } from '../../store/control/control-plane.ts';
import { StoredRules } from '../../store/control/rules.ts';
import { RuleService, wantedRules } from '../rules/rule-service.ts';
import { OWN_WRITES } from '../shared/control-writes.ts';
import { BacktestService } from './backtest-service.ts';

const rule = (version: number, name = 'any-trade') => `
name: ${name}
version: ${version}
kind: signal
scope: pool_minute
title: A rule of a test.
pattern: Any.
rationale: None.
look_alikes: [None.]
when: pool.swaps >= 1
confidence: 0.5
evidence: [pool.swaps]
`;

const request = (given: Partial<BacktestRequest> = {}): BacktestRequest => ({
  ...{ accountId: 'one', rules: [rule(1)], isProved: false },
  options: { ...BACKTEST_DEFAULTS, fromMs: 0, toMs: 1 },
  ...given,
});

/** A thread that ends a backtest on request. */
function stage(stored = new StoredBacktests(openControlPlane(':memory:'))) {
  const reports: { readonly tries: number; readonly resolve: () => void }[] = [];
  const parts = partsOfLog({
    facts: () => [slotFacts(1, 0, [])],
    send: async (step) => {
      if (step.kind === 'apply') return { slot: 1, timeMs: 0 };
      if (step.kind === 'judge') return { hits: 0 };
      if (step.kind !== 'report') return true;
      const { promise, resolve } = Promise.withResolvers<void>();
      reports.push({ tries: step.tries, resolve });
      await promise;
      return { hits: 0 };
    },
  });
  const report = vi.fn();
  const endThread = async () => {
    for (const { resolve } of reports) resolve();
  };
  const service = new BacktestService({ stored, parts, report, endThread });
  /** Ends the running backtest once it has begun. */
  const finish = async (at: number) => {
    await vi.waitFor(() => expect(reports.length).toBeGreaterThan(at));
    reports[at]?.resolve();
  };
  return { service, stored, reports, report, finish };
}

async function queued(service: BacktestService, given: Partial<BacktestRequest> = {}) {
  const outcome = await service.add(request(given));
  if (outcome.kind !== 'queued') throw new Error(JSON.stringify(outcome));
  return outcome.job;
}

const stateOf = async (service: BacktestService, id: string, account = 'one') =>
  (await service.find(account, id))?.state;

describe('backtests of accounts', () => {
  test('run one at a time, accounts in turn', async () => {
    const { service, finish } = stage();
    const [first, second, third] = [
      await queued(service),
      await queued(service),
      await queued(service),
    ];
    const other = await queued(service, { accountId: 'two' });
    const done = (id: string, account = 'one') =>
      vi.waitFor(async () => expect(await stateOf(service, id, account)).toBe('done'));
    await finish(0);
    await done(first.id);
    await finish(1);
    await done(second.id);
    // However many one account has queued, another waits for one of them at most.
    await finish(2);
    await done(other.id, 'two');
    expect(await stateOf(service, third.id)).not.toBe('done');
    await finish(3);
    await done(third.id);
    await service.close();
  });

  test('are not seen by another account', async () => {
    const { service } = stage();
    const job = await queued(service);
    expect(await service.find('two', job.id)).toBeNull();
    expect(await service.cancel('two', job.id)).toBeNull();
    expect(await service.list('two')).toEqual([]);
    expect((await service.list('one')).map(({ id }) => id)).toEqual([job.id]);
    await service.close();
  });

  test('count each content of a name as a try, once', async () => {
    const { service, reports, finish } = stage();
    for (const rules of [[rule(1)], [rule(1)], [rule(2), rule(3)], [rule(1, 'other-name')]]) {
      await queued(service, { rules });
    }
    for (const at of [0, 1, 2, 3]) await finish(at);
    // The first begins at once, when nothing but its own content was tried.
    expect(reports.map(({ tries }) => tries)).toEqual([1, 3, 3, 1]);
    await service.close();
  });

  test('can be cancelled while queued and while running', async () => {
    const { service, reports, finish } = stage();
    const [running, waiting, last] = [
      await queued(service),
      await queued(service),
      await queued(service),
    ];
    await vi.waitFor(() => expect(reports).toHaveLength(1));
    expect((await service.cancel('one', waiting.id))?.state).toBe('cancelled');
    expect((await service.cancel('one', running.id))?.state).toBe('cancelled');
    await finish(0);
    await finish(1);
    await vi.waitFor(async () => expect(await stateOf(service, last.id)).toBe('done'));
    expect(await stateOf(service, running.id)).toBe('cancelled');
    // One that has ended stays as it is.
    expect((await service.cancel('one', last.id))?.state).toBe('done');
    await service.close();
  });

  test('begin again after a stop', async () => {
    const { service, stored, reports } = stage();
    const [running, waiting] = [await queued(service), await queued(service)];
    await vi.waitFor(() => expect(reports).toHaveLength(1));
    await service.close();
    const again = stage(stored);
    again.service.resume();
    for (const at of [0, 1]) await again.finish(at);
    for (const { id } of [running, waiting]) {
      await vi.waitFor(async () => expect(await stateOf(again.service, id)).toBe('done'));
    }
    await again.service.close();
  });

  test('are refused for rules that do not compile, and beyond eight', async () => {
    const { service } = stage();
    const broken = await service.add(request({ rules: ['name: x'] }));
    expect(broken.kind).toBe('refused');
    const mixed = await service.add(request({ rules: [rule(1), rule(1, 'other-name')] }));
    expect(mixed).toMatchObject({ problems: [expect.stringContaining('name of the rule')] });
    const ofCase = rule(1)
      .replace('kind: signal', 'kind: fraud')
      .replace('pool_minute', 'case')
      .replaceAll('pool.swaps', 'case.trades');
    expect(await service.add(request({ rules: [ofCase] }))).toMatchObject({
      problems: ['Only rules of the scope pool_minute can be backtested.'],
    });
    for (let at = 0; at < 8; at++) await queued(service);
    expect(await service.add(request())).toEqual({ kind: 'full', jobsMax: 8 });
    await service.close();
  });

  test('fail with a sentence, and the next one runs', async () => {
    const { service, stored, report } = stage();
    const job = await queued(service);
    await service.close();
    const failing = new BacktestService({
      stored,
      parts: {
        ...{ source: () => ({}) as never, states: {} as never, log: {} as never },
        send: async () => null,
      },
      report,
      endThread: async () => undefined,
    });
    failing.resume();
    await vi.waitFor(async () => expect(await stateOf(failing, job.id)).toBe('failed'));
    expect((await failing.find('one', job.id))?.reason).toContain('could not be computed');
    expect(report).toHaveBeenCalledOnce();
    await failing.close();
  });

  test('are of the version that was asked for, whatever is published meanwhile', async () => {
    const database = openControlPlane(':memory:');
    const stored = new StoredRules(database);
    const changes = new RuleChanges(wantedRules(stored, []));
    const none = { publishedRules: () => [] };
    const rules = new RuleService({
      ...{ stored, operator: [], changes, judged: () => none, control: OWN_WRITES },
    });
    const [slots = []] = fc.sample(signalSlots({ minLength: 60, maxLength: 60 }), {
      ...{ seed: 11, numRuns: 1 },
    });
    const [firstMs, lastMs] = [slots[0]?.blockTimeMs ?? 0, slots.at(-1)?.blockTimeMs ?? 0];
    // Nothing passes the next version.
    const next = rule(2).replace('pool.swaps >= 1', 'pool.swaps >= 1000000');
    const session = newSession();
    let onApplied: () => Promise<unknown> = async () => undefined;
    const parts = partsOfLog({
      facts: () => slots,
      // What is published is in the next slot of the log.
      onRead: (facts) => changes.attach(facts, { finalSlot: -1, engine: none }),
      send: async (step) => {
        const answer = session.answer(step);
        if (step.kind === 'apply') await onApplied();
        return answer;
      },
    });
    const service = new BacktestService({
      ...{ stored: new StoredBacktests(database), parts, report: vi.fn() },
      endThread: async () => undefined,
    });
    const reportOf = async (text: string) => {
      const options = { ...BACKTEST_DEFAULTS, fromMs: firstMs, toMs: lastMs + 1 };
      const { id } = await queued(service, { rules: [text], options });
      await vi.waitFor(async () => expect(await stateOf(service, id)).toBe('done'), 60_000);
      return (await service.find('one', id))?.report;
    };
    await rules.publish({ accountId: 'one', text: rule(1) });
    const published: string[] = [];
    onApplied = async () => {
      const { kind } = await rules.publish({ accountId: 'one', text: next });
      published.push(kind);
    };
    const disturbed = await reportOf(rule(1));
    expect(published[0]).toBe('changed');
    expect(await rules.list('one')).toMatchObject([{ version: 2 }]);
    expect(disturbed?.rules).toEqual([compileRuleText(rule(1)).value?.id]);
    expect(disturbed?.rules[0]).toMatch(/^any-trade@1[+][0-9a-f]{16}$/);
    expect(disturbed?.hits).toBeGreaterThan(5);
    // With the rule published throughout, and with the next version published throughout.
    onApplied = async () => undefined;
    const ofNext = await reportOf(next);
    expect(ofNext).toMatchObject({ rules: [compileRuleText(next).value?.id], hits: 0 });
    const { tries: _, delays: __, ...again } = (await reportOf(rule(1))) ?? {};
    expect(disturbed).toMatchObject(again);
    await service.close();
    database.close();
  });
});
