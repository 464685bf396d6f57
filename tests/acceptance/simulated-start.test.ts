import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExampleDocument, requestUrl } from '../../scripts/openapi/example-document.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';

const START_MS = 300_000;

/** The service started without any settings. */
describe('start without any configuration', () => {
  let server: RunningCommand;
  const requests: { readonly url: string; readonly key: string }[] = [];

  beforeAll(async () => {
    const dataDir = `${temporaryFolder()}/data`;
    server = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir]);
    // Posts and findings appear some seconds after the market, in either order.
    for (const title of [/Ask it, for example/, /People post about a token/, /Fraud was found/]) {
      const pattern = new RegExp(`${title.source}[^:]*:\\n(?:curl .*\\n)+`);
      const [text] = await server.shows(pattern, START_MS);
      for (const [, key = '', url = ''] of text.matchAll(/X-API-Key: (\S+)" '(\S+)'/g)) {
        requests.push({ url, key });
      }
    }
  }, 3 * START_MS);

  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.finished;
  });

  const ask = async (path: RegExp) => {
    const { url, key } = requests.find((request) => path.test(request.url)) ?? { url: '', key: '' };
    const answer = await fetch(url, { headers: { 'x-api-key': key } });
    return { answer, body: (await answer.json()) as Record<string, never> };
  };

  const askPath = async (path: string) => {
    const [{ url, key } = { url: '', key: '' }] = requests;
    const answer = await fetch(new URL(path, url), { headers: { 'x-api-key': key } });
    return { answer, body: (await answer.json()) as Record<string, never> };
  };

  test('logs that nothing of it is on a real chain', async () => {
    await server.shows(/"simulated market: nothing here is on any real chain;/);
  });

  test('answers the request that it prints, marked as simulated', async () => {
    expect(requests).toHaveLength(9);
    for (const { url, key } of requests) {
      const { status, headers } = await fetch(url, { headers: { 'x-api-key': key } });
      expect([url, status, headers.get('x-simulated')]).toEqual([url, 200, 'true']);
    }
  });

  test('answers every GET of its OpenAPI document with the examples in it', async () => {
    const { body } = await askPath('/openapi.json');
    const answers: { readonly path: string; readonly isAnswered: boolean }[] = [];
    for (const [path, { get }] of Object.entries(
      body.paths as unknown as ExampleDocument['paths'],
    )) {
      // Webhooks, backtests and signals exist once they were added or given, streams are no answers.
      const isLater = /webhooks|backtests\/|row_id|\/(ws|sse|stream)$/.test(path);
      if (get === undefined || isLater) continue;
      const [{ url: base, key } = { url: '', key: '' }] = requests;
      const url = new URL(requestUrl(path, get.parameters), base);
      const answer = await fetch(url, { headers: { 'x-api-key': key } });
      answers.push({ path, isAnswered: answer.status < 400 });
    }
    expect(answers.filter(({ isAnswered }) => !isAnswered)).toEqual([]);
    expect(answers.length).toBeGreaterThan(20);
  });

  test('has a token with a name, candles of it and wallets in its pool', async () => {
    const { body: token } = await ask(/\/v1\/token\//);
    const { total_supply: supply } = token.token as unknown as { total_supply: string };
    // A billion tokens are minted; a pool's boost buys some back and burns them.
    expect(supply).toMatch(/^\d+\.\d{6}$/);
    expect(Number(supply)).toBeGreaterThan(800_000_000);
    expect(Number(supply)).toBeLessThanOrEqual(1_000_000_000);
    const { body: ohlc } = await ask(/\/v1\/market\/ohlc/);
    const { '15s': candles } = ohlc.timeframes as unknown as { '15s': { volume: string }[] };
    expect(candles.length).toBeGreaterThan(0);
    expect(candles.some(({ volume }) => Number(volume) > 0)).toBe(true);
    const { body: indicators } = await ask(/\/v1\/indicators\//);
    expect(Number(indicators.total_wallets)).toBeGreaterThan(10);
    expect(Number(indicators.total_volume_usd)).toBeGreaterThan(0);
  });

  test('has the posts about a migrated token, in the minutes in which they were posted', async () => {
    const { body: summary } = await ask(/\/v1\/socials\/summary/);
    const { tracking_since: since, total_number_of_posts: total } = summary as unknown as {
      tracking_since: string;
      total_number_of_posts: number;
    };
    expect(total).toBeGreaterThan(20);
    expect(Number(summary.total_social_reach)).toBeGreaterThan(0);
    const token = `token_address=${summary.token_address}`;
    const { body: series } = await askPath(
      `/v1/socials/posts-over-time?${token}&from_date=${since}`,
    );
    const minutes = series.data_points as unknown as { timestamp: string; count: number }[];
    const counts = minutes.map(({ count }) => count);
    const sum = counts.reduce((one, other) => one + other, 0);
    // Posts arrive between the two requests; each is in the series in the minute of its own time.
    expect(sum).toBeGreaterThanOrEqual(total);
    expect(sum).toBeLessThan(total + 100);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1);
    const { body: indicators } = await ask(/\/v1\/indicators\//);
    expect(indicators.token_address).toBe(summary.token_address);
    expect(Math.abs(Number(indicators.social_sentiment_score))).toBeLessThanOrEqual(1);
    expect(Number(indicators.social_blast_radius_score)).toBeGreaterThan(0);
  });

  test('has the picture and the metadata of a token, from its own simulated web', async () => {
    const { body } = await ask(/\/v1\/token\/\w+$/);
    expect(body.metadata).toMatchObject({ uri_metadata: { name: expect.any(String) } });
    expect(body.image_hash).toMatchObject({ phash_64: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });

  test('serves the picture of a listed token in each size, from its own store', async () => {
    interface Item {
      readonly picture_url: string | null;
    }
    const pictured = async () => {
      const { body } = await askPath('/v1/tokens?order_by=volume_24h_usd&per_page=50');
      return (body.items as unknown as Item[]).find((item) => item.picture_url !== null);
    };
    let listed = await pictured();
    for (let tries = 0; tries < 100 && listed === undefined; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      listed = await pictured();
    }
    const path = String(listed?.picture_url);
    const [{ url, key } = { url: '', key: '' }] = requests;
    for (const size of [64, 128, 256]) {
      const answer = await fetch(new URL(`${path}&size=${size}`, url), {
        headers: { 'x-api-key': key },
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(answer.headers.get('cache-control')).toContain('immutable');
      const picture = sharp(Buffer.from(await answer.arrayBuffer()), { failOn: 'warning' });
      const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([size, size]);
      // Pictures of the simulated web are of several colours.
      expect(new Set(data).size).toBeGreaterThan(8);
    }
  });

  test('detects an attack that it simulated, and explains it', async () => {
    const { body: check } = await ask(/\/v1\/fraud\/check/);
    expect(check).toMatchObject({ is_fraudulent: true });
    const { body: finding } = await ask(/\/v1\/fraud\/classifications/);
    expect(finding.token_address).toBe(check.token_address);
  });

  test('continues: the newest slot rises, and at the pace of a chain once it has caught up', async () => {
    const slotOf = async () => Number((await ask(/\/v1\/token\//)).answer.headers.get('x-slot'));
    const passedInTwoSeconds = async () => {
      const [before, beforeMs] = [await slotOf(), performance.now()];
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return ((await slotOf()) - before) / ((performance.now() - beforeMs) / 1_000);
    };
    // A start on a busy machine leaves the market some slots behind its clock.
    let slotsPerSecond = await passedInTwoSeconds();
    for (let tries = 0; tries < 15 && slotsPerSecond > 4; tries++) {
      slotsPerSecond = await passedInTwoSeconds();
    }
    expect(slotsPerSecond).toBeGreaterThan(0.5);
    expect(slotsPerSecond).toBeLessThanOrEqual(4);
  });

  test('decodes every instruction', async () => {
    const { body } = await ask(/\/v1\/coverage/);
    const programs = body.programs as unknown as Record<string, unknown>[];
    expect(programs.length).toBeGreaterThan(5);
    for (const program of programs) {
      expect(program).toMatchObject({ unknown: 0, malformed: 0, quarantined: 0 });
    }
  });
});
