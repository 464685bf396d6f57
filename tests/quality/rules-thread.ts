import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { FraudPlan } from './fraud-run.ts';
import { readTypeRules } from './read-type-rules.ts';
import { compareRun, type RulesRun } from './rules-run.ts';

/** Compares runs in order on a separate thread. Rejects with the error that ended the thread. */
export function compareOnThread(plans: readonly FraudPlan[]): Promise<RulesRun[]> {
  return new Promise((resolve, reject) => {
    const runs: RulesRun[] = [];
    const thread = new Worker(new URL(import.meta.url), { workerData: plans });
    thread.on('message', (run: RulesRun) => runs.push(run));
    thread.on('error', reject);
    thread.on('exit', (code) => {
      if (code === 0) resolve(runs);
      else reject(new Error(`the thread ended with ${code}`));
    });
  });
}

if (!isMainThread && parentPort !== null) {
  const rules = readTypeRules();
  for (const plan of workerData as readonly FraudPlan[]) {
    parentPort.postMessage(compareRun(plan, rules));
  }
}
