import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

const CHECK_INTERVAL_MS = 1_000;
const DEFAULT_STALL_SECONDS = 900;

/**
 * Ends a run in which no test ended for a quarter of an hour, and names the files that it waits
 * for. Limits of tests cannot do so where a worker is blocked, while a file is loaded, or where a
 * process does not end. `MINTSCOPE_TEST_STALL_SECONDS` sets another time.
 */
export default class StalledRun implements Reporter {
  private readonly stallMs =
    Number(process.env.MINTSCOPE_TEST_STALL_SECONDS ?? DEFAULT_STALL_SECONDS) * 1_000;
  private readonly running = new Map<string, number>();
  private root = '';
  private lastEndedMs = Date.now();

  onInit(vitest: Vitest): void {
    this.root = vitest.config.root;
    setInterval(() => this.check(), CHECK_INTERVAL_MS).unref();
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.running.set(moduleId, Date.now());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.running.delete(moduleId);
    this.lastEndedMs = Date.now();
  }

  onTestCaseResult(): void {
    this.lastEndedMs = Date.now();
  }

  private check(): void {
    const nowMs = Date.now();
    if (nowMs - this.lastEndedMs < this.stallMs) return;
    const seconds = (sinceMs: number) => Math.round((nowMs - sinceMs) / 1_000);
    console.error(`No test ended for ${seconds(this.lastEndedMs)} s: the run is given up.`);
    for (const [moduleId, sinceMs] of this.running) {
      console.error(`  ${relative(this.root, moduleId)} has run for ${seconds(sinceMs)} s`);
    }
    if (this.running.size === 0) console.error('  No test file runs: a worker does not end.');
    process.exit(1);
  }
}
