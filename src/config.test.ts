import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentName, flagOf, readConfig } from './config.ts';

function configFile(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'mintscope-config-')), 'mintscope.json');
  writeFileSync(path, content);
  return path;
}

describe('configuration', () => {
  test('has a default for every setting', () => {
    expect(readConfig({}, {})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      dataDir: 'data',
      bootstrapKey: null,
      solUsdFallback: null,
      rateLimitPerMinute: 600,
      rateLimitBurst: 100,
    });
  });

  test('lets a flag win over the environment and the environment over the file', () => {
    const config = configFile('{"port": 1, "host": "file", "dataDir": "from-file"}');
    const environment = { MINTSCOPE_PORT: '2', MINTSCOPE_HOST: 'environment' };
    const read = readConfig(environment, { port: '3', config });
    expect(read).toMatchObject({ port: 3, host: 'environment', dataDir: 'from-file' });
  });

  test('reads a decimal price exactly', () => {
    expect(readConfig({ MINTSCOPE_SOL_USD_FALLBACK: '123.456789' }, {}).solUsdFallback).toBe(
      123_456_789_000_000_000_000n,
    );
  });

  test('is frozen', () => {
    expect(Object.isFrozen(readConfig({}, {}))).toBe(true);
  });

  test('spells a setting in three ways', () => {
    expect(environmentName('rateLimitPerMinute')).toBe('MINTSCOPE_RATE_LIMIT_PER_MINUTE');
    expect(flagOf('rateLimitPerMinute')).toBe('--rate-limit-per-minute');
  });

  test.each([
    [{ MINTSCOPE_PORT: '70000' }, {}, 'MINTSCOPE_PORT must be a whole number from 0 to 65535'],
    [{ MINTSCOPE_PORT: '1e3' }, {}, 'not "1e3"'],
    [{}, { port: '-1' }, '--port must be'],
    [{ MINTSCOPE_PROT: '1' }, {}, 'Did you mean MINTSCOPE_PORT?'],
    [{ MINTSCOPE_LOG_LEVEL: 'loud' }, {}, 'must be one of trace'],
    [{ MINTSCOPE_SOL_USD_FALLBACK: '0' }, {}, 'positive decimal'],
    [{ MINTSCOPE_CLICKHOUSE_URL: 'file:///x' }, {}, 'http or https'],
    [{ MINTSCOPE_OPEN_OPS: 'yes' }, {}, 'true or false'],
    [{}, { config: '/nowhere/at-all.json' }, 'Cannot read the configuration file'],
  ])('refuses %j %j', (environment, flags, message) => {
    expect(() => readConfig(environment, flags)).toThrow(message);
  });

  test('refuses an unknown setting in the file with a suggestion', () => {
    const config = configFile('{"dataDirr": "x"}');
    expect(() => readConfig({}, { config })).toThrow('Did you mean dataDir?');
  });

  test('never shows a secret in a refusal', () => {
    expect(() => readConfig({ MINTSCOPE_BOOTSTRAP_KEY: 'short' }, {})).toThrow(
      /^(?!.*short").*8 to 200/,
    );
  });

  test('lets the test data variable pass', () => {
    expect(() => readConfig({ MINTSCOPE_TEST_DATA: '/somewhere' }, {})).not.toThrow();
  });
});
