import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
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
      decodeWorkers: null,
    });
  });

  test('H-10 opens nothing to others by default', () => {
    expect(readConfig({}, {})).toMatchObject({
      host: '127.0.0.1',
      openOps: false,
      grpcPort: null,
      webhookPrivateOrigins: [],
      logLevel: 'info',
      rateLimitPerMinute: 600,
      rateLimitBurst: 100,
      offchain: 'auto',
      offchainRequestsPerSecond: 20,
    });
  });

  test('prefers a flag over the environment, and the environment over the file', () => {
    const config = configFile('{"port": 1, "host": "file", "dataDir": "from-file"}');
    const environment = { MINTSCOPE_PORT: '2', MINTSCOPE_HOST: 'environment' };
    const read = readConfig(environment, { port: '3', config });
    expect(read).toMatchObject({ port: 3, host: 'environment', dataDir: 'from-file' });
  });

  test('reads the memory of the state in bytes, from 1 MiB', () => {
    expect(readConfig({}, {}).stateMemory).toBeNull();
    expect(readConfig({}, { stateMemory: '8GiB' }).stateMemory).toBe(8_589_934_592);
    const variable = 'MINTSCOPE_STATE_MEMORY';
    expect(readConfig({ [variable]: '1MiB' }, {}).stateMemory).toBe(1_048_576);
    for (const text of ['0MiB', '1023KiB', '8GB', '8589934592', '']) {
      expect(() => readConfig({ [variable]: text }, {})).toThrow(
        `MINTSCOPE_STATE_MEMORY must be a size such as 512MiB or 8GiB, at least 1MiB, not "${text}".`,
      );
    }
  });

  test('reads a decimal price exactly', () => {
    expect(readConfig({ MINTSCOPE_SOL_USD_FALLBACK: '123.456789' }, {}).solUsdFallback).toBe(
      123_456_789_000_000_000_000n,
    );
  });

  test('reads RPC nodes from the variable of other tools, with lower precedence than its own', () => {
    const common = { SOLANA_RPC_URL: 'https://one.example/, https://two.example/' };
    expect(readConfig(common, {}).rpcUrl?.map(({ label }) => label)).toEqual([
      'one.example',
      'two.example',
    ]);
    const own = { ...common, MINTSCOPE_RPC_URL: 'https://three.example/' };
    expect(readConfig(own, {}).rpcUrl?.map(({ label }) => label)).toEqual(['three.example']);
  });

  test('never shows an address of an RPC node, which may contain a key', () => {
    const read = () => readConfig({ SOLANA_RPC_URL: 'wss://host.example/my-key' }, {});
    expect(read).toThrow(/^(?!.*my-key)SOLANA_RPC_URL must be http or https addresses/);
  });

  test('says that an address of an RPC node needs its scheme', () => {
    const read = () => readConfig({ SOLANA_RPC_URL: 'https://one.example,localhost:8899' }, {});
    expect(read).toThrow(/each with http:\/\/ or https:\/\/ at its beginning/);
  });

  test('reads the origin of a Yellowstone server, its token and its mode', () => {
    const environment = {
      MINTSCOPE_YELLOWSTONE_URL: 'https://stream.example:10000/',
      MINTSCOPE_YELLOWSTONE_TOKEN: 'a-token',
      MINTSCOPE_YELLOWSTONE_MODE: 'blocks',
      MINTSCOPE_YELLOWSTONE_CLIENT: 'native',
    };
    expect(readConfig(environment, {})).toMatchObject({
      yellowstoneUrl: 'https://stream.example:10000',
      yellowstoneToken: 'a-token',
      yellowstoneMode: 'blocks',
      yellowstoneClient: 'native',
    });
    expect(readConfig({}, {})).toMatchObject({
      yellowstoneUrl: null,
      yellowstoneToken: null,
      yellowstoneMode: 'transactions',
      yellowstoneClient: 'grpc-js',
      lagMaxSeconds: 60,
    });
  });

  test('reads the token of a Yellowstone server from the file, and not from a flag', () => {
    expect(readConfig({}, { yellowstoneToken: 'spoken' }).yellowstoneToken).toBeNull();
    const config = configFile('{"yellowstoneToken": "written"}');
    expect(readConfig({}, { config }).yellowstoneToken).toBe('written');
  });

  test.each([
    ['wss://host.example/my-key', 'MINTSCOPE_YELLOWSTONE_URL must be an http or https address'],
    ['https://user:my-key@host.example', 'without a name or password'],
  ])('refuses %s as a Yellowstone server and does not repeat it', (url, message) => {
    const read = () => readConfig({ MINTSCOPE_YELLOWSTONE_URL: url }, {});
    expect(read).toThrow(message);
    expect(read).toThrow(/^(?!.*my-key)/);
  });

  test('is frozen', () => {
    expect(Object.isFrozen(readConfig({}, {}))).toBe(true);
  });

  test('has three spellings of a setting', () => {
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
    [{ MINTSCOPE_YELLOWSTONE_MODE: 'slots' }, {}, 'must be one of blocks, transactions'],
    [{ MINTSCOPE_YELLOWSTONE_CLIENT: 'x' }, {}, 'must be one of grpc-js, native'],
    [{ MINTSCOPE_LAG_MAX_SECONDS: '0' }, {}, 'must be a whole number from 1 to 999999999'],
    [{ MINTSCOPE_DECODE_WORKERS: '65' }, {}, 'must be a whole number from 0 to 64'],
    [{}, { config: '/nowhere/at-all.json' }, 'Cannot read the configuration file'],
  ])('refuses %j %j', (environment, flags, message) => {
    expect(() => readConfig(environment, flags)).toThrow(message);
  });

  test('refuses an unknown setting in the file with a suggestion', () => {
    const config = configFile('{"dataDirr": "x"}');
    expect(() => readConfig({}, { config })).toThrow('Did you mean dataDir?');
  });

  test.each([
    ['{"dataDir": null}', '"dataDir" in the configuration file must be', 'not null.'],
    ['{"port": [8080]}', '"port" in the configuration file must be', 'not an array.'],
    ['{"host": {"name": "x"}}', '"host" in the configuration file must be', 'not an object.'],
  ])('refuses %s in the file, naming the setting and the type', (content, start, end) => {
    const read = () => readConfig({}, { config: configFile(content) });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(`${start} a string, a number or a boolean, ${end}`);
  });

  test('accepts strings, numbers and booleans in the file', () => {
    const config = configFile('{"host": "::1", "port": 9000, "openOps": true}');
    expect(readConfig({}, { config })).toMatchObject({ host: '::1', port: 9000, openOps: true });
  });

  test('does not show a secret of a wrong type', () => {
    const config = configFile('{"clickhousePassword": ["hunter2"]}');
    expect(() => readConfig({}, { config })).toThrow(/^(?!.*hunter2).*clickhousePassword/);
  });

  // Edits compared with a third of the letters after MINTSCOPE_.
  test.each([
    ['MINTSCOPE_PROT', 'PORT', '1 swap of 4 letters'],
    ['MINTSCOPE_PRT', 'PORT', '1 edit of 3 letters, the very limit'],
    ['MINTSCOPE_DATADIR', 'DATA_DIR', '1 edit of 7'],
    ['MINTSCOPE_RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE', '3 edits of 18'],
  ])('suggests for %s the similar %s (%s)', (variable, near) => {
    const message = `Unknown environment variable ${variable}. Did you mean MINTSCOPE_${near}?`;
    expect(() => readConfig({ [variable]: '1' }, {})).toThrow(new UsageError(message));
  });

  test.each([
    ['MINTSCOPE_', 'nothing behind the prefix'],
    ['MINTSCOPE_PO', '2 edits of 2 letters'],
    ['MINTSCOPE_TOAST', '2 edits of 5 letters, from HOST'],
    ['MINTSCOPE_KAFKA_URL', 'another word'],
  ])('suggests nothing for %s: %s', (variable) => {
    const message = `Unknown environment variable ${variable}.`;
    expect(() => readConfig({ [variable]: '1' }, {})).toThrow(new UsageError(message));
  });

  test('names a setting of an earlier version, why it is gone, and what to do', () => {
    const reason = 'no longer exists: wallet profiles leave memory with the rest of the state.';
    expect(() => readConfig({ MINTSCOPE_PROFILES_MAX: '5000' }, {})).toThrow(
      new UsageError(`MINTSCOPE_PROFILES_MAX ${reason} Remove it.`),
    );
    const config = configFile('{"profilesMax": 5000}');
    expect(() => readConfig({}, { config })).toThrow(
      new UsageError(`"profilesMax" in the configuration file ${reason} Remove it.`),
    );
  });

  test('suggests nothing for a setting in the file without a similar name', () => {
    const config = configFile('{"pool": 1}');
    expect(() => readConfig({}, { config })).toThrow(new UsageError('Unknown setting pool.'));
  });

  test('never shows a secret in an error', () => {
    expect(() => readConfig({ MINTSCOPE_BOOTSTRAP_KEY: 'short' }, {})).toThrow(
      /^(?!.*short").*16 to 200 .*8 of them different/,
    );
  });

  test('accepts the variables of test runs', () => {
    expect(() => readConfig({ MINTSCOPE_TEST_DATA: '/somewhere' }, {})).not.toThrow();
    expect(() => readConfig({ MINTSCOPE_TESTS: '1' }, {})).toThrow(UsageError);
  });
});
