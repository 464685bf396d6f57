import { Command } from 'commander';
import { apiKeyOf } from '../config/config.ts';
import { SETTINGS } from '../config/config-settings.ts';
import { Engine } from '../engine/engine.ts';
import { storedDigestOf } from '../ingestion/state-head.ts';
import { UsageError } from '../model/errors.ts';
import type { StateDigest } from '../model/state-digest.ts';
import { readCheckpoints } from '../store/checkpoints/read-checkpoints.ts';
import { readCursor } from '../store/control/read-cursor.ts';
import { dataFolderAt, holdsData } from '../store/data-folder.ts';
import { compareDigests, type DigestComparison } from './digest/compare-digests.ts';
import { fetchServiceDigests, type ServiceDigests } from './digest/service-digests.ts';
import { printable } from './printable.ts';
import { addOnlySettings, settingsOf } from './settings.ts';
import { wholeNumberOption } from './whole-number-option.ts';

const DIFFERENT_EXIT = 1;
const SLOT_MAX = 999_999_999_999;

interface Options extends Readonly<Record<string, unknown>> {
  readonly atSlot?: string;
  readonly url?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** `digest`: prints the digest of a stored state, and compares it with a running service. */
export function digestCommand(): Command {
  const command = new Command('digest')
    .description('Print the digest of the state in a data folder, and compare it with a service.')
    .option('--at-slot <slot>', 'the checkpoint of this slot; default the newest')
    .option('--url <url>', 'ask the service at this address (API key: MINTSCOPE_API_KEY)')
    .option('--json', 'print one JSON line');
  return addOnlySettings(command, ['dataDir']).addHelpText('after', HELP).action(digest);
}

const HELP = `
The digest of a checkpoint is read from its description: nothing is folded, the log is not read, and
the folder is not changed, so a service may be using it. Folders and services that applied the same
slots under the same version and settings have equal digests at equal slots; "parts" says where they
differ. Services that follow the same chain make checkpoints of the same slots.
With --url and --data-dir, folder and service are compared at the newest slot that both have; with
--url alone, the state of the service is printed.
Exit code 0: printed, or same; 1: different; 2: there is nothing to print or to compare.

Examples:
  mintscope digest --data-dir /var/lib/mintscope
  mintscope digest --data-dir /var/lib/mintscope --at-slot 326027700 --json | jq .digest
  mintscope digest --data-dir /var/lib/mintscope --url http://replica:8080`;

async function digest(options: Options): Promise<void> {
  const { atSlot, url } = options;
  const slot = atSlot === undefined ? null : wholeNumberOption('--at-slot', atSlot, 0, SLOT_MAX);
  const { dataDir } = settingsOf(options);
  const service = url === undefined ? null : await fetchServiceDigests(url, apiKeyOf(process.env));
  const isFolderNamed = dataDir !== SETTINGS.dataDir.fallback || options.dataDir !== undefined;
  const output =
    service !== null && !isFolderNamed
      ? ofService(service, slot)
      : ofFolder(readStates(dataDir), slot, service);
  process.stdout.write(
    options.json === true ? `${JSON.stringify(output)}\n` : `${linesOf(output).join('\n')}\n`,
  );
  if (output.compared?.is_same === false) process.exitCode = DIFFERENT_EXIT;
}

/** The JSON output. */
export interface DigestOutput {
  readonly slot: number;
  /** Null where it is not known. */
  readonly blockhash: string | null;
  readonly digest: string;
  /** Null where a service gives none for the slot. */
  readonly parts: StateDigest['parts'] | null;
  /** Slots that --at-slot can name, newest first. */
  readonly slots: readonly number[];
  /** Null without a service to compare with. */
  readonly compared: {
    readonly slot: number;
    readonly is_same: boolean;
    readonly service_digest: string;
    readonly differing_parts: readonly string[] | null;
  } | null;
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

/** Output for a folder, compared with a service if there is one. Throws UsageError. */
export function ofFolder(
  states: readonly StateDigest[],
  atSlot: number | null,
  service: ServiceDigests | null,
): DigestOutput {
  const slots = states.map(({ slot }) => slot);
  const candidates = atSlot === null ? states : states.filter(({ slot }) => slot === atSlot);
  const compared = service === null ? null : compareDigests(candidates, service);
  const shown = candidates.find(({ slot }) => compared === null || slot === compared.slot);
  if (shown === undefined) throw noSuchSlot(atSlot, slots);
  if (service !== null && compared === null) {
    throw new UsageError(
      `Folder and service have no slot in common: the folder has ${listed(candidates.map(({ slot }) => slot))}, ` +
        `the service ${listed([...service.digests.keys()])}. Repeat it after the next checkpoint.`,
    );
  }
  const { slot, blockhash, digest: text, parts } = shown;
  return { slot, blockhash, digest: text, parts, slots, compared: toWire(compared) };
}

/** Output for a service alone. Throws UsageError. */
export function ofService({ state, digests }: ServiceDigests, atSlot: number | null): DigestOutput {
  const slots = [...digests.keys()].sort((one, other) => other - one);
  const slot = atSlot ?? state?.slot ?? null;
  const text = slot === null ? undefined : digests.get(slot);
  if (slot === null || text === undefined) throw noSuchSlot(atSlot, slots);
  const parts = state?.slot === slot ? state.parts : null;
  return { slot, blockhash: null, digest: text, parts, slots, compared: null };
}

function noSuchSlot(atSlot: number | null, slots: readonly number[]): UsageError {
  if (atSlot === null) return new UsageError('The service has no state yet.');
  return new UsageError(`There is no digest of slot ${atSlot}: there are ${listed(slots)}.`);
}

function listed(slots: readonly number[]): string {
  return slots.length === 0 ? 'none' : slots.join(', ');
}

function toWire(comparison: DigestComparison | null): DigestOutput['compared'] {
  if (comparison === null) return null;
  const { slot, isSame, service, differingParts } = comparison;
  return {
    slot,
    is_same: isSame,
    service_digest: service,
    differing_parts: isSame ? [] : differingParts,
  };
}

/** The text output. */
export function linesOf({
  slot,
  blockhash,
  digest: text,
  parts,
  compared,
}: DigestOutput): string[] {
  const lines = [
    `slot       ${slot}`,
    `blockhash  ${printable(blockhash ?? 'unknown')}`,
    `digest     ${printable(text)}`,
    ...(parts ?? []).map(({ name, sum }) => `part       ${printable(sum)}  ${printable(name)}`),
  ];
  if (compared === null) return lines;
  if (compared.is_same) return [...lines, `same       the service has this digest at slot ${slot}`];
  return [
    ...lines,
    `different  the service has ${printable(compared.service_digest)} at slot ${slot}`,
    ...(compared.differing_parts ?? []).map((name) => `differs    ${printable(name)}`),
  ];
}
