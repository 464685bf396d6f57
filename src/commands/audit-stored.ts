import { RetryingNodes } from '../chain/rpc/nodes/retrying-nodes.ts';
import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';
import { clickHouseServerOf } from '../service/clickhouse-server.ts';
import { holdsData } from '../store/data-folder.ts';
import { openStore, type Store } from '../store/store.ts';
import { type DifferingSlot, type RangeAudit, RangeAuditor } from './audit-range.ts';
import { assertInLog } from './dropped-slots.ts';
import { SlotProgressLines } from './slot-progress.ts';
import type { RequestedRange } from './slot-range-option.ts';

const INTERRUPTED_EXIT = 130;

/** Maximum number of signatures per slot in the text output; the JSON output contains all. */
const NAMED_MAX = 5;

/** Compares a stored range with the configured nodes and prints the differences. */
export async function auditStored(
  range: RequestedRange,
  config: Config,
  isJson: boolean,
): Promise<void> {
  if (config.rpcUrl === null) {
    throw new UsageError('No second source is configured: name an RPC node with --rpc-url.');
  }
  if (!holdsData(config.dataDir)) {
    throw new UsageError(
      `The folder ${config.dataDir} contains no data: name another with --data-dir.`,
    );
  }
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  const { signal } = stopping;
  const nodes = new RetryingNodes({
    endpoints: config.rpcUrl,
    tuning: { requestsPerSecond: config.rpcRequestsPerSecond },
    signal,
  });
  const store = await openStore({
    dataDir: config.dataDir,
    server: clickHouseServerOf(config),
  });
  try {
    assertInLog(range, store.logStart);
    const audit = await compare(store, nodes, range);
    process.stdout.write(
      isJson ? `${JSON.stringify(wireOf(audit))}\n` : `${linesOf(audit).join('\n')}\n`,
    );
    if (audit.stopReason !== null) process.stderr.write(`${audit.stopReason}\n`);
    if (!isClean(audit)) process.exitCode = 1;
    if (signal.aborted) process.exitCode = INTERRUPTED_EXIT;
  } finally {
    await store.close();
  }
}

async function compare(
  store: Store,
  nodes: RetryingNodes,
  range: RequestedRange,
): Promise<RangeAudit> {
  const progress = new SlotProgressLines((line) => process.stderr.write(`${line}\n`));
  const stored = {
    read: (fromSlot: number) => store.log.read(fromSlot),
    ranges: (from: RequestedRange['from'], to: RequestedRange['to']) => store.gaps.ranges(from, to),
  };
  const slotsTotal = range.to - range.from + 1;
  return await new RangeAuditor(stored, nodes, range).run((slotsDone) =>
    progress.report({ slotsDone, slotsTotal, detail: 'compared' }),
  );
}

/** False if nothing was compared, since that proves nothing. */
function isClean({ compared, differing, uncompared, stopReason }: RangeAudit): boolean {
  return compared > 0 && differing.length + uncompared.length === 0 && stopReason === null;
}

function wireOf(audit: RangeAudit) {
  const { range, compared, transactions, differing, uncompared, stopReason } = audit;
  return {
    ...range,
    compared_slots: compared,
    compared_transactions: transactions,
    differing,
    uncompared,
    stopped: stopReason,
    clean: isClean(audit),
  };
}

function linesOf(audit: RangeAudit): string[] {
  const { range, compared, transactions, differing, uncompared } = audit;
  return [
    `slots ${range.from} to ${range.to}: ${compared} compared with ${transactions} transactions, ${differing.length} differ, ${uncompared.length} could not be compared`,
    ...differing.flatMap(differingLines),
    ...uncompared.map(({ slot, reason }) => `slot ${slot} not compared: ${reason}`),
    isClean(audit) ? 'clean' : 'not clean',
  ];
}

function differingLines({ slot, differences, missing, extra }: DifferingSlot): string[] {
  return [
    `slot ${slot}: ${differences.join('; ')}`,
    ...named('missing', missing),
    ...named('extra', extra),
  ];
}

function named(word: string, signatures: readonly string[]): string[] {
  const more = signatures.length - NAMED_MAX;
  return [
    ...signatures.slice(0, NAMED_MAX).map((signature) => `  ${word} ${signature}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
