import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildRule, buildRuleFile } from '../../../tests/support/build-rule.ts';
import { WRITE_KEY } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { helpOf, printCommand } from '../../../tests/support/printed-command.ts';
import { ruleOf, syntheticTape, tapeOptions } from '../../../tests/support/synthetic-tape.ts';
import { judgeTape } from '../../backtest/recording/judge-tape.ts';
import { reportOf } from '../../backtest/report-of.ts';
import type { BacktestReport, LookAheadReport } from '../../model/backtest.ts';
import type { BacktestJob, BacktestOutcome, BacktestRequest } from '../../model/backtest-job.ts';
import { ServiceError, UsageError } from '../../model/errors.ts';
import { compileRuleText } from '../../rules/compile-rule.ts';
import { backtestCommand, lookaheadCommand } from './backtest.ts';

const ID = '0197f0a0-0000-4000-8000-000000000001';
const DAYS = 7;
const DAY_MS = 86_400_000;

let folder: string;
let api: FastifyInstance;
let url: string;
let asked: BacktestRequest[];
let outcome: BacktestOutcome | null;
/** Called each time the state of the job is asked for. */
let jobNow: (request: BacktestRequest) => Partial<BacktestJob>;
let report: BacktestReport;

/** A rule that hits every minute, over a market without an edge. */
beforeAll(() => {
  const tape = syntheticTape({ seed: 'x', days: DAYS, tokens: 2, everyMinutes: 60, omenShare: 0 });
  const options = tapeOptions(DAYS);
  const judged = judgeTape(tape, [ruleOf('x', [], () => true)], options);
  report = reportOf({
    ...{ rules: ['x'], options, tape, judged, tries: 3 },
    lookAhead: { checked: 7, faults: [] },
  });
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-backtest-'));
  asked = [];
  outcome = null;
  jobNow = (request) => ({ state: 'done', endedAtMs: 2_000, report: reportFor(request) });
  api = fakeApiServer({
    backtests: {
      add: async (request) => {
        asked.push(request);
        return outcome ?? { kind: 'queued', job: jobOf() };
      },
      list: async () => [],
      find: async () => jobOf(asked[0] === undefined ? {} : jobNow(asked[0])),
      cancel: async () => null,
    },
  });
  await api.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  process.env.MINTSCOPE_API_KEY = WRITE_KEY;
});

afterEach(async () => {
  delete process.env.MINTSCOPE_API_KEY;
  await api.close();
  rmSync(folder, { recursive: true });
});

function jobOf(given: Partial<BacktestJob> = {}): BacktestJob {
  return {
    ...{ id: ID, name: 'any-trade', state: 'queued', progress: 0, createdAtMs: 1_000 },
    ...{ endedAtMs: null, reason: null, report: null },
    ...given,
  };
}

/** As a service reports: named after the text that it was sent. */
function reportFor({ rules }: BacktestRequest, lookAhead = report.lookAhead): BacktestReport {
  return {
    ...report,
    rules: rules.map((text) => compileRuleText(text).value?.id ?? ''),
    lookAhead,
  };
}

function write(name: string, text = JSON.stringify(buildRuleFile())): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const backtest = (...args: string[]) => printCommand(backtestCommand(), ...args, '--url', url);
const lookahead = (...args: string[]) => printCommand(lookaheadCommand(), ...args, '--url', url);

