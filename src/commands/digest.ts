import { Command } from 'commander';
import { SETTINGS } from '../config/config-settings.ts';
import { Engine } from '../engine/engine.ts';
import { storedDigestOf } from '../ingestion/state-head.ts';
import { UsageError } from '../model/errors.ts';
import type { StateDigest } from '../model/state-digest.ts';
import { readCheckpoints } from '../store/checkpoints/read-checkpoints.ts';
import { readCursor } from '../store/control/read-cursor.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';
import { environmentAddress, ONLY_SERVICE, SECOND_SERVICE } from './client/service-address.ts';
import {
  linesOf,
  type OtherService,
  type OwnStates,
  outputOf,
  statesOf,
} from './digest/digest-output.ts';
import { fetchServiceDigests } from './digest/service-digests.ts';
import { addOnlySettings, settingsOf } from './settings.ts';
import { wholeNumberOption } from './whole-number-option.ts';

const DIFFERENT_EXIT = 1;
const SLOT_MAX = 999_999_999_999;

interface Options extends Readonly<Record<string, unknown>> {
  readonly atSlot?: string;
  readonly url?: string;
  readonly with?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `digest`: prints the digest of a state, and compares it with that of a running service. */
export function digestCommand(): Command {
  const command = new Command('digest')
    .description('Print the digest of a state, and compare it with that of a running service.')
    .option('--at-slot <slot>', 'the state of this slot alone; default the newest')
    .option('--url <url>', 'ask the service at this address (API key: MINTSCOPE_API_KEY)')
    .option(
      '--with <url>',
      'compare it with the service at this address (API key: MINTSCOPE_WITH_API_KEY)',
    )
    .option('--json', 'print one JSON line');
  return addOnlySettings(command, ['dataDir']).addHelpText('after', HELP).action(digest);
}

const HELP = `
The digest of a checkpoint is read from its description: nothing is folded, the log is not read, and
the folder is not changed, so a service may be using it. Folders and services that applied the same
slots under the same version and settings have equal digests at equal slots; "parts" says where they
differ. Services that follow the same chain make checkpoints of the same slots.
With --url and --data-dir, folder and service are compared; with --url and --with, two services;
with --url alone, the state of the service is printed. Every slot that both list is compared, or that
of --at-slot alone: the output has the number of slots, the newest whose digests are equal, and the
first whose digests differ. A service gives the parts of its newest slot alone.
Exit code 0: printed, or same at all slots; 1: different at one; 2: there is nothing to print or to
compare.

Examples:
  mintscope digest --data-dir /var/lib/mintscope
  mintscope digest --data-dir /var/lib/mintscope --at-slot 326027700 --json | jq .digest
  mintscope digest --data-dir /var/lib/mintscope --url http://replica:8080
  mintscope digest --url http://replica-1:8080 --with http://replica-2:8080`;

async function digest(options: Options): Promise<void> {
  const { atSlot } = options;
  const slot = atSlot === undefined ? null : wholeNumberOption('--at-slot', atSlot, 0, SLOT_MAX);
  const { own, other } = await readBoth(options);
  const output = outputOf(own, slot, other);
  const lines = linesOf(output, other?.name ?? '');
  process.stdout.write(
    options.json === true ? `${JSON.stringify(output)}\n` : `${lines.join('\n')}\n`,
  );
  if (output.compared?.is_same === false) process.exitCode = DIFFERENT_EXIT;
}

/** The states that are printed, and what they are compared with. Throws UsageError. */
async function readBoth(
  options: Options,
): Promise<{ readonly own: OwnStates; readonly other: OtherService | null }> {
  const { url, with: withUrl } = options;
  if (withUrl !== undefined) return await readServices(options, withUrl);
  const { dataDir } = settingsOf(options);
  const digests = url === undefined ? null : await fetchServiceDigests(firstAddress(url));
  const isFolderNamed = dataDir !== SETTINGS.dataDir.fallback || options.dataDir !== undefined;
  if (digests !== null && !isFolderNamed) {
    return { own: { name: 'the service', states: statesOf(digests) }, other: null };
  }
  return {
    own: { name: 'the folder', states: readStates(dataDir) },
    other: digests === null ? null : { name: 'the service', digests },
  };
}

async function readServices({ url, dataDir }: Options, withUrl: string) {
  if (url === undefined || dataDir !== undefined) {
    throw new UsageError(
      '--with compares two services: name the first one with --url, and leave out --data-dir.',
    );
  }
  const [first, second] = [
    firstAddress(url),
    environmentAddress(withUrl, SECOND_SERVICE, process.env),
  ];
  // At once, so that their newest slots are near each other.
  const [digests, others] = await Promise.all([
    fetchServiceDigests(first),
    fetchServiceDigests(second),
  ]);
  return {
    own: { name: first.baseUrl.host, states: statesOf(digests) },
    other: { name: second.baseUrl.host, digests: others },
  };
}

function firstAddress(url: string) {
  return environmentAddress(url, ONLY_SERVICE, process.env);
}

/** The states of a folder, newest first. Throws UsageError if there is none. */
function readStates(dataDir: string): readonly StateDigest[] {
  if (!holdsData(dataDir)) {
    throw new UsageError(`There is no data folder ${dataDir}: name one with --data-dir.`);
  }
  const { controlFile, stateFolder } = dataFolderAt(dataDir);
  const cursor = readCursor(controlFile);
  const { checkpoints, damaged } = readCheckpoints(stateFolder, cursor.epoch);
  for (const name of damaged) process.stderr.write(`${name} is damaged and left out\n`);
  const engine = new Engine({ fallbackSolUsd: null });
  const states = checkpoints.map((checkpoint) => storedDigestOf(checkpoint, engine));
  const readable = states.filter((state) => state !== null);
  if (readable.length > 0) return readable;
  throw new UsageError(
    checkpoints.length > 0
      ? `The checkpoints in ${dataDir} are of another version: use that version's command.`
      : `There is no checkpoint in ${dataDir} yet: a service begins one every 120 slots and when it stops.`,
  );
}
