import { Command } from 'commander';
import { presentHit } from '../../api/present/present-rule.ts';
import { createRecordedSource } from '../../chain/recorded/recorded-source.ts';
import { createDecodePool } from '../../chain/threads/decode-pool.ts';
import { Engine } from '../../engine/engine.ts';
import { UsageError } from '../../model/errors.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import { printable } from '../printable.ts';
import { problemLine } from '../problem-line.ts';
import { addOnlySettings, settingsOf } from '../settings.ts';
import { type ComparedHitItem, compareHits } from './compare-hits.ts';
import { type HitAuthor, readAuthor } from './read-author.ts';
import { type PublishedHit, readHit } from './read-hit.ts';
import { detectorsOf, type RefoldedHit, refoldHit } from './refold-hit.ts';

const DIFFERENT_EXIT = 1;
/** Characters of a value that a sentence shows. */
const SHOWN_MAX = 60;

interface Options extends Readonly<Record<string, unknown>> {
  readonly json?: boolean;
}

/** `rules verify`: recomputes a hit of a rule, or of an installed detector, from raw blocks. */
export function verifyHitCommand(): Command {
  const command = new Command('verify')
    .description(
      'Recompute a hit of a rule or an installed detector from raw blocks, and say whether it is the same.',
    )
    .argument('<hit>', 'file with one hit of GET /v1/rules/{rule_id}/hits')
    .argument(
      '<rule>',
      'file of the rule, or folder or name of the package of the detector, in the version of the hit',
    )
    .argument('<blocks...>', 'files, folders or globs of getBlock and getTransaction responses')
    .option('--json', 'print the comparison as one JSON line');
  return addOnlySettings(command, ['solUsdFallback', 'decodeWorkers', 'detectorsFolder'])
    .addHelpText('after', HELP)
    .action(async (path: string, authorPath: string, blocks: string[], options: Options) => {
      const told = readHit(path);
      const { detectorsFolder } = settingsOf(options);
      const author = readAuthor(told.rule_id, authorPath, detectorsFolder);
      const verdict = verdictOf(told, await refold(told, author, blocks, options));
      const text = options.json === true ? JSON.stringify(verdict) : sentenceOf(verdict);
      process.stdout.write(`${text}\n`);
      if (!verdict.is_same) process.exitCode = DIFFERENT_EXIT;
    });
}

const HELP = `
The blocks are folded in memory up to the slot of the hit, without a service, and the rule is judged
there as if no earlier hit had begun a cool-down. Confidence, reasons, figures, price, wallets and
transactions are compared. The blocks must contain everything the service had seen of the token, and
--sol-usd-fallback must be that of the service. Reviews of findings, which token.fraud_confidence and
classes of wallets depend on, are not in blocks. A rule with a sequence is judged from the first block
on, also before it was published. A hit of a detector is judged by its package, with all files as they
were when it was published: --detectors-folder is where it is installed. Exit code 0: same; 1: something is different, or the rule does not
pass; 2: the hit, the rule or the blocks cannot be used.

Example:
  curl -s -H "X-API-Key: $KEY" localhost:8080/v1/rules/dip/hits | jq '.hits[0]' > hit.json
  mintscope rules verify hit.json dip.yaml blocks/ --sol-usd-fallback 150
  mintscope rules verify hit.json mintscope-detector-example blocks/ --detectors-folder /etc/mintscope`;

async function refold(
  told: PublishedHit,
  author: HitAuthor,
  blocks: readonly string[],
  options: Options,
): Promise<RefoldedHit> {
  const { solUsdFallback, decodeWorkers } = settingsOf(options);
  const decoder = createDecodePool(decodeWorkers);
  const wanted = { mint: told.token_address, pool: told.pair_address, slot: told.slot };
  try {
    const refolded = await refoldHit({
      source: createRecordedSource(blocks, { decoder }),
      author,
      wanted,
      engine: new Engine({
        fallbackSolUsd: solUsdFallback,
        detectors: detectorsOf(author, wanted),
      }),
      onProblem: (problem) => process.stderr.write(`${problemLine(problem)}\n`),
    });
    const { lastSlot } = refolded;
    if (lastSlot === null) {
      throw new UsageError(`The blocks have no slot up to ${told.slot}, the slot of the hit.`);
    }
    if (lastSlot < told.slot) {
      process.stderr.write(`the blocks end at slot ${lastSlot}; the hit is at slot ${told.slot}\n`);
    }
    return refolded;
  } finally {
    await decoder?.close();
  }
}

/** The JSON output. */
export interface HitVerdict {
  readonly rule_id: string;
  readonly row_id: number;
  readonly is_same: boolean;
  /** False if the rule does not pass there; there are no items then. */
  readonly is_found: boolean;
  readonly items: readonly ComparedHitItem[];
}

export function verdictOf(told: PublishedHit, { hit }: RefoldedHit): HitVerdict {
  const { rule_id, row_id } = told;
  if (hit === null) return { rule_id, row_id, is_same: false, is_found: false, items: [] };
  const items = compareHits(told, asAnswered(hit));
  const isSame = items.every(({ is_same }) => is_same);
  return { rule_id, row_id, is_same: isSame, is_found: true, items };
}

/** The hit as the service would return it. Serialised, because JSON has no negative zero. */
function asAnswered(hit: RuleHit): PublishedHit {
  return JSON.parse(JSON.stringify(presentHit({ ...hit, outcome: null }, undefined)));
}

export function sentenceOf({ rule_id, row_id, is_same, is_found, items }: HitVerdict): string {
  const name = `hit ${row_id} of ${printable(rule_id)}`;
  if (!is_found) return `The blocks do not give ${name}: the rule does not pass there.`;
  if (is_same) return `The blocks give ${name} with the same confidence and evidence.`;
  const differing = items
    .filter((one) => !one.is_same)
    .map(
      ({ item, told, found }) => `${printable(item)} ${shown(found)} in place of ${shown(told)}`,
    );
  return `The blocks give ${name}, but with ${differing.join(', ')}.`;
}

function shown(value: unknown): string {
  const text = printable(JSON.stringify(value));
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
