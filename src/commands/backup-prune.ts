import { Command } from 'commander';
import { VERSION } from '../config/version.ts';
import { UsageError } from '../model/errors.ts';
import { pruneBackups } from '../store/backup/prune-backups.ts';
import { openPlace, PLACE_SETTINGS } from './backup-place.ts';
import { addOnlySettings, settingsOf } from './settings.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `backup prune`: removes older stored backups. */
export function backupPruneCommand(): Command {
  const command = new Command('prune')
    .description('Remove all but the newest whole backups from --backup-store.')
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'print the summary as one JSON line');
  return addOnlySettings(command, [...PLACE_SETTINGS, 'backupKeep'])
    .addHelpText('after', HELP)
    .action(async (own: Options, command: Command) =>
      prune(command.optsWithGlobals<Options>(), own),
    );
}

const HELP = `
No file is removed that a kept backup names. Backups that are being written are waited for, up to an
hour; one that was interrupted is passed over once it has shown nothing for 15 minutes.
Nothing is removed where a description cannot be read or no backup is whole.
Exit code 0: done; 1: failed.

Examples:
  mintscope backup prune --backup-store /mnt/backups --backup-keep 7
  mintscope backup prune --backup-store s3://backups/mintscope --backup-keep 30 --dry-run --json`;

async function prune(options: Options, { dryRun, json }: Options): Promise<void> {
  const config = settingsOf(options);
  const { backupKeep: keep } = config;
  if (keep === 0) throw new UsageError('Name how many backups stay with --backup-keep.');
  const blobs = await openPlace(config);
  const isTrial = dryRun === true;
  const onNotice = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const { kept, backups, files } = await pruneBackups(
    blobs,
    { keep, version: VERSION, isTrial },
    { onNotice },
  );
  const removed = isTrial ? 'would be removed' : 'were removed';
  process.stdout.write(
    json === true || options.json === true
      ? `${JSON.stringify({ store: blobs.name, is_trial: isTrial, kept, removed: { backups, files } })}\n`
      : `${kept.length} backups stay in ${blobs.name}; ${backups.length} and ${files.length} files ${removed}\n`,
  );
}
