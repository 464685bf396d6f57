import { constants, setPriority } from 'node:os';
import { Command } from 'commander';
import type { Config } from '../config/config-settings.ts';
import { VERSION } from '../config/version.ts';
import { UsageError } from '../model/errors.ts';
import { storeBackup } from '../service/backups/store-backup.ts';
import { makeBackup } from '../store/backup/make-backup.ts';
import { backupListCommand } from './backup-list.ts';
import { openPlace } from './backup-place.ts';
import { backupPruneCommand } from './backup-prune.ts';
import { megabytes } from './check-summary.ts';
import { ReadProgressLines } from './read-progress-lines.ts';
import { addSettings, settingsOf } from './settings.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly toStore?: boolean;
  readonly copy?: boolean;
  readonly json?: boolean;
}

/** `backup`: backs up a data folder, also while a service uses it. */
export function backupCommand(): Command {
  const command = new Command('backup')
    .description('Back up a data folder into another folder, also while a service uses it.')
    .argument('[target]', 'folder of the backup: empty, or it does not exist')
    .option('--to-store', 'store the backup where --backup-store says, instead of in a folder')
    .option('--copy', 'copy all files, also on the same file system')
    .option('--json', 'print the summary as one JSON line')
    .addCommand(backupListCommand())
    .addCommand(backupPruneCommand());
  return addSettings(command, false)
    .addHelpText('after', HELP)
    .action((target: string | undefined, options: Options) =>
      options.toStore === true
        ? storeInPlace(settingsOf(options), target, options)
        : backUp(settingsOf(options), target, options),
    );
}

const HELP = `
The backup is as of one point: the state that a start would find if the service had been killed
there. A running service is not asked and does not wait.
On the file system of the data folder, files that never change are linked: the backup takes seconds
and at first no space, and files that the service removes later remain in it. A damaged device
damages both, so copy the backup to another machine, or name a folder on another device: then all
files are copied. Afterwards everything is read once for the checksums in backup.json, at low
priority. Without that file a backup is not complete, and is refused.
With --to-store the backup goes to --backup-store, a folder that other machines mount or a bucket of
S3: files that any backup there has already are not sent again. A replica with an empty data folder
begins with the newest. "mintscope start --backup-every 6h" does so by itself, one of the replicas at
a time, and removes what is older than the newest --backup-keep; list and prune look after the place.
The folder contains webhook secrets and hashes of API keys: protect it like the data folder.
With --clickhouse-url the tables are on the server: back them up there.
Exit code 0: complete; 1: failed.

Examples:
  mintscope backup /mnt/backups/monday --data-dir /var/lib/mintscope
  mintscope restore /mnt/backups/monday --verify
  mintscope backup --to-store --backup-store s3://backups/mintscope --data-dir /var/lib/mintscope
  mintscope backup list --backup-store s3://backups/mintscope --verify
  mintscope backup prune --backup-store s3://backups/mintscope --backup-keep 7`;

function refuseServer({ clickhouseUrl }: Config): void {
  if (clickhouseUrl === null) return;
  throw new UsageError(
    'The tables are on a ClickHouse server (--clickhouse-url): back them up with its BACKUP ' +
      'DATABASE while the service is stopped, together with the data folder.',
  );
}

async function storeInPlace(
  config: Config,
  target: string | undefined,
  options: Options,
): Promise<void> {
  refuseServer(config);
  if (target !== undefined) throw new UsageError('--to-store takes no folder: leave it out.');
  const blobs = await openPlace(config);
  const { dataDir } = config;
  const request = { dataDir, folderName: 'backup-upload', onNotice: note };
  const { key, slot, files, bytes, filesTotal } = await storeBackup(blobs, request);
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ store: blobs.name, key, slot, files: filesTotal, sent: { files, bytes } })}\n`
      : `Stored ${key} in ${blobs.name}, up to slot ${slot ?? 'none'}: ${files} of ` +
          `${filesTotal} files were new, ${megabytes(bytes)}\n`,
  );
}

async function backUp(config: Config, target: string | undefined, options: Options): Promise<void> {
  refuseServer(config);
  if (target === undefined) throw new UsageError('Name the folder of the backup, or --to-store.');
  setPriority(constants.priority.PRIORITY_LOW);
  const lines = new ReadProgressLines(note);
  const startedMs = performance.now();
  let linkedMs = startedMs;
  const { manifest, isLinked } = await makeBackup(
    {
      dataDir: config.dataDir,
      target,
      version: VERSION,
      isCopied: options.copy === true,
      nowMs: Date.now,
    },
    {
      onLinked: () => {
        linkedMs = performance.now();
      },
      onRead: (read) => lines.report(read),
    },
  );
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const { slot, files } = manifest;
  const seconds = {
    linked: inSeconds(linkedMs - startedMs),
    total: inSeconds(performance.now() - startedMs),
  };
  process.stdout.write(
    options.json === true
      ? `${JSON.stringify({ target, slot, files: files.length, bytes, is_linked: isLinked, seconds })}\n`
      : `Backed up ${files.length} files, ${megabytes(bytes)}, up to slot ${slot ?? 'none'} into ` +
          `${target} (${isLinked ? 'links' : 'copies'}, ${seconds.total} s)\n`,
  );
}

function inSeconds(durationMs: number): number {
  return Math.round(durationMs) / 1_000;
}

function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
