import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { BacktestStep } from '../../src/ingestion/backtest/backtest-messages.ts';
import { BacktestSession } from '../../src/ingestion/backtest/backtest-session.ts';
import { runBacktest } from '../../src/ingestion/backtest/run-backtest.ts';
import { BACKTEST_DEFAULTS } from '../../src/model/backtest.ts';
import { asPriceE18 } from '../../src/model/units.ts';
import { canonicalRule } from '../../src/rules/rule-id.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { buildRuleFile } from '../support/build-rule.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { signalSlots } from '../support/signal-stage.ts';

const [slots = []] = fc.sample(signalSlots({ minLength: 160, maxLength: 160 }), {
  ...{ seed: 9, numRuns: 1 },
});
const half = slots.length >> 1;
const dataDir = temporaryFolder();
const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent', solUsdFallback: '200' });
let service: Service;

async function ingest(from: number, to: number) {
  const items = slots.slice(from, to).map((facts) => ({ kind: 'facts', facts }) as const);
  await service.ingestion.ingest(itemSource(items, true));
}

beforeAll(async () => {
  service = await openService(config);
  await ingest(0, half);
  // A stop stores the state.
  await service.close();
  service = await openService(config);
  await ingest(half, slots.length);
});
afterAll(() => service.close());

test('a backtest that begins with a stored state is that of the whole log', async () => {
  const stored = service.ingestion.past.checkpoints;
  expect(stored.length).toBeGreaterThan(0);
  const after = slots.findIndex(({ slot }) => slot > (stored.at(-1) ?? 0)) + 5;
  const options = {
    ...BACKTEST_DEFAULTS,
    fromMs: slots[after]?.blockTimeMs ?? 0,
    toMs: (slots.at(-1)?.blockTimeMs ?? 0) + 1,
  };
  const rules = [canonicalRule(buildRuleFile({ kind: 'signal', cool_down_minutes: 3 }))];
  const request = { accountId: 'account', rules, options, isProved: true };
  const known = service.ingestion.past;
  // Without a known start of the log it can only begin with the stored state.
  const past = vi.spyOn(service.ingestion, 'past', 'get');
  past.mockImplementation(() => ({ ...known, firstApplied: null }));
  const outcome = await service.backtests.add(request);
  if (outcome.kind !== 'queued') throw new Error(JSON.stringify(outcome));
  const report = await vi.waitFor(
    async () => {
      const job = await service.backtests.find('account', outcome.job.id);
      expect(job).toMatchObject({ state: 'done' });
      return job?.report;
    },
    { timeout: 120_000, interval: 50 },
  );
  past.mockRestore();
  const session = new BacktestSession({
    fallbackSolUsd: asPriceE18(200n * 10n ** 18n),
    memory: { pagesMax: 64, objectBytesMax: 2 ** 20 },
  });
  const steps: BacktestStep[] = [];
  const whole = await runBacktest(
    {
      ...{ request, tries: 1, onProgress: () => undefined },
      signal: new AbortController().signal,
    },
    {
      source: () => ({ ...service.ingestion.past, checkpoints: [] }),
      states: { linkPast: async () => null, removePast: () => undefined },
      log: service.store.log,
      send: async (step) => {
        steps.push(step);
        return session.answer(step);
      },
    },
  );
  expect(steps[0]).toMatchObject({ kind: 'record', linked: null });
  expect(whole.hits).toBeGreaterThan(5);
  expect(whole.lookAhead?.faults).toEqual([]);
  expect(report).toEqual(whole);
});
