/**
 * The thread that gathers off-chain facts. It contacts third-party servers and has no access to
 * keys. Among several replicas it stores what one of them gathers, and may be that one.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../api/logger.ts';
import { isTransientError } from '../lib/transient-error.ts';
import { PictureHasher } from '../offchain/images/picture-hasher.ts';
import { dataFolderAt } from '../store/data-folder.ts';
import { OFFCHAIN_SCHEMA, openOffchainPlane } from '../store/offchain/offchain-plane.ts';
import { AnswerCell } from './answer-cell.ts';
import type { FromGathering, GatheringCounts, GatheringSettings, ToGathering } from './messages.ts';
import { type Gatherer, openGatherer } from './open-gatherer.ts';
import { SharedStore, type SharedStoreParts } from './shared-store.ts';

/** Intervals of checking for due jobs and of reporting counts. */
const PUMP_MS = 250;
const COUNTS_MS = 2_000;

const NO_COUNTS: GatheringCounts = { counters: [], gauges: [] };

if (parentPort !== null) gather(parentPort, workerData as GatheringSettings);

function gather(port: MessagePort, settings: GatheringSettings): void {
  const post = (message: FromGathering) => port.postMessage(message);
  const logger = createLogger({
    level: settings.logLevel,
    onUnread: () => post({ kind: 'unread' }),
  });
  const database = openOffchainPlane(dataFolderAt(settings.dataDir).offchainFile);
  const hasher = new PictureHasher();
  let gatherer: Gatherer | null = null;
  const begin = () => {
    gatherer = openGatherer({ database, hasher, settings, logger });
    post({ kind: 'ready', reached: gatherer.reached, tracked: gatherer.tracked });
  };
  const end = () => {
    gatherer?.close();
    gatherer = null;
    post({ kind: 'resting' });
  };
  const { answers } = settings;
  const shared =
    answers === undefined
      ? null
      : openShared(answers, post, {
          database,
          onGathering: (isGathering) => (isGathering ? begin() : end()),
          onNotice: (sentence) => logger.warn(sentence),
        });
  let isRefused = false;
  /** Writes refused by the database are retried in the next turn. The failure is logged once. */
  const turn = () => {
    try {
      shared?.settle();
      shared?.forwardPosts();
      gatherer?.turn();
      if (isRefused) logger.info('gathered data is being stored again');
      isRefused = false;
    } catch (error) {
      if (!isTransientError(error)) throw error;
      if (!isRefused) logger.warn({ err: error }, 'gathered data cannot be stored at the moment');
      isRefused = true;
    }
  };
  const timers = [
    setInterval(turn, PUMP_MS),
    setInterval(() => post({ kind: 'counts', counts: gatherer?.counts ?? NO_COUNTS }), COUNTS_MS),
  ];
  const close = (): void => {
    for (const timer of timers) clearInterval(timer);
    gatherer?.close();
    hasher.close();
    database.close();
    // Connections of released jobs are no longer needed: end them with the process of the thread.
    process.exit(0);
  };
  port.on('message', (message: ToGathering) => {
    if (message.kind === 'close') close();
    else if (message.kind === 'store') shared?.take(message.seq, message.effect);
    else if (message.kind === 'rest') shared?.rest();
    else gatherer?.take(message, () => post({ kind: 'taken', number: message.number }));
  });
  if (shared === null) begin();
  else post({ kind: 'opened', position: shared.position, schema: OFFCHAIN_SCHEMA });
}

function openShared(
  answers: SharedArrayBuffer,
  post: (message: FromGathering) => void,
  parts: Pick<SharedStoreParts, 'database' | 'onGathering' | 'onNotice'>,
): SharedStore {
  const cell = new AnswerCell(answers);
  return new SharedStore({
    ...parts,
    append: (transaction) => cell.ask(() => post({ kind: 'append', transaction })),
    onStored: (seq) => post({ kind: 'stored', seq }),
    // The thread ends, and the next one reads what the stream has.
    onBehind: (error) =>
      setImmediate(() => {
        throw error;
      }),
  });
}
