/**
 * Computes states of earlier slots, but stops or falls silent at the first slot that it is to apply
 * while a file named in its settings exists.
 */
import { existsSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PastEngines } from '../../src/ingestion/past/past-engines.ts';
import type { PastSettings, ToPast } from '../../src/ingestion/past/past-messages.ts';

/** Files whose existence means a fault. */
export interface FaultFiles {
  readonly exit: string;
  readonly silence: string;
}

const settings = workerData as PastSettings & FaultFiles;
const engines = new PastEngines(settings);

parentPort?.on('message', ({ id, request }: ToPast) => {
  if (request.kind === 'apply' && existsSync(settings.exit)) process.exit(3);
  if (request.kind === 'apply' && existsSync(settings.silence)) return;
  parentPort?.postMessage({ id, answer: engines.answer(request) });
});
