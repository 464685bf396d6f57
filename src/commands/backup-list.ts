import { Command } from 'commander';
import { VERSION } from '../config/version.ts';
import { type ListedBackup, listBackups } from '../store/backup/list-backups.ts';
import { openPlace, PLACE_SETTINGS } from './backup-place.ts';
import { megabytes } from './check-summary.ts';
import { addOnlySettings, settingsOf } from './settings.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly verify?: boolean;
  readonly json?: boolean;
}

/** `backup list`: shows the stored backups. */
export function backupListCommand(): Command {
  const command = new Command('list')
    .description('List the backups in --backup-store, the newest first.')
    .option('--verify', 'read all files, instead of looking whether they are there')
    .option('--json', 'print one JSON line for each');
  return addOnlySettings(command, PLACE_SETTINGS)
    .addHelpText('after', HELP)
    .action(async (own: Options, command: Command) =>
      list(command.optsWithGlobals<Options>(), own),
    );
}

const HELP = `
An object that differs from what was stored is not sent again by later backups, since it has its name:
remove it there, and the next backup with that file sends it.
Exit code 0: the newest is whole; 1: it is not, or there is none.

Examples:
  mintscope backup list --backup-store /mnt/backups
  mintscope backup list --backup-store s3://backups/mintscope --verify --json`;

async function list(options: Options, { verify, json }: Options): Promise<void> {
  const blobs = await openPlace(settingsOf(options));
  const request = { version: VERSION, isVerified: verify === true || options.verify === true };
  const listed = await listBackups(blobs, request);
  const isJson = json === true || options.json === true;
  for (const each of listed) {
    const described = describe(each);
    process.stdout.write(
      isJson ? `${JSON.stringify(described)}\n` : `${inWords(described).join('\n')}\n`,
    );
  }
  if (listed.length === 0) process.stderr.write(`${blobs.name} has no backup\n`);
  if (listed[0]?.problem !== null) process.exitCode = 1;
}

type Described = ReturnType<typeof describe>;

function describe({ key, manifest, lost, problem }: ListedBackup) {
  const bytes = manifest?.files.reduce((sum, file) => sum + file.bytes, 0) ?? null;
  return {
    ...{ key, created_at: manifest?.created_at ?? null, version: manifest?.version ?? null },
    ...{ slot: manifest?.slot ?? null, files: manifest?.files.length ?? null, bytes },
    ...{ lost, problem },
  };
}

function inWords({ key, created_at, version, slot, files, bytes, lost, problem }: Described) {
  const what =
    created_at === null
      ? ''
      : `  ${created_at}, slot ${slot ?? 'none'}, ${files} files, ${megabytes(bytes ?? 0)}, version ${version}`;
  const line = `${key}${what}: ${problem ?? 'whole'}`;
  return [line, ...lost.slice(0, SHOWN_MAX).map((lostKey) => `  ${lostKey}`)];
}

/** Lost files of a backup that are shown; all are in JSON. */
const SHOWN_MAX = 10;
