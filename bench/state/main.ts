/**
 * Applies a market that grows as mainnet does and measures speed, memory, disk and what checkpoints
 * cost; then kills the process when a checkpoint is nearly complete, starts another, which goes on to
 * the same end, and compares the digest with that of an engine that applied everything in one go.
 *
 *   npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB [--folder F]
 *     [--load mainnet|new-wallets|cold-mints|hot] [--swaps-a-second N] [--seed N] [--no-reference]
 *   npm run -s bench:state -- --late 1h --swaps-a-second 25
 *
 * A progress line every ten seconds, tables, and a line of JSON at the end, in which null means
 * not measured. With a folder, a run goes on where the state in it ends. The default memory is a
 * third of the machine's, as that of the service.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerHelp } from '../../scripts/answer-help.ts';
import { parseByteSize } from '../../src/lib/byte-size.ts';
import { parseDuration } from '../../src/lib/duration.ts';
import { stateMemoryBytesOf } from '../../src/service/state-memory.ts';
import { benchLate } from './late/late.ts';
import {
  COLD_MINTS_MARKET,
  HOT_MARKET,
  MAINNET_MARKET,
  type MarketOptions,
  NEW_WALLETS_MARKET,
  SLOT_MS,
} from './market-options.ts';
import { measureRun } from './measure-run.ts';

answerHelp(`Applies a market that grows as mainnet does, kills and resumes it, and compares the digest.

  npm run -s bench:state -- [options]

  --swaps <number>           to apply
  --state-memory <size>      memory of the state, as 256MiB; a third of the machine's by default
  --folder <folder>          keeps the state there, and goes on where it ends
  --load <name>              mainnet, new-wallets, cold-mints or hot; new-wallets with more memory
                             than the state needs measures the bytes of a wallet
  --swaps-a-second <number>  of the market, which has a slot every 400 ms; mainnet's 1250 by default
  --seed <number>            what the market follows from
  --no-reference             without the run whose digest is compared
  --late <duration>          instead: stores the market as a service does, delivers a slot so late,
                             as 1h, and measures until the state has it

Examples:
  npm run -s bench:state -- --swaps 2000000 --state-memory 256MiB
  npm run -s bench:state -- --load new-wallets --swaps 200000 --state-memory 2GiB
  npm run -s bench:state -- --late 1h --swaps-a-second 25`);

const LOADS: Readonly<Record<string, MarketOptions>> = {
  mainnet: MAINNET_MARKET,
  'new-wallets': NEW_WALLETS_MARKET,
  'cold-mints': COLD_MINTS_MARKET,
  hot: HOT_MARKET,
};

const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '2000000' },
    'state-memory': { type: 'string' },
    folder: { type: 'string' },
    load: { type: 'string', default: 'mainnet' },
    'swaps-a-second': { type: 'string' },
    seed: { type: 'string' },
    'no-reference': { type: 'boolean', default: false },
    late: { type: 'string' },
  },
});
const options = marketOptions();
const sizeText = values['state-memory'];
const stateMemoryBytes = stateMemoryBytesOf(sizeText === undefined ? null : sizeOf(sizeText));
const isCompared = !values['no-reference'];
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'mintscope-bench-state-'));
try {
  const order = { options, stateMemoryBytes, folder };
  const result =
    values.late === undefined
      ? await measureRun({ ...order, swaps: Number(values.swaps) }, isCompared)
      : await benchLate({ ...order, lateMs: durationOf(values.late) }, isCompared);
  console.log(JSON.stringify(result));
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

function marketOptions(): MarketOptions {
  const load = LOADS[values.load];
  if (load === undefined) {
    const names = Object.keys(LOADS).join(', ');
    throw new RangeError(`there is no load "${values.load}", only ${names}`);
  }
  const { seed, 'swaps-a-second': perSecond } = values;
  return {
    ...load,
    ...(seed !== undefined && { seed: Number(seed) }),
    ...(perSecond !== undefined && { swapsPerSlot: (Number(perSecond) * SLOT_MS) / 1_000 }),
  };
}

function sizeOf(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes === null) throw new RangeError(`"${text}" is not a size such as 256MiB or 2GiB`);
  return bytes;
}

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new RangeError(`"${text}" is not a duration such as 30m or 1h`);
  return ms;
}
