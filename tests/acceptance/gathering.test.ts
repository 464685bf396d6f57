import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiThread } from '../../src/bridge/api-thread.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Slot } from '../../src/model/units.ts';
import { openService, type Service } from '../../src/service/app.ts';
import { type OpenGathering, openGathering } from '../../src/service/open-gathering.ts';
import { metadataSet, mintCreated, slotFacts, transactionFacts } from '../support/build-facts.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { itemSource } from '../support/item-source.ts';
import { listenHttp, type TestServer } from '../support/stranger-listeners.ts';
import { hasTestData, testData } from '../support/test-data.ts';

const KEY = 'gathering-test-key';
const CAT = address('cat');
const COPY = address('copycat');

/** A block that creates a token. */
function launchAt(slot: number, mint: typeof CAT, uri: string): SourceItem {
  const events = [mintCreated(mint), metadataSet({ mint, name: 'Cat', symbol: 'CAT', uri })];
  return {
    kind: 'facts',
    facts: slotFacts(slot, slot * 1_000, [transactionFacts({ txIndex: 0, events })]),
  };
}

/** A picture with the hash that imagehash computes; without recorded data any picture and hash. */
async function knownPicture(): Promise<{ readonly bytes: Buffer; readonly hash: unknown }> {
  const file = join(testData, 'labels/phash/imagehash_py/imagehash.png');
  if (hasTestData) return { bytes: readFileSync(file), hash: 'ba8c84536bd3c366' };
  const data = Buffer.from(Array.from({ length: 64 * 64 }, (_, at) => (at * (at >> 6) * 37) % 256));
  const made = sharp(data, { raw: { width: 64, height: 64, channels: 1 } });
  return { bytes: await made.png().toBuffer(), hash: expect.stringMatching(/^[0-9a-f]{16}$/) };
}

