/** Settings of backups that other machines reach, in the form of config-settings.ts. */
import { isAbsolute } from 'node:path';
import type { Setting } from './setting.ts';
import { durationFrom, integerBetween, nonEmpty, plainHttpUrl } from './setting-parsers.ts';

/** Where backups are stored for other machines. */
export type BackupStore =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

export interface BackupConfig {
  /** Null for none. */
  readonly backupStore: BackupStore | null;
  /** Null for that of AWS in the region. */
  readonly backupEndpoint: string | null;
  readonly backupRegion: string;
  readonly backupAccessKeyId: string | null;
  readonly backupSecretAccessKey: string | null;
  /** Milliseconds between backups that the service stores by itself; null for none. */
  readonly backupEvery: number | null;
  /** Whole backups that pruning keeps; 0 to remove none by itself. */
  readonly backupKeep: number;
}

type Entries = { readonly [Name in keyof BackupConfig]: Setting<BackupConfig[Name]> };

/** One entry per setting. */
export const BACKUP_SETTINGS: Entries = {
  backupStore: {
    description:
      'folder, or s3://bucket/prefix, that backups are stored in for other machines: an empty replica begins with the newest of them',
    placeholder: 'place',
    fallback: null,
    parse: parseBackupStore,
  },
  backupEndpoint: {
    description: 'address of the S3 server of backups; that of AWS in the region if omitted',
    placeholder: 'url',
    fallback: null,
    parse: plainHttpUrl,
  },
  backupRegion: {
    description: 'region of the bucket of backups',
    placeholder: 'name',
    fallback: 'us-east-1',
    parse: (text) =>
      /^[a-z0-9-]{1,64}$/.test(text)
        ? { value: text }
        : 'must be small letters, digits and hyphens',
  },
  backupAccessKeyId: {
    description: 'access key of the bucket of backups',
    placeholder: 'id',
    fallback: null,
    isSecret: true,
    hasNoFlag: true,
    commonVariable: 'AWS_ACCESS_KEY_ID',
    parse: nonEmpty('an access key'),
  },
  backupSecretAccessKey: {
    description: 'secret of the access key of the bucket of backups',
    placeholder: 'secret',
    fallback: null,
    isSecret: true,
    hasNoFlag: true,
    commonVariable: 'AWS_SECRET_ACCESS_KEY',
    parse: nonEmpty('the secret of an access key'),
  },
  backupEvery: {
    description:
      'how often the service, or one of the replicas, stores a backup in --backup-store by itself, such as 6h; never if omitted',
    placeholder: 'duration',
    fallback: null,
    parse: durationFrom('1m'),
  },
  backupKeep: {
    description:
      'whole backups that stay in --backup-store when older ones are removed after each new one; 0 removes none',
    placeholder: 'number',
    fallback: 7,
    parse: integerBetween(0, 10_000),
  },
};

const S3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([a-z0-9][a-z0-9./-]*)?)?$/;

function parseBackupStore(text: string): { readonly value: BackupStore } | string {
  if (isAbsolute(text)) return { value: { kind: 'folder', path: text } };
  const [, bucket, prefix = ''] = S3.exec(text) ?? [];
  if (bucket === undefined || prefix.includes('..') || prefix.length > 200) {
    return 'must be a folder with its whole path, or s3://bucket/prefix in small letters';
  }
  const parts = prefix.split('/').filter((part) => part !== '');
  return { value: { kind: 's3', bucket, prefix: parts.map((part) => `${part}/`).join('') } };
}
