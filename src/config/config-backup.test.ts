import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const storeOf = (backupStore: string) => readConfig({}, { backupStore }).backupStore;

describe('settings of stored backups', () => {
  it('name a folder or a bucket', () => {
    expect(storeOf('/mnt/backups')).toEqual({ kind: 'folder', path: '/mnt/backups' });
    expect(storeOf('s3://backups')).toEqual({ kind: 's3', bucket: 'backups', prefix: '' });
    expect(storeOf('s3://backups/main//net/')).toEqual({
      ...{ kind: 's3', bucket: 'backups', prefix: 'main/net/' },
    });
  });

  it.each(['backups', 's3://', 's3://B', 's3://b', 's3://backups/../other', 's3://backups/A', ''])(
    'refuse %j',
    (text) => {
      expect(() => storeOf(text)).toThrow(/^--backup-store must/);
    },
  );

  it('have credentials in the environment only, by their usual names too', () => {
    const environment = { AWS_ACCESS_KEY_ID: 'usual', AWS_SECRET_ACCESS_KEY: 'usual secret' };
    expect(readConfig(environment, {})).toMatchObject({
      ...{ backupAccessKeyId: 'usual', backupSecretAccessKey: 'usual secret' },
    });
    const own = { ...environment, MINTSCOPE_BACKUP_ACCESS_KEY_ID: 'own' };
    expect(readConfig(own, {}).backupAccessKeyId).toBe('own');
  });
});
