import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { signalGroup } from '../../scripts/signal-group.ts';

export interface VitestRun {
  readonly passed: number;
  /** Full names of tests that failed. */
  readonly failed: readonly string[];
  /** Test files that did not load, or whose preparation failed, with the reason. */
  readonly unloaded: readonly string[];
  readonly isTimedOut: boolean;
  readonly seconds: number;
}

export interface VitestOptions {
  readonly cwd: string;
  readonly tests: readonly string[];
  readonly testName?: string | undefined;
  readonly timeoutMs: number;
}

/** Runs test files in their own process group, which is killed when it takes too long. */
export async function runVitest(options: VitestOptions): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mintscope-mutant-report-'));
  const report = join(folder, 'report.json');
  const started = performance.now();
  const child = spawn(process.execPath, vitestArguments(options, report), {
    cwd: options.cwd,
    detached: true,
    stdio: 'ignore',
    env: testEnvironment(),
  });
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    signalGroup(child.pid, 'SIGKILL');
  }, options.timeoutMs);
  const interrupted = () => signalGroup(child.pid, 'SIGKILL');
  // Before the copies are removed, in which it would continue.
  process.prependOnceListener('exit', interrupted);
  await new Promise((settle) => child.once('close', settle));
  clearTimeout(timer);
  process.off('exit', interrupted);
  // Processes that a test started and could not end because of the defect.
  signalGroup(child.pid, 'SIGKILL');
  const seconds = (performance.now() - started) / 1_000;
  const outcome = existsSync(report) ? readReport(report) : NO_REPORT;
  rmSync(folder, { recursive: true, force: true });
  return { ...outcome, isTimedOut, seconds };
}

const NO_REPORT = { passed: 0, failed: [], unloaded: ['the run left no report'] };

function vitestArguments(options: VitestOptions, report: string): string[] {
  const { tests, testName } = options;
  return [
    '--disable-warning=ExperimentalWarning',
    resolve(options.cwd, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=json',
    `--outputFile=${report}`,
    '--maxWorkers=1',
    // One failed test is enough, and a defect fails it each time.
    '--bail=1',
    '--retry=0',
    ...(testName === undefined ? [] : ['-t', testName]),
    ...tests,
  ];
}

/** Recorded data is next to the working tree, not next to its copy. */
function testEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    UV_THREADPOOL_SIZE: '16',
    MINTSCOPE_TEST_DATA: resolve(process.env.MINTSCOPE_TEST_DATA ?? '../shared/data'),
  };
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function readReport(path: string): Pick<VitestRun, 'passed' | 'failed' | 'unloaded'> {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const unloaded = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  return {
    passed: results.filter(({ status }) => status === 'passed').length,
    failed: results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    unloaded: unloaded.map(({ name, message }) => `${name}: ${firstLine(message)}`),
  };
}

/** A failed preparation is reported by the first line of its message. */
function firstLine(message: string): string {
  return message.split('\n')[0] || 'its preparation failed';
}
