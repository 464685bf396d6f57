/**
 * The thread that stores backups, so that neither reading all files nor a slow place holds up the
 * service. It opens the files of the data folder only to read them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { VERSION } from '../../config/version.ts';
import { StoreError, UsageError } from '../../model/errors.ts';
import { listBackups } from '../../store/backup/list-backups.ts';
import { type PrunedBackups, pruneBackups } from '../../store/backup/prune-backups.ts';
import type { BlobStore } from '../../store/blobs/blob-store.ts';
import {
  type BackupQuestion,
  type BackupRun,
  type BackupSettings,
  type FromBackups,
  LINKS_FOLDER,
  type NewestBackup,
  type ToBackups,
} from './backup-messages.ts';
import { openBlobs } from './open-blobs.ts';
import { storeBackup } from './store-backup.ts';

const settings = workerData as BackupSettings;
const stopping = new AbortController();
const { signal } = stopping;
/** How many are looked at for a whole one: as many as an empty replica tries. */
const LOOKED_AT = 5;
/** A place that is in use is pruned after the next backup. */
const PRUNE_TIMING = { waitMs: 20 * 60_000 };

async function look(blobs: BlobStore): Promise<NewestBackup> {
  const listed = await listBackups(blobs, { version: VERSION, newest: LOOKED_AT });
  for (const { key, manifest, problem } of listed) {
    if (manifest === null || problem !== null) continue;
    return { key, createdMs: Date.parse(manifest.created_at) };
  }
  return null;
}

async function store(blobs: BlobStore): Promise<BackupRun> {
  const stored = await storeBackup(blobs, {
    ...{ dataDir: settings.dataDir, folderName: LINKS_FOLDER, onNotice, signal },
    onSent: (progress) => post({ kind: 'progress', progress }),
  });
  const nothing = { stored, pruned: { backups: 0, files: 0 }, pruneProblem: null };
  const { backupKeep: keep } = settings;
  if (keep === 0) return nothing;
  try {
    const request = { keep, version: VERSION };
    const pruned = await pruneBackups(blobs, request, { onNotice, signal, timing: PRUNE_TIMING });
    return { ...nothing, pruned: countsOf(pruned) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { ...nothing, pruneProblem: error.message };
  }
}

function countsOf({ backups, files }: PrunedBackups) {
  return { backups: backups.length, files: files.length };
}

function onNotice(sentence: string): void {
  post({ kind: 'notice', sentence });
}

function post(message: FromBackups): void {
  parentPort?.postMessage(message);
}

async function answer({ kind }: BackupQuestion): Promise<FromBackups> {
  try {
    const blobs = await openBlobs(settings);
    if (blobs === null) return { kind: 'failed', reason: 'no place of backups is named' };
    if (kind === 'look') return { kind: 'looked', newest: await look(blobs) };
    return { kind: 'stored', run: await store(blobs) };
  } catch (error) {
    if (error instanceof StoreError || error instanceof UsageError) {
      return { kind: 'failed', reason: error.message };
    }
    throw error;
  }
}

parentPort?.on('message', (message: ToBackups) => {
  if (message.kind === 'stop') stopping.abort();
  else void answer({ kind: message.kind }).then(post);
});