describe('rules backtest', () => {
  test('sends the rule, its variants and the range, and prints what it would have been worth', async () => {
    const rule = write('rule.yaml');
    const variant = write('variant.yaml', JSON.stringify(buildRuleFile({ version: 2 })));
    const range = ['--from', '2026-01-05', '--to', '2026-01-12T06:00:00Z'];
    const { stdout, exitCode } = await backtest(rule, variant, ...range);
    expect(asked[0]?.rules).toEqual(
      [1, 2].map((version) => JSON.stringify(buildRuleFile({ version }))),
    );
    expect(asked[0]?.options).toMatchObject({
      fromMs: Date.UTC(2026, 0, 5),
      toMs: Date.UTC(2026, 0, 12, 6),
    });
    expect(stdout).toContain(`${buildRule().id}, ${buildRule({ version: 2 }).id}\n`);
    // Two tokens, a minute an hour, and a cool-down that ends before the next.
    expect(stdout).toContain(`${2 * 24 * DAYS} hits in 2 tokens`);
    expect(stdout).toContain('charged for 3 tries');
    expect(exitCode).toBe(0);
  });

  test('takes the last 30 days unless it is given a range', async () => {
    const beforeMs = Date.now();
    await backtest(write('rule.yaml'));
    const { fromMs = 0, toMs = 0 } = asked[0]?.options ?? {};
    expect(toMs - fromMs).toBe(30 * DAY_MS);
    expect(toMs).toBeGreaterThanOrEqual(beforeMs);
  });

  test('prints the answer unchanged with --json, and the progress beside it', async () => {
    let polls = 0;
    jobNow = (request) =>
      polls++ === 0
        ? { state: 'running', progress: 0.42 }
        : { state: 'done', endedAtMs: 2_000, progress: 1, report: reportFor(request) };
    const { stdout, stderr } = await backtest(write('rule.yaml'), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: ID, state: 'done', report: { tries: 3 } });
    expect(stderr).toBe('running, 42 %\n');
  });

  test('reports the content that was sent, though the file changes while it backtests', async () => {
    const rule = write('rule.yaml');
    let polls = 0;
    jobNow = (request) => {
      if (polls++ > 0) return { state: 'done', endedAtMs: 2_000, report: reportFor(request) };
      write('rule.yaml', JSON.stringify(buildRuleFile({ version: 9, when: 'pool.swaps > 99' })));
      return { state: 'running', progress: 0.5 };
    };
    const { stdout } = await backtest(rule);
    expect(stdout).toContain(buildRule().id);
    expect(stdout).not.toContain('@9');
    expect(asked).toHaveLength(1);
  });

  test('says why a backtest failed, and that too many are open', async () => {
    jobNow = () => ({ state: 'failed', endedAtMs: 2_000, reason: 'The log ends\u001b before it.' });
    const failed = backtest(write('rule.yaml'));
    await expect(failed).rejects.toBeInstanceOf(ServiceError);
    await expect(failed).rejects.toThrow('The backtest failed: The log ends\\u001b before it.');
    outcome = { kind: 'full', jobsMax: 8 };
    await expect(backtest(write('rule.yaml'))).rejects.toThrow(/8 backtests that have not ended/);
  });

  test('shows the sentence of the service for a file that is no rule', async () => {
    outcome = { kind: 'refused', problems: ['when: There is no feature pool.swap. (line 3)'] };
    await expect(backtest(write('bad.yaml', 'name: bad'))).rejects.toThrow(
      'when: There is no feature pool.swap. (line 3)',
    );
  });

  test.each<[string, string[], string]>([
    [
      'a range that ends before it begins',
      ['--from', '2026-02-01', '--to', '2026-01-01'],
      '--from must be before --to.',
    ],
    [
      'a time that is none',
      ['--from', 'soon'],
      '--from takes a day or an instant, as 2026-01-01, not "soon".',
    ],
  ])('refuses %s without asking', async (_, args, sentence) => {
    const refused = backtest(write('rule.yaml'), ...args);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(sentence);
    expect(asked).toEqual([]);
  });

  test('refuses a file that is missing, or larger than any rule', async () => {
    await expect(backtest(join(folder, 'nowhere.yaml'))).rejects.toThrow(
      /^The rule cannot be read: ENOENT/,
    );
    const huge = write('huge.yaml', 'x'.repeat(65_537));
    await expect(backtest(huge)).rejects.toThrow(`${huge} is no rule: too large.`);
    expect(asked).toEqual([]);
  });
});

describe('rules lookahead', () => {
  test('prints the proof alone', async () => {
    const { stdout, exitCode } = await lookahead(write('rule.yaml'));
    expect(stdout).toBe(
      'look-ahead proof: the log was cut at 7 hits, and every feature was the same\n',
    );
    expect(exitCode).toBe(0);
  });

  test('names a feature that looks ahead, and ends with 1, as a backtest does', async () => {
    const [hit] = judgeHits();
    const fault = { feature: 'window.return_5m', hit, recorded: '0.5', cut: '0.1' };
    const lookAhead: LookAheadReport = { checked: 7, faults: [fault] };
    jobNow = (request) => ({
      ...{ state: 'done', endedAtMs: 2_000 },
      report: reportFor(request, lookAhead),
    });
    const proof = await lookahead(write('rule.yaml'));
    expect(proof.stdout).toContain(`window.return_5m at slot ${hit.slot}: 0.5, cut 0.1`);
    expect(proof.exitCode).toBe(1);
    expect((await backtest(write('rule.yaml'))).exitCode).toBe(1);
  });
});

describe.each([
  ['backtest', backtestCommand],
  ['lookahead', lookaheadCommand],
] as const)('rules %s', (name, command) => {
  test('says where it looked for a service that does not answer', async () => {
    await api.close();
    const refused = printCommand(command(), write('rule.yaml'), '--url', url);
    await expect(refused).rejects.toBeInstanceOf(ServiceError);
    await expect(refused).rejects.toThrow(/^No service answers at 127\.0\.0\.1:\d+: start one/);
  });

  test('is shown with an example', () => {
    expect(helpOf(command())).toMatch(
      new RegExp(`Examples?:\n {2}mintscope rules ${name} dip\\.yaml`),
    );
  });
});

function judgeHits() {
  const tape = syntheticTape({ seed: 'x', days: 1, tokens: 1, everyMinutes: 60, omenShare: 0 });
  const [hits = []] = judgeTape(tape, [ruleOf('x', [], () => true)], tapeOptions(1)).hits;
  const [first] = hits;
  if (first === undefined) throw new Error('the tape has no minute');
  return [first.hit] as const;
}
