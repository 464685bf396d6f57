import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeThat } from '../../../tests/support/detector-package.ts';
import { fakeApiServer } from '../../../tests/support/fake-api-server.ts';
import { helpOf, printCommand } from '../../../tests/support/printed-command.ts';
import { createMetrics } from '../../api/http/metrics.ts';
import { NO_CASES } from '../../detector-modules/shadow/shadow-counts.ts';
import { UsageError } from '../../model/errors.ts';
import { exposeDetectors } from '../../service/detectors/detector-metrics.ts';
import { detectorsCommand } from './detectors.ts';
import { listCommand } from './list.ts';
import { shadowCommand } from './shadow.ts';
import { testCommand } from './test.ts';

const EXAMPLES = new URL('../../../examples/detectors', import.meta.url).pathname;
const EXAMPLE = './mintscope-detector-one-payer';
const NAME = 'mintscope-detector-test';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintscope-detectors-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A package whose detector has this body. */
function write(body: string): void {
  mkdirSync(join(folder, 'own'));
  writeFileSync(join(folder, 'own/package.json'), JSON.stringify({ name: NAME, version: '1.0.0' }));
  writeFileSync(join(folder, 'own/index.js'), codeThat(body));
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('detectors list', () => {
  test('prints what identifies a package, and the problem of one that cannot be used', async () => {
    const printed = await printCommand(
      listCommand(),
      ...[EXAMPLE, './absent', '--folder', EXAMPLES, '--json'],
    );
    const [good, absent] = linesOf(printed.stdout);
    expect(good).toMatchObject({
      place: EXAMPLE,
      detector_id: `mintscope-detector-one-payer@1+${good.hash.slice(0, 16)}`,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      package_version: '1.0.0',
      severity: 6,
      problem: null,
    });
    expect(absent).toMatchObject({
      detector_id: null,
      problem: expect.stringMatching(/^The detector \.\/absent is not at/),
    });
    expect(printed.exitCode).toBe(1);
    const text = await printCommand(listCommand(), EXAMPLE, '--folder', EXAMPLES);
    expect(text.stdout).toMatch(/^mintscope-detector-one-payer@1\+[0-9a-f]{16} {2}severity 6 {2}/);
    expect(text.exitCode).toBe(0);
  });
});

describe('detectors test', () => {
  test('finds the attack of a scenario where built-in detectors do, and no look-alike', async () => {
    const { stdout, exitCode } = await printCommand(
      testCommand(),
      ...[EXAMPLE, '--folder', EXAMPLES, '--scenarios', 'traditional_bundle,N1', '--json'],
    );
    const [attack, benign] = linesOf(stdout);
    expect(attack).toMatchObject({ scenario: 'traditional_bundle', precision: 1, recall: 1 });
    expect(attack.both).toBeGreaterThan(0);
    expect(benign).toMatchObject({ both: 0, onlyDetector: 0, onlyBuiltIn: 0, agreement: 1 });
    expect(benign.neither).toBe(benign.cases);
    expect(exitCode).toBe(0);
  });

  test('fails with the reason when the detector does', async () => {
    write('return [{ confidence: Number.NaN }]');
    const { stdout, exitCode } = await printCommand(
      testCommand(),
      ...['./own', '--folder', folder, '--scenarios', 'N1'],
    );
    expect(stdout).toContain('N1: FAILED Error: the answer[0].confidence is NaN');
    expect(exitCode).toBe(1);
  });

  test('names the nearest scenario to one that does not exist', async () => {
    write('return []');
    const tested = printCommand(
      testCommand(),
      ...['./own', '--folder', folder, '--scenarios', 'fake_dumb'],
    );
    await expect(tested).rejects.toBeInstanceOf(UsageError);
    await expect(tested).rejects.toThrow('Did you mean fake_dump?');
  });
});

describe('detectors shadow', () => {
  test('shows what a service exposes of the detectors that it tries', async () => {
    const families = createMetrics();
    const counts = {
      ...{ ...NO_CASES, both: 3, onlyDetector: 1, onlyBuiltIn: 2, neither: 4, failed: 1 },
      ...{ durationMs: 110, durationMostMs: 40, workMost: 1_234 },
    };
    exposeDetectors(families, {
      published: [],
      tried: [{ name: NAME, counts, stopped: 'It took too long' }],
    });
    const api = fakeApiServer({ metrics: families });
    await api.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.server.address() as AddressInfo;
    const ask = (...args: readonly string[]) =>
      printCommand(shadowCommand(), '--url', `http://127.0.0.1:${port}`, ...args);
    try {
      const [shown] = linesOf((await ask('--json')).stdout);
      expect(shown).toEqual({
        detector: NAME,
        cases: 11,
        ...counts,
        isStopped: true,
        agreement: 0.7,
        precision: 0.75,
        recall: 0.6,
      });
      expect((await ask()).stdout).toBe(
        `${NAME}: 11 cases, both 3, only it 1, only built-in 2, neither 4, failed 1, mean 10.0 ms, longest 40.0 ms, STOPPED\n`,
      );
    } finally {
      await api.close();
    }
  });
});

test.each([
  ['detectors', detectorsCommand],
  ['list', listCommand],
  ['test', testCommand],
  ['shadow', shadowCommand],
] as const)('%s is shown with examples', (_, command) => {
  expect(helpOf(command())).toMatch(/Examples:\n {2}mintscope detectors /);
});
