import { Command } from 'commander';
import {
  type RecordedItem,
  readRecordedTransactions,
} from '../chain/recorded/recorded-transactions.ts';
import { decodeBlock } from '../decoders/decode-block.ts';
import { formatShare } from '../lib/format-share.ts';
import { UsageError } from '../model/errors.ts';
import type { DecodeProblem, ProgramOutcomes, SlotFacts } from '../model/slot-facts.ts';
import type { ChainBlock } from '../model/transaction.ts';
import { asSlot } from '../model/units.ts';
import { InferredReport } from './audit-inferred.ts';
import { auditStored } from './audit-stored.ts';
import { decodeProblemLine, problemLine } from './problem-line.ts';
import { addSettings, settingsOf } from './settings.ts';
import { requestedRange } from './slot-range-option.ts';

/**
 * `audit`: reports how much of recorded transactions is decoded or, with a range of slots, whether
 * the stored slots match another source.
 */
export function auditCommand(): Command {
  const command = new Command('audit')
    .description(
      'Report how much of recorded transactions is decoded, by program; or compare stored slots with another source.',
    )
    .argument('[paths...]', 'files, folders or globs of getBlock and getTransaction responses')
    .option('--from <slot>', 'first stored slot to compare')
    .option('--to <slot>', 'last stored slot to compare')
    .option('--json', 'print the report as one JSON line, including the problems');
  return addSettings(command, false)
    .addHelpText('after', HELP)
    .action(async (paths: string[], options: Options) => {
      const isRange = options.from !== undefined || options.to !== undefined;
      if (isRange === paths.length > 0) {
        throw new UsageError('Name recorded files, or a range of slots with --from and --to.');
      }
      const isJson = options.json === true;
      if (!isRange) return await audit(paths, isJson);
      const range = requestedRange(options.from, options.to);
      await auditStored(range, settingsOf(options), isJson);
    });
}

interface Options extends Readonly<Record<string, unknown>> {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

const HELP = `
With paths, prints for each program the instructions seen, and how many were decoded to events,
ignored on purpose, unknown, malformed, or decoded to swaps that contradict the vaults' balances
(quarantined: never priced). "pool-moving" transactions are those whose token movements look like a
swap; those that events do not explain completely are listed. This is judged by transfers alone:
what a program-signed authority received and paid must match the legs of an event. "inferred" swaps
are those of programs without a decoder, recognised by their transfers. Transactions in several
files are counted once.
With a range, the signatures of each stored slot are compared with those of the nodes of --rpc-url:
name other nodes than those the slots came from. A range with slots that --log-retention dropped is
refused. No service may be using the data folder. The exit code is 1 if anything differs or could
not be compared.

Examples:
  mintscope audit blocks/ --json | jq '.pool_moving'
  mintscope audit --from 361000000 --to 361009999 --rpc-url https://second.example.com`;

async function audit(paths: readonly string[], isJson: boolean): Promise<void> {
  const report = new AuditReport();
  for await (const item of readRecordedTransactions(paths)) {
    if (item.kind === 'problem') {
      report.unusable++;
      process.stderr.write(`${problemLine(item.problem)}\n`);
    } else report.add(item);
  }
  process.stdout.write(isJson ? `${JSON.stringify(report.summary())}\n` : report.text());
  if (report.isEmpty && report.unusable > 0) process.exitCode = 1;
}

class AuditReport {
  /** Number of parts of the input that could not be used. */
  unusable = 0;
  private readonly seen = new Set<string>();
  private readonly outcomes = new Map<string, ProgramOutcomes>();
  private readonly problems: DecodeProblem[] = [];
  private readonly inferred = new InferredReport();
  private readonly counts = { transactions: 0, failed: 0, votes: 0, poolMoving: 0, explained: 0 };

  get isEmpty(): boolean {
    return this.seen.size === 0 && this.counts.votes === 0;
  }

  add(item: Exclude<RecordedItem, { kind: 'problem' }>): void {
    const block = item.kind === 'block' ? item.block : looseBlock(item);
    const transactions = block.transactions.filter(({ signature }) => !this.seen.has(signature));
    for (const { signature } of transactions) this.seen.add(signature);
    this.count(decodeBlock({ ...block, transactions }));
  }

  private count(facts: SlotFacts): void {
    const { counts } = this;
    counts.transactions += facts.transactions.length;
    counts.failed += facts.transactions.filter(({ error }) => error !== null).length;
    counts.votes += facts.voteCount;
    counts.poolMoving += facts.poolMovingCount;
    counts.explained += facts.explainedCount;
    this.problems.push(...facts.problems);
    this.inferred.add(facts);
    for (const [program, added] of Object.entries(facts.outcomes)) {
      const sum = this.outcomes.get(program);
      if (sum === undefined) this.outcomes.set(program, { ...added });
      else for (const name of OUTCOMES) sum[name] += added[name];
    }
  }

  summary() {
    const { counts } = this;
    return {
      transactions: counts.transactions,
      failed_transactions: counts.failed,
      votes: counts.votes,
      programs: Object.fromEntries(
        [...this.outcomes]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([program, outcomes]) => [program, { instructions: seenOf(outcomes), ...outcomes }]),
      ),
      pool_moving: {
        transactions: counts.poolMoving,
        explained: counts.explained,
        share: counts.poolMoving === 0 ? null : shareOf(counts.explained, counts.poolMoving),
      },
      inferred: this.inferred.summary(),
      problems: this.problems.map(decodeProblemLine),
      unusable: this.unusable,
    };
  }

  text(): string {
    const { programs, pool_moving: moving, inferred, ...rest } = this.summary();
    const rows = Object.entries(programs).map(([program, outcomes]) => [
      program,
      ...COLUMNS.map((column) => String(outcomes[column])),
    ]);
    const lines = [
      `${rest.transactions} transactions (${rest.failed_transactions} failed), ${rest.votes} votes skipped`,
      ...aligned([['program', ...COLUMNS], ...rows]),
      `pool-moving transactions: ${moving.transactions}, explained ${moving.explained} (${moving.share ?? 'none'})`,
      `swaps: ${inferred.swaps}, inferred ${inferred.inferred} (${inferred.share ?? 'none'})`,
      ...inferred.programs.map(({ program, swaps }) => `  ${program}: ${swaps}`),
      ...rest.problems,
    ];
    return `${lines.join('\n')}\n`;
  }
}

const OUTCOMES = ['event', 'ignored', 'unknown', 'malformed', 'quarantined'] as const;
const COLUMNS = ['instructions', ...OUTCOMES] as const;

/** Quarantined swaps are included in `event`. */
function seenOf({ event, ignored, unknown, malformed }: ProgramOutcomes): number {
  return event + ignored + unknown + malformed;
}

function shareOf(part: number, whole: number): string {
  return `${formatShare(100 * part, whole, 2)} %`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const [header = []] = rows;
  const widths = header.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
}

/** Wraps a single transaction in a block; its position is not relevant here. */
function looseBlock(item: Extract<RecordedItem, { kind: 'transaction' }>): ChainBlock {
  return {
    slot: asSlot(item.slot ?? 0),
    parentSlot: null,
    blockhash: null,
    previousBlockhash: null,
    blockTimeMs: item.blockTimeMs,
    isWhole: false,
    transactions: [item.transaction],
    voteCount: 0,
  };
}
