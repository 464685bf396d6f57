import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { TRANSACTION_ENCODINGS } from '../../simulator/faces/format-transaction.ts';
import { COMPRESSIONS } from '../../simulator/faces/write-blocks.ts';
import { isRefusal, parseSimulationConfig } from '../../simulator/parse-simulation-config.ts';
import type { SimulationConfig } from '../../simulator/simulation-config.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { UsageError } from '../model/errors.ts';
import {
  addServeOptions,
  type ServeOptions,
  serveRequestOf,
  serveSimulation,
} from './simulate-serve.ts';
import { wholeNumberOption } from './whole-number-option.ts';
import {
  BLOCKS_FOLDER,
  LABELS_FILE,
  type WritableSimulation,
  type WritingRequest,
  WritingRun,
} from './writing-run.ts';

const INTERRUPTED_EXIT = 130;
const FAILURE_EXIT = 1;

/** `simulate`: generates the blocks of a market from a seed, in the format of an RPC node. */
export function simulateCommand(
  createSimulation: (config: SimulationConfig) => WritableSimulation,
): Command {
  const command = new Command('simulate')
    .description('Write the blocks of a simulated market into a folder, or serve it as a node.')
    .option('--out <folder>', 'output folder; created if necessary, must be empty')
    .option('--slots <number>', 'number of slots to simulate')
    .option('--seed <text>', 'random seed', PRESETS.market.seed)
    .option('--preset <name>', `kind of market: ${Object.keys(PRESETS).join(', ')}`, 'market')
    .option(
      '--encoding <name>',
      `transaction encoding: ${TRANSACTION_ENCODINGS.join(', ')}`,
      'base64',
    )
    .option('--compress <name>', `compress files: ${COMPRESSIONS.join(', ')}`)
    .option(
      '--blocks-per-file <number>',
      'with more than 1, files are JSON lines with one block per line',
      '1',
    )
    .option('--labels', `write the labels of wallets and tokens to ${LABELS_FILE}`)
    .option('--posts', 'write posts about the market, with their ground truth')
    .option('--market <file>', 'JSON file with market settings that override the preset')
    .option('--json', 'print the summary as one JSON line');
  return addServeOptions(command)
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      if (options.serve === true) {
        const request = serveRequestOf(options);
        const config = atPresent(configOf(options), request.pastSlots);
        await serveSimulation(request, createSimulation(config));
      } else await simulate(requestOf(options), createSimulation);
    });
}

const HELP = `
The same seed, preset and number of slots give the same bytes on any machine; a served market starts
at the current time, so its timestamps differ. Files contain the blocks of the canonical branch.
Each file is complete or absent, so a full disk leaves all data up to the last complete file. Blocks
are in the folder blocks/, labels next to it.

Examples:
  mintscope simulate --out market/ --slots 1000 --seed 7
  mintscope simulate --out market/ --slots 10000 --blocks-per-file 100 --compress zst --labels --json
  mintscope replay market/blocks/
  mintscope simulate --out market/ --slots 1000 --market calm.json --posts
  mintscope simulate --serve --pace 5 --seed 7 --posts-port 8898`;

interface Options extends ServeOptions {
  readonly out?: string;
  readonly slots?: string;
  readonly seed: string;
  readonly preset: string;
  readonly encoding: string;
  readonly compress?: string;
  readonly blocksPerFile: string;
  readonly labels?: boolean;
  readonly posts?: boolean;
  readonly market?: string;
  readonly json?: boolean;
}

/** What to write, and the output format. */
interface Request extends WritingRequest {
  readonly isJson: boolean;
}

const SLOTS_MAX = 1_000_000_000;
const BLOCKS_PER_FILE_MAX = 10_000;

