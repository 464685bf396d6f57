import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type FraudPlan, type FraudRun, judgeRun } from './fraud-run.ts';

/** Judges runs in order on a separate thread. Rejects with the error that ended the thread. */
export function judgeOnThread(
  plans: readonly FraudPlan[],
  onRun: (run: FraudRun) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: plans });
    thread.on('message', onRun);
    thread.on('error', reject);
    thread.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the thread ended with ${code}`));
    });
  });
}

if (!isMainThread && parentPort !== null) {
  for (const plan of workerData as readonly FraudPlan[]) parentPort.postMessage(judgeRun(plan));
}