/** End to end: from the chain, through third-party servers, to the answers of the API. */
describe('off-chain facts of a token', () => {
  let picture: Awaited<ReturnType<typeof knownPicture>>;
  let dataDir: string;
  let service: Service;
  let strangers: TestServer;
  let gathering: OpenGathering;
  let api: ApiThread;

  beforeAll(async () => {
    picture = await knownPicture();
    strangers = await listenHttp((request, response) => {
      const at = `http://127.0.0.1:${strangers.port}`;
      if (request.url === '/picture.png') response.end(picture.bytes);
      else if (request.url === '/site') response.writeHead(204).end();
      else {
        response.end(
          JSON.stringify({
            name: `<script>${request.url}</script>`,
            image: `${at}/picture.png`,
            website: `${at}/site`,
          }),
        );
      }
    });
    dataDir = temporaryFolder();
    const config = readConfig({}, { dataDir, port: '0', logLevel: 'silent' });
    service = await openService(config);
    service.store.keys.installBootstrap(KEY);
    const { host, port, logLevel, openOps } = config;
    const limits = { rateLimitPerMinute: 1_000_000, rateLimitBurst: 100_000 };
    const settings = {
      ...{ dataDir, logLevel, ipfsGateways: [], arweaveGateways: [], requestsPerSecond: 100 },
      allowedPrivate: [`127.0.0.1:${strangers.port}`],
    };
    gathering = openGathering(service, settings, { warn: () => undefined });
    api = await ApiThread.start(service, {
      settings: {
        ...{ host, port, dataDir, logLevel, openOps, ...limits },
        simulation: null,
      },
      lagMaxMs: 60_000,
      openGathering: () => gathering,
    });
  });

  afterAll(async () => {
    await api.close(1_000);
    await gathering.close(2_000);
    await service.close();
    await strangers.close();
  });

  const ask = async (path: string) => {
    const headers = { 'x-api-key': KEY, connection: 'close' };
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, { headers });
    return { answer, text: await answer.text() };
  };
  /** Polls until the answer is as expected; returns the last one after a timeout. */
  const askUntil = async (path: string, isAnswered: (body: Body) => boolean): Promise<Body> => {
    let body: Body = {};
    for (let tries = 0; tries < 400; tries++) {
      body = JSON.parse((await ask(path)).text);
      if (isAnswered(body)) return body;
      await delay(25);
    }
    return body;
  };

  test('are in the answers of the token, the picture with the hash that imagehash computes', async () => {
    const at = `http://127.0.0.1:${strangers.port}`;
    const items = [launchAt(100, CAT, `${at}/cat.json`), launchAt(101, COPY, `${at}/copy.json`)];
    await service.ingestion.ingest(itemSource(items, true));
    const body = await askUntil(`/v1/token/${CAT}`, (token) => {
      return token.image_hash?.phash_64 != null && token.social_links?.[0]?.status_code != null;
    });
    expect(body).toMatchObject({
      metadata: {
        uri_metadata: { name: '<script>/cat.json</script>', image: `${at}/picture.png` },
      },
      social_links: [{ platform: 'website', url: `${at}/site`, status_code: 204 }],
      image_hash: { phash_64: picture.hash },
    });
    const { answer } = await ask(`/v1/token/${CAT}`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(strangers.requests.filter(({ line }) => line === 'GET /picture.png')).toHaveLength(1);
  });

  test('find the tokens with a similar picture', async () => {
    const path = `/v1/token/${CAT}/clones`;
    const body = await askUntil(path, ({ clones }) => clones?.length === 1);
    expect(body.clones).toEqual([
      {
        token_address: COPY,
        name: 'Cat',
        symbol: 'CAT',
        creation_slot: 101,
        created_at: '1970-01-01T00:01:41.000Z',
        matches: ['picture'],
        picture_distance: 0,
        picture_url: expect.stringMatching(`^/v1/token/${COPY}/picture[?]hash=[0-9a-f]{16}$`),
      },
    ]);
  });

  test('include its picture, encoded anew and the same for both tokens', async () => {
    const { picture_url: path = '' } = await askUntil(`/v1/token/${CAT}`, () => true);
    const answer = await fetch(`http://127.0.0.1:${api.port}${path}&size=64`, {
      headers: { 'x-api-key': KEY, connection: 'close' },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, width, height]).toEqual(['webp', 64, 64]);
    const { picture_url: copyPath = '' } = await askUntil(`/v1/token/${COPY}`, () => true);
    expect(copyPath).toBe(path?.replace(CAT, COPY));
  });

  test('are counted on the metrics page', async () => {
    const isCounted = /mintscope_offchain_jobs\{kind="picture",state="done"\} 1/;
    let text = '';
    for (let tries = 0; tries < 200 && !isCounted.test(text); tries++) {
      await delay(25);
      text = (await ask('/metrics')).text;
    }
    expect(text).toMatch(isCounted);
    expect(text).toMatch(/mintscope_offchain_fetches_total\{kind="metadata",outcome="ok"\} 2/);
    expect(text).toMatch(/mintscope_gathering_restarts_total 0/);
  });

  test('include tokens that were created while the gathering thread was closed', async () => {
    await gathering.close(2_000);
    const third = address('third');
    const at = `http://127.0.0.1:${strangers.port}`;
    await service.ingestion.ingest(itemSource([launchAt(102, third, `${at}/third.json`)], true));
    const config = { logLevel: 'silent', ipfsGateways: [], arweaveGateways: [] } as const;
    const settings = {
      ...{ ...config, dataDir },
      ...{ requestsPerSecond: 100, allowedPrivate: [`127.0.0.1:${strangers.port}`] },
    };
    gathering = openGathering(service, settings, { warn: () => undefined });
    const body = await askUntil(
      `/v1/token/${third}`,
      (token) => token.image_hash?.phash_64 != null,
    );
    expect(body.image_hash?.phash_64).toEqual(picture.hash);
    expect(service.ingestion.engine.lastSlot).toBe(102 as Slot);
  });
});

interface Body {
  readonly image_hash?: { readonly phash_64: string | null };
  readonly social_links?: readonly { readonly status_code: number | null }[];
  readonly clones?: readonly unknown[];
  readonly picture_url?: string | null;
}
