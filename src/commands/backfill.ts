import { Command } from 'commander';
import type { Endpoint } from '../chain/rpc/nodes/endpoint.ts';
import { createRangeSource, type RangeSource } from '../chain/rpc/range-source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import type { Config } from '../config/config-settings.ts';
import type { IngestionHooks, IngestionResult } from '../ingestion/ingestion-run.ts';
import { UsageError } from '../model/errors.ts';
import { openService, type Service } from '../service/app.ts';
import { toGap } from '../store/control/slot-ranges.ts';
import { assertChangeable } from './dropped-slots.ts';
import { openBundleExplorer } from './open-bundle-explorer.ts';
import { problemLine } from './problem-line.ts';
import { addSettings, settingsOf } from './settings.ts';
import { SlotProgressLines } from './slot-progress.ts';
import { type RequestedRange, requestedRange } from './slot-range-option.ts';
import { countRange, wantedRuns } from './wanted-runs.ts';

const INTERRUPTED_EXIT = 130;

interface Options extends Readonly<Record<string, unknown>> {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** `backfill`: fetches past slots that are missing in the data folder. */
export function backfillCommand(): Command {
  const command = new Command('backfill')
    .description('Fetch a range of slots through RPC nodes into the data folder.')
    .option('--from <slot>', 'first slot')
    .option('--to <slot>', 'last slot')
    .option('--json', 'print the summary as one JSON line');
  return addSettings(command, false)
    .addHelpText(
      'after',
      `
Slots that are stored or proven to have no block are not requested again, so an interrupted command
can be repeated. The range may be before, after or between stored slots; later slots are refolded at
the end. Once --log-retention has dropped slots, only those after the oldest checkpoint can be added. No service may be using the data folder. The exit code is 1 if slots of the range are still
missing.

Examples:
  mintscope backfill --from 361000000 --to 361009999 --rpc-url https://rpc.example.com
  mintscope backfill --from 361000000 --to 361009999 --json | jq .missing`,
    )
    .action(async (options: Options) => await backfill(options));
}

async function backfill(options: Options): Promise<void> {
  const range = requestedRange(options.from, options.to);
  const config = settingsOf(options);
  const endpoints = endpointsOf(config);
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  const { signal } = stopping;
  const service = await openService(config, { signal, onLost: note });
  const decoder = createDecodePool(config.decodeWorkers);
  const bundleOracle = openBundleExplorer(config, signal);
  try {
    const known = service.store.gaps.ranges(range.from, range.to);
    const runs = wantedRuns(range, known);
    assertChangeable(runs, service.ingestion);
    const source = createRangeSource({
      endpoints,
      runs,
      fetcher: decoder,
      signal,
      tuning: { requestsPerSecond: config.rpcRequestsPerSecond },
    });
    const wanted = countRange(range, known);
    const result = await ingestRange(service, source, {
      slotsTotal: wanted.missing + wanted.unknown,
      signal,
      ...(bundleOracle === null ? {} : { bundleOracle }),
    });
    report(summaryOf(service, range, source, result), options.json === true, signal.aborted);
  } finally {
    await bundleOracle?.close();
    await decoder?.close();
    await service.close();
  }
}

/** The configured nodes. Throws UsageError if there are none. */
export function endpointsOf({ rpcUrl }: Config): readonly Endpoint[] {
  if (rpcUrl !== null) return rpcUrl;
  throw new UsageError('No RPC node is configured: name one with --rpc-url.');
}

async function ingestRange(
  { ingestion }: Service,
  source: RangeSource,
  {
    slotsTotal,
    ...hooks
  }: Pick<IngestionHooks, 'signal' | 'bundleOracle'> & { readonly slotsTotal: number },
): Promise<IngestionResult> {
  const progress = new SlotProgressLines(note);
  let slotsDone = 0;
  return await ingestion.ingest(counted(), {
    ...hooks,
    onProblem: (problem) => note(problemLine(problem)),
    onMissing: ({ from, to, reason }) => note(`slots ${from} to ${to} are missing: ${reason}`),
  });

  function counted() {
    return {
      areBlocksFinal: source.areBlocksFinal,
      async *[Symbol.asyncIterator]() {
        for await (const item of source) {
          if (item.kind === 'block' || item.kind === 'facts') slotsDone++;
          else if ('from' in item) slotsDone += item.to - item.from + 1;
          const { transactions } = source.summary;
          const done = Math.min(slotsDone, slotsTotal);
          progress.report({ slotsDone: done, slotsTotal, detail: `${transactions} transactions` });
          yield item;
        }
      },
    };
  }
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

type Summary = ReturnType<typeof summaryOf>;

function summaryOf(
  { store, ingestion }: Service,
  range: RequestedRange,
  source: RangeSource,
  result: IngestionResult,
) {
  const known = store.gaps.ranges(range.from, range.to);
  const gaps = known.filter(({ state }) => state === 'missing').map(toGap);
  const { finalSlot } = source;
  return {
    from: range.from,
    to: range.to,
    added: { slots: result.slotsAdded, transactions: result.transactionsAdded },
    bundle_answers: result.bundleAnswers ?? null,
    range: countRange(range, known),
    missing: gaps.map(({ from, to, reason }) => ({ from, to, reason })),
    not_final_after: finalSlot !== null && finalSlot < range.to ? finalSlot : null,
    stopped: source.stopReason,
    slots: ingestion.engine.counters.slots,
    digest: ingestion.engine.digest(),
  };
}

function report(summary: Summary, isJson: boolean, isInterrupted: boolean): void {
  const { range, from, to } = summary;
  process.stdout.write(
    isJson ? `${JSON.stringify(summary)}\n` : `${linesOf(summary).join('\n')}\n`,
  );
  const isWhole = range.missing + range.unknown === 0;
  const again = `run "mintscope backfill --from ${from} --to ${to}" again to go on`;
  if (isInterrupted) {
    process.stderr.write(`Stopped; fetched slots are stored: ${again}.\n`);
    process.exitCode = INTERRUPTED_EXIT;
  } else if (!isWhole) {
    if (summary.stopped !== null) process.stderr.write(`${summary.stopped}\n`);
    process.stderr.write(`The range is not whole: ${again}.\n`);
    process.exitCode = 1;
  }
}

function linesOf({
  from,
  to,
  added,
  range,
  missing,
  bundle_answers: bundles,
  ...rest
}: Summary): string[] {
  const final = rest.not_final_after;
  return [
    `range    slots ${from} to ${to}: ${range.held} stored, ${range.skipped} without a block, ${range.missing} missing, ${range.unknown} not requested`,
    `added    ${added.slots} slots, ${added.transactions} transactions`,
    ...(bundles === null
      ? []
      : [
          `bundles  of ${bundles.known} slots from the explorer; ${bundles.unknown} unknown to it, ${bundles.failed} failed, ${bundles.late} late`,
        ]),
    ...missing.map((gap) => `missing  ${gap.from} to ${gap.to}: ${gap.reason}`),
    ...(final === null
      ? []
      : [`final    slots after ${final} are not final yet and were left out`]),
    `held     ${rest.slots} slots in total`,
    `digest   ${rest.digest}`,
  ];
}
