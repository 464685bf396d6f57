import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../config/config.ts';
import { configRows } from './config.ts';

const rowOf = (name: string, environment: Record<string, string>, flags = {}) =>
  configRows(environment, flags).find((row) => row.name === name);

test('every setting is printed, with its default', () => {
  expect(configRows({}, {}).map(({ name }) => name)).toEqual(SETTING_NAMES);
  expect(rowOf('port', {})).toEqual({ name: 'port', value: '8080', origin: 'default' });
  expect(rowOf('rpcUrl', {})).toEqual({ name: 'rpcUrl', value: null, origin: 'default' });
});

test('a setting names where it comes from', () => {
  const environment = { MINTSCOPE_PORT: '9000' };
  expect(rowOf('port', environment)).toMatchObject({ value: '9000', origin: 'MINTSCOPE_PORT' });
  expect(rowOf('port', environment, { port: '1' })).toMatchObject({ value: '1', origin: '--port' });
});

test('secrets are never printed, nor passwords in addresses', () => {
  const environment = {
    SOLANA_RPC_URL: 'https://rpc.example/secret-word',
    MINTSCOPE_YELLOWSTONE_URL: 'https://secret-word.example',
    MINTSCOPE_YELLOWSTONE_TOKEN: 'secret-word',
    MINTSCOPE_BOOTSTRAP_KEY: 'secret-word-0123456789',
    MINTSCOPE_CLICKHOUSE_URL: 'http://user:secret-word@localhost:8123',
    MINTSCOPE_CLICKHOUSE_PASSWORD: 'secret-word',
  };
  const rows = configRows(environment, {});
  expect(JSON.stringify(rows)).not.toContain('secret-word');
  expect(rows.find(({ name }) => name === 'rpcUrl')).toMatchObject({
    value: 'set, not shown',
    origin: 'SOLANA_RPC_URL',
  });
  expect(rows.find(({ name }) => name === 'clickhouseUrl')?.value).toBe('http://…@localhost:8123');
});

test('a wrong value is refused as a service would refuse it', () => {
  expect(() => configRows({ MINTSCOPE_PORT: 'x' }, {})).toThrow(/MINTSCOPE_PORT/);
});
