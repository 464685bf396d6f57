import { Command } from 'commander';
import { VERSION } from '../config/version.ts';
import { UsageError } from '../model/errors.ts';
import type { BackupManifest } from '../store/backup/backup-manifest.ts';
import { restoreBackup, verifyBackup } from '../store/backup/restore-backup.ts';
import { megabytes } from './check-summary.ts';
import { ReadProgressLines } from './read-progress-lines.ts';
import { addSettings, settingsOf } from './settings.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly verify?: boolean;
  readonly json?: boolean;
}

/** `restore`: restores a backup into a new data folder. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('Restore a backup into a new data folder, comparing every file with its checksum.')
    .argument('<backup>', 'folder of a backup')
    .option('--verify', 'read and compare the backup, and restore nothing')
    .option('--json', 'print the summary as one JSON line');
  return addSettings(command, false)
    .addHelpText('after', HELP)
    .action((backup: string, options: Options) => restore(backup, options));
}

const HELP = `
The data folder must be empty or not exist. A backup that is truncated, altered or made by a newer
version is refused, and the folder is left as it was. Afterwards "mintscope check" verifies the
restored data with the engine, and a start continues from the slot of the backup.
The restored service has the keys and webhooks of the original: while both run, both send webhooks.
Exit code 0: restored, or whole; 1: refused.

Examples:
  mintscope restore /mnt/backups/monday --data-dir /var/lib/mintscope-restored
  mintscope check --data-dir /var/lib/mintscope-restored
  mintscope restore /mnt/backups/monday --verify`;

function restore(backup: string, options: Options): void {
  const lines = new ReadProgressLines((line) => process.stderr.write(`${line}\n`));
  const onRead = lines.report.bind(lines);
  if (options.verify === true) {
    print(verifyBackup({ backup, version: VERSION }, onRead), 'Whole', options);
    return;
  }
  if (options.dataDir === undefined && process.env.MINTSCOPE_DATA_DIR === undefined) {
    throw new UsageError('Name the new data folder with --data-dir.');
  }
  const { dataDir } = settingsOf(options);
  const manifest = restoreBackup({ backup, dataDir, version: VERSION }, onRead);
  print(manifest, `Restored into ${dataDir}`, options);
}

function print(manifest: BackupManifest, done: string, { json }: Options): void {
  const { slot, files, version, created_at } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  process.stdout.write(
    json === true
      ? `${JSON.stringify({ slot, files: files.length, bytes, version, created_at })}\n`
      : `${done}: ${files.length} files, ${megabytes(bytes)}, up to slot ${slot ?? 'none'}, made ` +
          `${created_at} by version ${version}\n`,
  );
}
