import { describe, expect, test } from 'vitest';
import {
  YellowstoneFace,
  type YellowstoneOptions,
} from '../../../simulator/faces/node/yellowstone-face.ts';
import { temporaryFolder } from '../../../tests/support/command-line.ts';
import { readConfig } from '../../config/config.ts';
import { examine } from '../doctor.ts';
import type { Finding } from './finding.ts';

const TOKEN = 'my-secret-token';

/** The doctor's findings about a server. */
async function examined(
  options: YellowstoneOptions,
  token: string | null = null,
): Promise<Finding | undefined> {
  const face = new YellowstoneFace(options);
  const port = await face.listen(0);
  try {
    const url = `http://127.0.0.1:${port}`;
    const environment = token === null ? {} : { MINTSCOPE_YELLOWSTONE_TOKEN: token };
    const config = readConfig(environment, {
      yellowstoneUrl: url,
      dataDir: `${temporaryFolder()}/data`,
    });
    const findings = await examine(config);
    return findings.find(({ subject }) => subject === `127.0.0.1:${port}`);
  } finally {
    face.close();
  }
}

const versionOf = (proto: string) =>
  JSON.stringify({ version: { package: 'yellowstone-grpc-geyser', proto, solana: '4.2.1' } });

describe('the doctor on a Yellowstone server', () => {
  test('passes a server that passes on transactions of version 1', async () => {
    expect(await examined({ version: versionOf('12.6.0') })).toMatchObject({
      status: 'ok',
      check: 'version',
      message: 'proto 12.6.0, solana 4.2.1: passes on transactions of version 1',
    });
  });

  test('warns of a server that is too old, with advice', async () => {
    expect(await examined({ version: versionOf('12.5.0') })).toMatchObject({
      status: 'warn',
      message: 'proto 12.5.0, solana 4.2.1: too old for version 1',
      advice: expect.stringContaining('yellowstone-grpc-geyser 15.1.1 or later') as string,
    });
  });

  test.each(['', 'richat 9', '{}'])('warns of the unknown version %j', async (text) => {
    const finding = await examined({ version: text });
    expect(finding?.status).toBe('warn');
    expect(finding?.message).toContain('unknown version');
    expect(finding?.advice).toContain('Ask its operator');
  });

  test('warns of a server that does not report its version', async () => {
    expect(await examined({ version: null })).toMatchObject({
      status: 'warn',
      message: 'does not report its version',
    });
  });

  test('fails if the token is wrong, without showing it', async () => {
    const finding = await examined({ token: 'another' }, TOKEN);
    expect(finding).toMatchObject({ status: 'fail', check: 'reachable' });
    expect(JSON.stringify(finding)).not.toContain(TOKEN);
    expect(await examined({ token: TOKEN }, TOKEN)).toMatchObject({ status: 'ok' });
  });

  test('fails on a closed port', async () => {
    const config = readConfig(
      {},
      {
        yellowstoneUrl: 'http://127.0.0.1:9',
        dataDir: `${temporaryFolder()}/data`,
      },
    );
    const findings = await examine(config);
    expect(findings.find(({ subject }) => subject === '127.0.0.1:9')).toMatchObject({
      status: 'fail',
      check: 'reachable',
    });
  });
});
