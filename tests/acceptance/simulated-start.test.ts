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

  test('goes on: the newest slot rises, and as fast as on a chain once it has caught up', async () => {
    const slotOf = async () => Number((await ask(/\/v1\/token\//)).answer.headers.get('x-slot'));
    const passedInTwoSeconds = async () => {
      const [before, beforeMs] = [await slotOf(), performance.now()];
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return ((await slotOf()) - before) / ((performance.now() - beforeMs) / 1_000);
    };
    // A start on a busy machine leaves the market slots behind its clock.
    let slotsPerSecond = await passedInTwoSeconds();
    for (let tries = 0; tries < 15 && slotsPerSecond > 4; tries++) {
      slotsPerSecond = await passedInTwoSeconds();
    }
    expect(slotsPerSecond).toBeGreaterThan(0.5);
    expect(slotsPerSecond).toBeLessThanOrEqual(4);
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
