import { Command } from 'commander';
import { presentDetail } from '../api/present/present-classification.ts';
import { createRecordedSource } from '../chain/recorded/recorded-source.ts';
import { createDecodePool } from '../chain/threads/decode-pool.ts';
import { Engine } from '../engine/engine.ts';
import { confidencesWithout } from '../fraud/scoring/confidence-without.ts';
import { UsageError } from '../model/errors.ts';
import type { Classification } from '../model/fraud.ts';
import { statusOf } from '../model/fraud-review.ts';
import { type ComparedItem, compareFindings } from './compare-findings.ts';
import { printable } from './printable.ts';
import { problemLine } from './problem-line.ts';
import { type PublishedFinding, readFinding } from './read-finding.ts';
import { type Refolded, refoldFinding } from './refold-finding.ts';
import { addOnlySettings, settingsOf } from './settings.ts';

const DIFFERENT_EXIT = 1;

/** `verify`: recomputes a fraud finding from raw blocks. */
export function verifyCommand(): Command {
  const command = new Command('verify')
    .description('Recompute a fraud finding from raw blocks and compare every item of it.')
    .argument('<finding>', 'file with a response of GET /v1/fraud/classifications/{id}')
    .argument('<blocks...>', 'files, folders or globs of getBlock and getTransaction responses')
    .option('--json', 'print the comparison as one JSON line');
  return addOnlySettings(command, ['solUsdFallback', 'decodeWorkers'])
    .addHelpText('after', HELP)
    .action(async (path: string, blocks: string[], options: Options) => {
      const published = readFinding(path);
      const refolded = await refold(published, blocks, options);
      const verdict = verdictOf(published, refolded);
      process.stdout.write(
        options.json === true ? `${JSON.stringify(verdict)}\n` : textOf(verdict),
      );
      if (!verdict.is_same) process.exitCode = DIFFERENT_EXIT;
    });
}

interface Options extends Readonly<Record<string, unknown>> {
  readonly json?: boolean;
}

const HELP = `
The blocks are folded in memory up to the slot of the finding, without using a data folder or
service. The score, the slot of detection and every feature, evidence item and wallet are reported
as same or different, with both values. The blocks must contain everything the service had seen of the token, including
its launch and payments to its wallets, and --sol-usd-fallback must be that of the service. Exit
code 0: same; 1: something is different, or the blocks do not yield the finding; 2: the finding or
the blocks cannot be used.

Example:
  curl -s -H "X-API-Key: $KEY" localhost:8080/v1/fraud/classifications/$ID > finding.json
  mintscope verify finding.json blocks/ --sol-usd-fallback 150`;

async function refold(
  published: PublishedFinding,
  blocks: readonly string[],
  options: Options,
): Promise<Refolded> {
  const { solUsdFallback, decodeWorkers } = settingsOf(options);
  const decoder = createDecodePool(decodeWorkers);
  try {
    const source = createRecordedSource(blocks, { decoder });
    const engine = new Engine({ fallbackSolUsd: solUsdFallback });
    const refolded = await refoldFinding(source, published, engine, (problem) =>
      process.stderr.write(`${problemLine(problem)}\n`),
    );
    const { lastSlot } = refolded;
    if (lastSlot === null) {
      throw new UsageError(
        `The blocks have no slot up to ${published.slot}, the slot of the finding.`,
      );
    }
    if (lastSlot < published.slot) {
      process.stderr.write(
        `the blocks end at slot ${lastSlot}; the finding is at slot ${published.slot}\n`,
      );
    }
    return refolded;
  } finally {
    await decoder?.close();
  }
}

/** The JSON output. */
export interface Verdict {
  readonly id: string;
  readonly is_same: boolean;
  /** ID of the recomputed finding; null if the blocks yield no such finding. */
  readonly found_id: string | null;
  readonly items: readonly {
    readonly item: string;
    readonly is_same: boolean;
    readonly told: unknown;
    readonly found: unknown;
  }[];
}

export function verdictOf(published: PublishedFinding, { classification }: Refolded): Verdict {
  if (classification === null) {
    return { id: published.id, is_same: false, found_id: null, items: [] };
  }
  const items = compareFindings(published, presentFinding(classification));
  return {
    id: published.id,
    is_same: items.every(({ isSame }) => isSame),
    found_id: classification.id,
    items: items.map(toWire),
  };
}

/** The finding as the service would return it. Serialised, because JSON has no negative zero. */
function presentFinding(classification: Classification): PublishedFinding {
  const detail = {
    classification,
    status: statusOf(classification.state, null),
    confidencesWithout: confidencesWithout(classification),
    reviews: [],
  };
  return JSON.parse(JSON.stringify(presentDetail(detail)));
}

function toWire({ item, isSame, told, found }: ComparedItem): Verdict['items'][number] {
  return { item, is_same: isSame, told, found };
}

export function textOf({ id, is_same, found_id, items }: Verdict): string {
  if (found_id === null) return `different: the blocks do not yield finding ${id}\n`;
  const differing = items.filter((one) => !one.is_same).length;
  const lines = items.flatMap((one) => {
    const name = printable(one.item);
    if (one.is_same) return [`same       ${name}  ${shownValue(one.told)}`];
    return [
      `different  ${name}`,
      `  told     ${shownValue(one.told)}`,
      `  found    ${shownValue(one.found)}`,
    ];
  });
  if (found_id !== id) lines.push(`compared with ${found_id}, of the same type and token`);
  lines.push(
    is_same ? `same: ${items.length} items` : `different: ${differing} of ${items.length} items`,
  );
  return `${lines.join('\n')}\n`;
}

function shownValue(value: unknown): string {
  return value === null ? 'nothing' : printable(JSON.stringify(value));
}
