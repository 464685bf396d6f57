import { Command } from 'commander';
import { createProgressReporter } from '../chain/recorded/progress.ts';
import { createRecordedSource } from '../chain/recorded/recorded-source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import type { IngestionResult } from '../ingestion/ingestion-run.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { openService, type Service } from '../service/app.ts';
import { decodeProblemLine, problemLine } from './problem-line.ts';
import { addSettings, settingsOf } from './settings.ts';

const INTERRUPTED_EXIT = 130;

/** `replay`: folds recorded data into the data folder and prints a summary. */
export function replayCommand(): Command {
  const command = new Command('replay')
    .description('Fold recorded data into the data folder and print counts and the digest.')
    .argument('<paths...>', 'files, folders or globs of getBlock and getTransaction responses')
    .option('--json', 'print the summary as one JSON line');
  return addSettings(command, false)
    .addHelpText(
      'after',
      `
The summary covers the whole content of the data folder after the run, so replaying the same data
again, in another order or after a crash prints the same line; "added" covers this run only. Once
--log-retention has dropped slots, older records are refused.
Unusable input is reported on standard error; the exit code is 1 if nothing could be used.

Example:
  mintscope replay blocks/ --data-dir /var/lib/mintscope --json | tail -n 1 | jq .digest`,
    )
    .action(async (paths: string[], options: Record<string, unknown>) => {
      await replay(paths, options);
    });
}

async function replay(paths: readonly string[], options: Record<string, unknown>): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  const config = settingsOf(options);
  const progress = createProgressReporter();
  const { signal } = stopping;
  const decoder = createDecodePool(config.decodeWorkers);
  const source = createRecordedSource(paths, { onProgress: progress.report, signal, decoder });
  const onLost = progress.note;
  const service = await openService(config, { signal, onLost });
  try {
    if (signal.aborted) return;
    const result = await service.ingestion
      .ingest(source, {
        signal,
        onProblem: (problem) => progress.note(problemLine(problem)),
        onSlot: noteDecodeProblems(progress.note),
      })
      .finally(() => progress.finish());
    const isUseless = result.slotsAdded + result.slotsKnown === 0;
    if (isUseless && Object.keys(result.problems).length > 0) process.exitCode = 1;
    const summary = summaryOf(service, result);
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify(summary)}\n`
        : textOf(summary).join('\n').concat('\n'),
    );
  } finally {
    if (signal.aborted) process.exitCode = INTERRUPTED_EXIT;
    await decoder?.close();
    await service.close();
  }
}

/** Maximum number of lines about single instructions; further ones are only counted. */
const DECODE_LINES_MAX = 200;

function noteDecodeProblems(note: (line: string) => void): (facts: SlotFacts) => void {
  let noted = 0;
  return ({ slot, problems }) => {
    for (const problem of problems) {
      if (++noted <= DECODE_LINES_MAX) note(`slot ${slot}: ${decodeProblemLine(problem)}`);
      if (noted === DECODE_LINES_MAX + 1) note('further undecoded instructions are only counted');
    }
  };
}

type Summary = ReturnType<typeof summaryOf>;

function summaryOf({ ingestion }: Service, result: IngestionResult) {
  const { engine } = ingestion;
  const { counters } = engine;
  return {
    slots: counters.slots,
    last_slot: engine.lastSlot,
    transactions: counters.transactions,
    failed_transactions: counters.failedTransactions,
    votes: counters.votes,
    events: counters.events,
    outcomes: counters.outcomes,
    decode_problems: counters.problems,
    bundled_transactions: counters.bundledTransactions,
    unlinked_slots: counters.unlinkedSlots,
    added: {
      slots: result.slotsAdded,
      known_slots: result.slotsKnown,
      transactions: result.transactionsAdded,
      problems: result.problems,
    },
    digest: engine.digest(),
  };
}

function textOf(summary: Summary): string[] {
  const { added } = summary;
  const events = Object.entries(summary.events).filter(([, count]) => count > 0);
  const problems = Object.entries(added.problems);
  return [
    `held     ${summary.slots} slots, ${summary.transactions} transactions (${summary.failed_transactions} failed), ${summary.votes} votes skipped`,
    `added    ${added.slots} slots, ${added.transactions} transactions; ${added.known_slots} slots were already stored`,
    `events   ${events.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    ...Object.entries(summary.outcomes).map(
      ([program, counts]) =>
        `program  ${program}: ${Object.entries(counts)
          .map(([outcome, count]) => `${outcome} ${count}`)
          .join(', ')}`,
    ),
    `problems ${problems.length === 0 ? 'none' : problems.map(([code, count]) => `${code} ${count}`).join(', ')}`,
    `digest   ${summary.digest}`,
  ];
}
