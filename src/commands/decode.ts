import { once } from 'node:events';
import { Command } from 'commander';
import {
  type RecordedItem,
  readRecordedTransactions,
} from '../chain/recorded/recorded-transactions.ts';
import { decodeBlock } from '../decoders/decode-block.ts';
import { decodeTransaction } from '../decoders/decode-transaction.ts';
import { Tally } from '../decoders/tally.ts';
import { EVENT_KINDS } from '../model/chain-event.ts';
import { UsageError } from '../model/errors.ts';
import type { DecodeProblem, TransactionFacts } from '../model/slot-facts.ts';
import { canonicalLines, type LinePosition } from './canonical-line.ts';
import { decodeProblemLine, problemLine } from './problem-line.ts';

/** `decode`: prints recorded transactions as canonical events, without state or data folder. */
export function decodeCommand(): Command {
  return new Command('decode')
    .description('Print the canonical events of recorded transactions, one JSON object per line.')
    .argument('<paths...>', 'files, folders or globs of getBlock and getTransaction responses')
    .option(
      '--jsonl',
      'one JSON object per line (the only format; accepted for clarity in scripts)',
    )
    .option('--kinds <list>', 'comma-separated event kinds to print; default all')
    .addHelpText(
      'after',
      `
Every line contains its position (slot, txIndex, outerIx, innerIx, signature); raw integers are
strings. A swap contains what its pool received (mintIn, amountIn) and paid (mintOut, amountOut),
what the trader paid and received with fees (traderBaseDelta, traderQuoteDelta), its role in the
transaction (isIntermediateHop, isAtomicRoundTrip, isPureArbitrage) and the trading terminal
(terminal; null if none is known). Unreadable input is reported on standard error; the exit code is
1 if nothing could be read. Transactions in several files are printed once.

Examples:
  mintscope decode block.json --kinds swap | jq -r '[.program, .pool, .side] | @tsv'
  mintscope decode transactions/ --jsonl > events.jsonl`,
    )
    .action(async (paths: string[], options: { kinds?: string }) => {
      await decode(paths, options.kinds === undefined ? null : kindsOf(options.kinds));
    });
}

function kindsOf(list: string): Set<string> {
  const kinds = list.split(',').map((kind) => kind.trim());
  const unknownKind = kinds.find((kind) => !EVENT_KINDS.some((known) => known === kind));
  if (unknownKind === undefined) return new Set(kinds);
  throw new UsageError(
    `There is no event kind "${unknownKind}": choose from ${EVENT_KINDS.join(', ')}.`,
  );
}

async function decode(paths: readonly string[], kinds: ReadonlySet<string> | null): Promise<void> {
  const printed = new Set<string>();
  let unusable = 0;
  for await (const item of readRecordedTransactions(paths)) {
    if (item.kind === 'problem') {
      process.stderr.write(`${problemLine(item.problem)}\n`);
      unusable++;
      continue;
    }
    const { position, transactions, problems } = decoded(item);
    for (const problem of problems) {
      if (printed.has(problem.signature)) continue;
      process.stderr.write(`${item.origin}: ${decodeProblemLine(problem)}\n`);
    }
    for (const facts of transactions) {
      if (printed.has(facts.signature)) continue;
      printed.add(facts.signature);
      await print(canonicalLines(facts, position, kinds));
    }
  }
  if (printed.size === 0 && unusable > 0) process.exitCode = 1;
}

function decoded(item: Exclude<RecordedItem, { kind: 'problem' }>): {
  position: LinePosition;
  transactions: readonly TransactionFacts[];
  problems: readonly DecodeProblem[];
} {
  if (item.kind === 'block') {
    const facts = decodeBlock(item.block);
    return { position: facts, transactions: facts.transactions, problems: facts.problems };
  }
  const { transaction } = item;
  const tally = new Tally();
  const facts = decodeTransaction(transaction, transaction.txIndex ?? 0, tally);
  return { position: item, transactions: [facts], problems: tally.problems };
}

/** Waits for a slow reader; the command ends if the reader closes the pipe. */
async function print(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}