function requestOf(options: Options): Request {
  const { out, slots, compress } = options;
  if (out === undefined) throw refusal('--out', 'is required, unless the market is served');
  if (slots === undefined) throw refusal('--slots', 'is required, unless the market is served');
  return {
    folder: out,
    slots: wholeNumberOption('--slots', slots, 1, SLOTS_MAX),
    config: configOf(options),
    encoding: choice('--encoding', options.encoding, TRANSACTION_ENCODINGS),
    compression: compress === undefined ? null : choice('--compress', compress, COMPRESSIONS),
    blocksPerFile: wholeNumberOption(
      '--blocks-per-file',
      options.blocksPerFile,
      1,
      BLOCKS_PER_FILE_MAX,
    ),
    hasLabels: options.labels === true,
    hasPosts: options.posts === true,
    isJson: options.json === true,
  };
}

function configOf({ seed, preset: name, market }: Options): SimulationConfig {
  if (seed === '' || seed.length > 200) throw refusal('--seed', 'takes 1 to 200 characters');
  const preset = choice('--preset', name, Object.keys(PRESETS) as (keyof typeof PRESETS)[]);
  const base = { ...PRESETS[preset], seed };
  if (market === undefined) return base;
  const parsed = parseSimulationConfig(readMarket(market), base);
  if (!isRefusal(parsed)) return parsed;
  const field = parsed.field === '' ? 'it' : parsed.field;
  throw refusal('--market', `cannot be used: in ${market}, ${field} ${parsed.reason}`);
}

/** A served market starts at the current time, unless its settings contain a start time. */
function atPresent(config: SimulationConfig, pastSlots: number): SimulationConfig {
  if (config.startMs !== PRESETS.market.startMs) return config;
  const startMs = Math.floor((Date.now() - pastSlots * config.slotMs) / 1_000) * 1_000;
  return { ...config, startMs };
}

function readMarket(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw refusal('--market', `cannot be read: ${error.message}`);
  }
}

function refusal(option: string, reason: string): UsageError {
  return new UsageError(`${option} ${reason}.`);
}

function choice<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === text);
  if (name !== undefined) return name;
  throw refusal(option, `takes ${names.join(', ')}, not "${text}"`);
}

/** The folder must be empty: blocks of two runs would be read as one chain. */
function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) {
      mkdirSync(join(folder, BLOCKS_FOLDER));
      return;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw refusal('--out', `cannot be used: ${error.message}`);
  }
  throw refusal('--out', `names a folder that is not empty: ${folder}`);
}

async function simulate(
  request: Request,
  createSimulation: (config: SimulationConfig) => WritableSimulation,
): Promise<void> {
  prepareFolder(request.folder);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const run = new WritingRun(request, createSimulation(request.config));
  const outcome = await run.write(stopping.signal);
  process.off('SIGTERM', stop);
  process.off('SIGINT', stop);
  const summary = run.summary();
  if (outcome.status === 'failed') {
    const kept =
      summary.last_slot === null ? 'nothing' : `everything up to slot ${summary.last_slot}`;
    process.stderr.write(`mintscope: cannot write ${outcome.path}: ${outcome.message}\n`);
    process.stderr.write(`mintscope: ${kept} is in complete files\n`);
    process.exitCode = FAILURE_EXIT;
  }
  if (stopping.signal.aborted) process.exitCode = INTERRUPTED_EXIT;
  process.stdout.write(request.isJson ? `${JSON.stringify(summary)}\n` : textOf(summary));
}

function textOf(summary: ReturnType<WritingRun['summary']>): string {
  const lines = [
    `chain    ${summary.slots} slots, ${summary.skipped_slots} skipped, ${summary.dropped_blocks} blocks on dropped branches`,
    `market   ${summary.transactions} transactions (${summary.failed_transactions} failed), ${summary.launches} launches, ${summary.attacks} attacks, ${summary.benign} look-alikes`,
    `written  ${summary.blocks} blocks in ${summary.files} files, ${summary.bytes} bytes`,
  ];
  return `${lines.join('\n')}\n`;
}
