import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';

const START_MS = 60_000;

/** The service as somebody starts it who has configured nothing. */
describe('start without any configuration', () => {
  let server: RunningCommand;
  const requests: { readonly url: string; readonly key: string }[] = [];

  beforeAll(async () => {
    const dataDir = `${temporaryFolder()}/data`;
    server = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir]);
    await server.shows(/simulated market is live(?:.*\n)+.*\/v1\/coverage/, START_MS);
    const [text] = await server.shows(/Ask it, for example:\n(?:curl .*\n)+/, START_MS);
    for (const [, key = '', url = ''] of text.matchAll(/X-API-Key: (\S+)" '(\S+)'/g)) {
      requests.push({ url, key });
    }
  }, START_MS);

  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.finished;
  });

  const ask = async (path: RegExp) => {
    const { url, key } = requests.find((request) => path.test(request.url)) ?? { url: '', key: '' };
    const answer = await fetch(url, { headers: { 'x-api-key': key } });
    return { answer, body: (await answer.json()) as Record<string, never> };
  };

  test('says in the log that nothing of it is on a real chain', async () => {
    await server.shows(/"simulated market: nothing here is on any real chain"/);
  });

  test('answers what it tells people to ask, marked as simulated', async () => {
    expect(requests).toHaveLength(4);
    for (const { url, key } of requests) {
      const { status, headers } = await fetch(url, { headers: { 'x-api-key': key } });
      expect([url, status, headers.get('x-simulated')]).toEqual([url, 200, 'true']);
    }
  });

  test('has a token with a name, candles of it and wallets in its pool', async () => {
    const { body: token } = await ask(/\/v1\/token\//);
    expect(token).toMatchObject({ token: { total_supply: '1000000000.000000' } });
    const { body: ohlc } = await ask(/\/v1\/market\/ohlc/);
    const { '15s': candles } = ohlc.timeframes as unknown as { '15s': { volume: string }[] };
    expect(candles.length).toBeGreaterThan(0);
    expect(candles.some(({ volume }) => Number(volume) > 0)).toBe(true);
    const { body: indicators } = await ask(/\/v1\/indicators\//);
    expect(Number(indicators.total_wallets)).toBeGreaterThan(10);
    expect(Number(indicators.total_volume_usd)).toBeGreaterThan(0);
  });

  test('goes on: the newest slot rises, as fast as on a chain', async () => {
    const slotOf = async () => Number((await ask(/\/v1\/token\//)).answer.headers.get('x-slot'));
    const before = await slotOf();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const passed = (await slotOf()) - before;
    expect(passed).toBeGreaterThanOrEqual(3);
    expect(passed).toBeLessThanOrEqual(14);
  });

  test('explains everything it decodes', async () => {
    const { body } = await ask(/\/v1\/coverage/);
    const programs = body.programs as unknown as Record<string, unknown>[];
    expect(programs.length).toBeGreaterThan(5);
    for (const program of programs) {
      expect(program).toMatchObject({ unknown: 0, malformed: 0, quarantined: 0 });
    }
  });
});
